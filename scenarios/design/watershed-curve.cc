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
    if (!scenario.traffic.empty())
        return {{},
                "traffic." + scenario.traffic.front().name +
                    ": from which separation on no burst loses beside a stream is not known"};
    const bool groups = !scenario.groups.empty() || scenario.builders.count > 1,
               tiers = groups || scenario.aggregation || !scenario.nodes.empty();
    Scenario each_second = scenario;  // so that a load is the time that an event keeps a link
    each_second.trigger.pattern = Trigger::Pattern::Periodic;
    each_second.trigger.rate = Frequency{1'000'000};
    const Rates of_event = rates_of(each_second);
    const Time closest = time_of_seconds(of_event.link_load), busiest = time_of_seconds(of_event.load);
    // One picosecond more, so that rounding does not overload a link of the second tier.
    const Time asymptote = std::max(closest, tiers ? busiest + Time{1} : busiest);
    constexpr std::int64_t kShare = 16;  // a point may take so much less than the affordable burst
    const std::int64_t limit = tiers ? affordable_burst(scenario) / kShare : kLongestSimulated;
    const int points = groups ? 8 : 24;  // each point of groups takes runs
    WatershedCurve curve;
    std::string too_dear;
    for (int i = 0; i <= points; ++i) {
        // Points are closer together towards the asymptote, which is the last point.
        const double distance = std::pow(1 - i / double(points), 2);
        const Time separation = asymptote - Time{std::llround(distance * double((asymptote - closest).count()))};
        if (!curve.points.empty() && curve.points.back().first == in_microseconds(separation)) continue;
        // Below the asymptote each burst loses if it is long enough, and the first one that does ends the search.
        const Boundary boundary = separation < asymptote
                                      ? find_boundary(engine, scenario, separation, limit, limit, limit)
                                      : find_boundary(engine, scenario, separation, limit, limit);
        if (boundary.unknown_beyond != 0) {
            if (too_dear.empty())
                too_dear = "bursts of " + std::to_string(boundary.unknown_beyond) + " events " + to_text(separation) +
                           " apart lose nothing, and longer ones take too long to run";
            i = std::max(i, points - 1);  // skip the points up to the last: they bear still longer bursts
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
