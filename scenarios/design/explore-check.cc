// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-check.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "model/base/frame.h"
#include "model/base/log-sum.h"
#include "model/exact/exact-run.h"
#include "model/network/network.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/loss-bound.h"
#include "model/risk/rates.h"
#include "scenarios/design/design-search.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/ranking.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/sensitivity.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// Runs the scenario in both engines. @return number of lost frames @throws std::runtime_error if they differ
std::int64_t lost_in_both(const Scenario& scenario, const std::string& what, const EngineFactory& make_engine) {
    const auto exact = make_engine("exact", {}), ns3 = make_engine("ns3", {});
    const Outcome outcome = ns3->run(scenario);
    if (!(exact->run(scenario) == outcome))
        throw std::runtime_error(scenario.network_switch.model + ": the engines differ over " + what);
    return outcome.frames_lost();
}

/// Checks the longest lossless burst and the burst that is one event longer in both engines.
void check_bursts(Verification& verdict, const DesignRequirements& wanted, const RatedDesign& way, Scenario camera,
                  const EngineFactory& make_engine) {
    constexpr std::int64_t kMostFrames = 400'000;  // a few seconds of ns-3
    if (!way.watershed || !way.watershed->events_lossless) return;
    const std::int64_t lossless = *way.watershed->events_lossless;
    if ((lossless + 1) * camera.front_end.modules * std::int64_t(frames_of_fragment(camera.frame).size()) > kMostFrames)
        return;
    camera.trigger = Trigger{};
    camera.trigger.separation = wanted.separation;
    for (const std::int64_t more : {0, 1}) {
        if (lossless + more == 0) continue;
        camera.trigger.events = lossless + more;
        const std::string burst = "a burst of " + std::to_string(lossless + more);
        const bool loses = lost_in_both(camera, burst, make_engine) > 0;
        verdict.text += ", " + burst + (loses ? " loses" : " loses nothing");
        if (loses != (more == 1)) verdict.holds = false;
    }
}

/// Returns the interval of a probability in words, from its logarithms; as powers of ten beyond the range of a double.
std::string shown(const Enclosure& log) {
    constexpr double kLeast = -690;
    if (!std::isfinite(log.lower))
        return text_line("at most %.2g", std::pow(10, rounded_log10(log.upper / std::log(10), 2, Rounded::Up)));
    return log.lower > kLeast ? text_line("%.2g to %.2g", std::exp(log.lower), std::exp(log.upper))
                              : text_line("10^%.1f to 10^%.1f", log.lower / std::log(10), log.upper / std::log(10));
}

/// Returns the log probability of an incomplete event by importance sampling, switch by switch; std::nullopt if this
/// does not cover the camera.
std::optional<Enclosure> sampled(const Scenario& camera, std::int64_t cycles, int jobs, Engine& exact) {
    const Network network(camera);
    if (!has_one_switch(camera) && !is_separable(camera, network)) return std::nullopt;
    const std::vector<int> alike = representative_switch(camera, network);
    Enclosure all{-INFINITY, -INFINITY, -INFINITY};
    RiskEffort effort;
    effort.cycles = cycles;
    effort.jobs = jobs;
    for (int i = 0; i < int(alike.size()); ++i) {
        if (alike[std::size_t(i)] != i) continue;
        try {
            const Enclosure one = find_risk(network.part(camera, i), "tilted", effort, exact).log;
            all = {std::max(all.lower, one.lower), log_sum(all.estimate, one.estimate), log_sum(all.upper, one.upper)};
        } catch (const UnsupportedScenario&) {
            return std::nullopt;  // no queue builds up, or importance sampling does not cover it
        } catch (const CyclesTooLong&) {
            return std::nullopt;
        }
    }
    return all;
}

/// Returns true if importance sampling of a memory ends in time. A busy cycle has about as many events as fill the
/// memory, and as many again until it is empty.
bool is_shallow(const Scenario& camera) {
    constexpr double kMostEvents = 5'000;
    const LossBounds bounds = LossBounds::of(camera);
    return !bounds.obstacle && std::all_of(bounds.switches.begin(), bounds.switches.end(), [](const LossBound& each) {
        return each.room < kMostEvents * each.per_trigger;
    });
}

/// Compares the risk of the camera with the wanted one by simulation, as far as this is possible.
void check_risk(Verification& verdict, const DesignRequirements& wanted, const RatedDesign& way, const Scenario& camera,
                int jobs, Engine& exact) {
    const double limit = std::log(wanted.loss);
    RiskEffort effort;
    effort.jobs = jobs;
    // Behind links, every frame is simulated individually.
    effort.events = std::clamp(std::int64_t(30 / wanted.loss), std::int64_t{5'000},
                               std::int64_t{camera.aggregation ? 40'000 : 100'000});
    const Risk direct = find_risk(camera, "direct", effort, exact);
    verdict.text += "; " + direct.remark;
    if (direct.log.lower > limit || direct.log.lower > way.log_risk->upper) verdict.holds = false;
    if (!verdict.holds || direct.log.upper <= limit) return;
    for (std::int64_t cycles = 2000; cycles <= 32'000; cycles *= 4) {
        const std::optional<Enclosure> rare = is_shallow(camera) ? sampled(camera, cycles, jobs, exact) : std::nullopt;
        if (!rare || !std::isfinite(rare->estimate)) {
            verdict.text += "; rarer losses are too rare to be simulated";
            return;
        }
        if (rare->lower > limit) verdict.holds = false;
        if (rare->lower <= limit && rare->upper > limit && cycles < 32'000) continue;
        verdict.text += "; importance sampling gives a risk of " + shown(*rare);
        return;
    }
}

}  // namespace

Verification verify(const DesignRequirements& wanted, const RatedDesign& way, const Scenario& camera,
                    const EngineFactory& make_engine, int jobs) {
    Verification verdict;
    Scenario random = camera;
    random.trigger.events = 2000;
    random.trigger.duration.reset();
    const std::int64_t lost = lost_in_both(random, "2000 triggers", make_engine);
    verdict.text = "both engines lose " + std::to_string(lost) + " frames of 2000 triggers";
    check_bursts(verdict, wanted, way, camera, make_engine);
    check_risk(verdict, wanted, way, camera, jobs, *make_engine("exact", {}));
    return verdict;
}

std::string sample_risk(RatedDesign& way, double loss, const Scenario& camera, const EngineFactory& make_engine,
                        int jobs) {
    constexpr std::int64_t kCycles = 8'000;
    const auto exact = make_engine("exact", {});
    RiskEffort effort;
    effort.jobs = jobs;
    effort.events = std::clamp(std::int64_t(30 / loss), std::int64_t{30'000}, std::int64_t{300'000});
    Enclosure told = find_risk(camera, "direct", effort, *exact).log;
    if (!std::isfinite(told.lower) && is_shallow(camera))
        if (const std::optional<Enclosure> rare = sampled(camera, kCycles, jobs, *exact);
            rare && std::isfinite(rare->estimate))
            told = *rare;
    if (told.upper > way.log_risk->upper) return "losses are too rare to be simulated";
    way.log_risk = told;
    way.bounded = false;
    way.sampled = true;
    return "the risk is " + shown(told) + " (95 %)";
}

namespace {

/// Returns the risk. Of random triggers it is certain: the bound if it is enough, or if the chain would take long, as
/// it does near saturation.
Risk risk_of_way(const Scenario& scenario, double wanted) {
    if (!is_random_alone(scenario)) return quick_risk(scenario);
    constexpr double kBusy = 0.8;  // load
    CertainLoss certain = CertainLoss::of(scenario, std::nullopt);
    if (!certain.log || (certain.log->upper > std::log(wanted) && certain.load < kBusy))
        certain = CertainLoss::of(scenario, kExactWithin);
    if (!certain.log) throw InputError(certain.obstacles());
    return {certain.bounded ? "bound" : "chain", *certain.log, true, ""};
}

bool asks_for_a_stream(const WhatIf& question) {
    return std::any_of(question.keys.begin(), question.keys.end(),
                       [](const std::string& key) { return begins_with(key, "traffic."); });
}

}  // namespace

Json what_if_of(const DesignRequirements& wanted, const std::vector<RatedDesign>& ways, const std::set<int>& ranks,
                const std::vector<CatalogueSwitch>& catalogue, Engine& engine, std::vector<std::string>& notes) {
    Json all = Json::array();
    for (const int rank : ranks) try {
            const PlainCamera camera(wanted);
            const RatedDesign& way = ways.at(std::size_t(rank - 1));
            const CandidateDesign& stacking = way.stacking;
            const auto [first, second] = entries_of(stacking, catalogue);
            const DesignKeys keys = keys_of(camera, stacking, first, second);
            const auto read = [&](const std::vector<std::string>& further,
                                  std::vector<AssumedValue>* assumed = nullptr) {
                DesignKeys changed = keys;
                changed.overrides.insert(changed.overrides.end(), further.begin(), further.end());
                return read_camera(wanted, changed, nullptr, assumed);
            };
            std::vector<AssumedValue> assumed;
            const Scenario today = read({}, &assumed);
            std::vector<WhatIf> questions = what_if_questions(today, assumed, catalogue);
            questions.erase(std::remove_if(questions.begin(), questions.end(), asks_for_a_stream), questions.end());
            const Design design{[&](const std::vector<std::string>& further) { return read(further); },
                                [&](const Scenario& scenario) { return risk_of_way(scenario, wanted.loss); }, engine,
                                wanted.loss};
            Json asked{{"rank", rank}};
            asked.update(sensitivity_of(design, questions));
            // As it is, its chance is that by which it is ranked, which another bound may not be.
            if (Json& today_row = asked["rows"][0]; today_row.contains("risk") && way.log_risk && !way.sampled)
                add_risk_members(today_row["risk"], way.risk());
            all.push_back(std::move(asked));
        } catch (const InputError& error) {
            notes.push_back("Rank " + std::to_string(rank) + " was not asked what if: " + error.what() + ".");
        }
    return all;
}

std::string what_if_in_words(const Json& asked) {
    const auto named = [&](const char* verdict) {
        for (const Json& row : asked.at("rows"))
            if (row.at("verdict") == verdict) return row.at("what_if").get<std::string>();
        return std::string();
    };
    const std::string fails = named("breaks"), open = named("open");
    std::string text = fails.empty() ? "nothing asked breaks it" : "first breaks with: " + fails;
    if (!open.empty()) text += "; not certain with: " + open;
    const Json& margins = asked.at("margins");
    if (margins.is_null()) return text;
    return text + "; bears " + (margins.value("rate_percent_at_least", false) ? "more than " : "") +
           margins.at("rate_percent").dump() + " % of the trigger rate asked for, or " +
           margins.at("memory_percent").dump() + " % of the memory";
}

}  // namespace watershed
