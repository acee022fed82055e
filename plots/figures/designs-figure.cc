// SPDX-License-Identifier: GPL-2.0-only
// The watersheds of several designs on one logarithmic axis, and how often each loses an event.
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/named-watersheds.h"
#include "plots/figures/results.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/known.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

void draw_compared(const Json& result, const FigureRequest& request, const std::string& source) {
    std::vector<NamedWatershed> watersheds;
    for (const Json& design : result["designs"]) {
        std::string label = design["name"];
        if (const Json& risk = design["risk"]; !risk.is_null())
            if (const Known known = risk_of_members(risk).as_probability(); !known.is_zero())
                label += ": risk " + known.cell(readable_chance_of_log10, 2);
        watersheds.push_back({design["name"], label, design["watershed"]});
    }
    draw_named_watersheds(watersheds, request, source);
}

}  // namespace

void draw_designs(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed compare --json");
    const auto result = read_json<Json>(request.inputs.front());
    check_designs(result, request.inputs.front());
    draw_compared(result, request, stem_of(request.inputs.front()));
}

void draw_designs_of(const Json& result, const std::string& output) {
    draw_compared(result, {{}, output, "", {}}, "watershed compare");
}

}  // namespace watershed
