// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/watershed-curve.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "model/risk/rates.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/members.h"
#include "scenarios/text/units.h"

namespace watershed {

using Json = nlohmann::ordered_json;

std::int64_t affordable_burst(const NetworkScenario& whole) {
    constexpr double kLeast = 1000, kMost = 1'000'000, kWork = 16'000'000;  // in units of cost_of_event()
    NetworkScenario scenario = without_idle_schedulers(whole);
    scenario.trigger.events = 1;
    return std::int64_t(std::clamp(kWork / cost_of_event(scenario), kLeast, kMost));
}

Json WatershedCurve::json() const {
    Json all = Json::array();
    for (const auto& [separation, events] : points) all.push_back({separation, json_of(events)});
    return all;
}

Json WatershedCurve::why_none_json() const { return why_none.empty() ? Json(nullptr) : Json(why_none); }

WatershedCurve watershed_curve(const Scenario& scenario, Engine& engine) {
    const bool tiers = scenario.aggregation || !scenario.nodes.empty();
    const Time closest = time_of_seconds(link_seconds(scenario)),
               busiest = time_of_seconds(std::max(uplink_seconds(scenario, false), uplink_seconds(scenario, true)));
    // One picosecond more, so that rounding does not overload a link of the second tier.
    const Time asymptote = std::max(closest, tiers ? busiest + Time{1} : busiest);
    constexpr std::int64_t kShare = 4;  // a point may take a quarter of the affordable burst
    const std::int64_t limit = tiers ? affordable_burst(scenario) / kShare : kLongestSimulated;
    constexpr int kPoints = 24;
    WatershedCurve curve;
    std::string too_dear;
    for (int i = 0; i <= kPoints; ++i) {
        // Points are closer together towards the asymptote, which is the last point.
        const double distance = std::pow(1 - i / double(kPoints), 2);
        const Time separation = asymptote - Time{std::llround(distance * double((asymptote - closest).count()))};
        const Boundary boundary = find_boundary(engine, scenario, separation, limit, limit);
        if (boundary.unknown_beyond != 0) {
            if (too_dear.empty())
                too_dear = "bursts of " + std::to_string(boundary.unknown_beyond) + " events " + to_text(separation) +
                           " apart lose nothing, and longer ones take too long to run";
            i = std::max(i, kPoints - 1);  // skip the points up to the last: they bear still longer bursts
            continue;
        }
        curve.points.emplace_back(in_microseconds(separation), boundary.events_lossless);
        if (!boundary.events_lossless) break;
    }
    if (std::none_of(curve.points.begin(), curve.points.end(), [](const auto& point) { return point.second; }) &&
        !too_dear.empty())
        return {{}, too_dear};
    return curve;
}

}  // namespace watershed
