// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/throttle-curve.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/exact/engine.h"
#include "scenarios/design/risk.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/progress.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// Of one rate.
Json curve_point(Incast scenario, const std::vector<LosslessRule>& rules, Frequency rate, Engine& engine) {
    scenario.trigger.rate = rate;
    Json point{{"rate_hz", in_hertz(rate)}, {"without", nullptr}, {"refused", Json::object()}};
    RiskEffort effort;
    effort.work = 1e7;
    try {
        point["without"] = find_risk(scenario, "auto", effort, engine);
    } catch (const std::invalid_argument&) {
    } catch (const InputError&) {
    }
    for (const LosslessRule& rule : rules) {
        Incast ruled = scenario;
        ruled.trigger = rule.trigger;
        ruled.trigger.rate = rate;
        const RefusedShare share = refused_share(engine, ruled, scenario.trigger.dead_time);
        Json& of_rule = point["refused"][rule.kind] = {{"estimate", share.estimate}};
        add_interval(of_rule, share);
    }
    return point;
}

}  // namespace

std::vector<Frequency> usual_rates(Frequency scenarios) {
    constexpr int kEachWay = 8, kOfAnOctave = 4;
    std::vector<Frequency> rates;
    for (int i = -kEachWay; i <= kEachWay; ++i)
        rates.push_back(Frequency{
            std::llround(static_cast<double>(scenarios.count) * std::exp2(i / static_cast<double>(kOfAnOctave)))});
    return rates;
}

Json throttle_curve(const Incast& scenario, const std::vector<LosslessRule>& rules, const std::vector<Frequency>& rates,
                    Engine& engine, int jobs) {
    Progress progress("throttle", "rates", static_cast<std::int64_t>(rates.size()));
    std::int64_t done = 0;
    const auto points = do_in_processes(
        jobs, rates.size(), [&](std::size_t i) { return curve_point(scenario, rules, rates[i], engine).dump(); },
        [&](std::size_t, const std::string&) { progress.done(++done); });
    Json curve = Json::array();
    for (const std::string& point : points) curve.push_back(Json::parse(point));
    return curve;
}

void add_interval(Json& json, const RefusedShare& share) {
    json[share.calculated ? "bounds" : "interval95"] = {share.lower, share.upper};
}

}  // namespace watershed
