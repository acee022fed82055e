// SPDX-License-Identifier: GPL-2.0-only
// The watersheds of several designs on one logarithmic axis, and how often each loses an event.
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/named-watersheds.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

void draw_compared(const Json& result, const FigureRequest& request, const std::string& source) {
    std::vector<NamedWatershed> watersheds;
    for (const Json& design : result["designs"]) {
        std::string label = design["name"];
        if (const Json& risk = design["risk"]; !risk.is_null() && !risk["log10_probability"].is_null())
            label += ": risk " + (risk.value("risk_kind", "") == "bound"
                                      ? "≤ " + readable_chance_of_log10(risk.at("log10_at_most"), 2, Rounded::Up)
                                      : readable_chance_of_log10(risk["log10_probability"], 2));
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

void check_designs(const Json& document, const std::string& file) {
    read_members(file, "what watershed compare --json writes", [&] {
        const auto designs = member<std::vector<Json>>(document, "designs");
        if (designs.empty()) throw MemberError("designs: found none");
        member<double>(document, "separation_us");
        for (const Json& design : designs) {
            for (const char* name : {"name", "scenario"}) member<std::string>(design, name);
            for (const char* name : {"modules", "uplinks", "peak_frames", "peak_bytes"}) member<double>(design, name);
            for (const char* name :
                 {"risk", "events_lossless", "events_unknown_beyond", "load", "latency", "price", "power"})
                member<Json>(design, name);
            for (const char* name : {"switches", "frames", "events"})
                if (!member<Json>(design, name).is_object())
                    throw MemberError(std::string(name) + ": expected an object");
            for (const Json& point : member<std::vector<Json>>(design, "watershed")) point.at(1);
        }
    });
}

}  // namespace watershed
