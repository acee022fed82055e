// SPDX-License-Identifier: GPL-2.0-only
// The watershed of a scenario without delays of its modules, and with the shortest that lose nothing.
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/named-watersheds.h"
#include "plots/figures/results.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

void draw_delayed(const Json& result, const FigureRequest& request, const std::string& source) {
    std::vector<NamedWatershed> watersheds;
    for (const Json& each : result["watersheds"]) {
        const std::string kind = each["kind"];
        const std::string label =
            kind == "none" ? "no delays" : kind + ", step " + readable_seconds(each["step_s"].get<double>());
        watersheds.push_back({label, label, each["points"]});
    }
    WatershedStyle look;
    const bool delayed = result["watersheds"].size() > 1;
    if (delayed && has_line(result["watersheds"].back()["points"])) look.region = "no loss with delays";
    if (result.contains("burst") && !result["burst"].is_null()) {
        const std::int64_t events = result["burst"]["events"];
        look.marked = MarkedBurst{result["burst"]["separation_us"], static_cast<double>(events), "the scenario"};
    }
    draw_named_watersheds(watersheds, request, source + apparatus_of(result), look);
}

}  // namespace

void draw_stagger(const FigureRequest& request) {
    const Json result = read_result(request.inputs, "watershed stagger --watershed --json",
                                    {{"number", "burst?.separation_us burst?.events watersheds[].step_s"},
                                     {"text", "watersheds[].kind"},
                                     {"some", "watersheds"},
                                     {"pair", "watersheds[].points[]"}});
    draw_delayed(result, request, stem_of(request.inputs.front()));
}

void draw_stagger_of(const Json& result, const std::string& output) {
    draw_delayed(result, {{}, output, "", {}}, "watershed stagger " + result.value("scenario", ""));
}

}  // namespace watershed
