// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/risk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/exact/exact-engine.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/risk/camera-queue.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "model/risk/tilted-risk.h"
#include "scenarios/design/simulated-risk.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

Risk by_chain(const EquivalentQueues& chains) { return {"chain", chains.log_loss(), true, chains.remark()}; }

Risk by_bound(const CertainLoss& certain) {
    Risk risk{"bound", *certain.log, true, "exponential tails of the queues, for all switches together"};
    if (!risk.known().is_close()) risk.remark += "; the chance itself may be far below";
    return risk;
}

/// Returns the first key by which a scenario is more than one camera with random triggers, and its value in words.
std::string not_random_alone(const NetworkScenario& scenario) {
    if (!scenario.groups.empty()) return "group: modules are of several kinds";
    if (scenario.builders.count > 1) return "server.builders: events go to several builders";
    if (scenario.trigger.burst.events > 0) return "trigger.burst.events: bursts come on top of other triggers";
    return "trigger.pattern: the triggers are not \"poisson\"";
}

double width(const Risk& risk) { return risk.log.upper == risk.log.lower ? 0 : risk.log.upper - risk.log.lower; }

constexpr double kClose = 0.22;      // difference of natural logarithms: a quarter
constexpr std::int64_t kTenth = 10;  // part of the events that comes first

/// Returns the number of events, at most `events`, of which the width of a tenth of them foretells a close result, with
/// half as many again to be sure; std::nullopt if all are too few.
std::optional<std::int64_t> events_for_close(const Risk& tenth, std::int64_t events) {
    const double part = std::pow(width(tenth) / kClose, 2) / kTenth;
    if (!(part < 1)) return std::nullopt;
    return std::int64_t(std::ceil(std::min(1.0, 1.5 * part) * double(events)));
}

/// Returns Risk::shortfall: the reason why a result without any loss is only an upper limit, and a remedy.
std::string shortfall_of(const Risk& risk, const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine) {
    if (!risk.counted_nothing()) return "";
    if (risk.method == "tilted") return "only an upper limit: no busy cycle lost frames; more --cycles would tell more";
    const std::int64_t events = events_of(effort, scenario);
    std::string text = "only an upper limit, from " + std::to_string(events) +
                       " events of which none was incomplete; --events " + std::to_string(10 * events) +
                       " would lower it";
    if (can_be_tilted(scenario, engine))
        text += ", and --method tilted --cycles " + std::to_string(kFewestCycles) + " may tell the chance itself";
    return text;
}

Risk automatic(const NetworkScenario& scenario, const EquivalentQueues& chains, const RiskEffort& effort,
               Engine& engine) {
    std::optional<Risk> best;
    const auto consider = [&](const Risk& risk) {
        if (!best || std::pair(width(risk), risk.log.upper) < std::pair(width(*best), best->log.upper)) best = risk;
        return width(risk) < kClose;
    };
    if (!chains.cameras.empty() && consider(by_chain(chains))) return *best;
    if (chains.cameras.empty())
        if (const CertainLoss certain = CertainLoss::of(scenario); certain.log && consider(by_bound(certain)))
            return *best;
    const std::int64_t events = events_of(effort, scenario);
    // If the upper bound leaves less than one incomplete event to count, a simulation cannot help.
    const bool countable = !best || best->log.upper > -std::log(double(events));
    std::optional<Risk> few;
    if (countable) {
        few = by_simulation(scenario, events / kTenth, effort.jobs, engine);
        if (consider(*few)) return *best;
        if (const auto enough = events_for_close(*few, events)) {
            if (consider(by_simulation(scenario, *enough, effort.jobs, engine)) || *enough == events) return *best;
            return by_simulation(scenario, events, effort.jobs, engine);
        }
    }
    try {
        // A few cycles may all miss the typical way to a loss; their result then contradicts the counts.
        const std::optional<Risk> tilted = affordable_sampling(scenario, effort, engine);
        if (tilted && !(few && contradict(*tilted, *few)) && consider(*tilted)) return *best;
    } catch (const UnsupportedScenario&) {
    }
    if (countable) consider(by_simulation(scenario, events, effort.jobs, engine));
    if (best->counted_nothing())
        if (const std::optional<Risk> longer = longer_sampling(scenario, effort, engine)) consider(*longer);
    return *best;
}

}  // namespace

std::optional<Risk> proven_risk(const NetworkScenario& scenario) {
    NetworkScenario endless = scenario;
    const auto without_end = [](Trigger& trigger) {
        trigger.events.reset();
        trigger.duration.reset();
    };
    without_end(endless.trigger);
    for (Group& group : endless.groups)
        if (group.trigger) without_end(*group.trigger);
    const auto guarantee = Guarantee::of(endless);
    if (!guarantee || !guarantee->bounded || !guarantee->fits()) return std::nullopt;
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    const bool fixed = scenario.trigger.pattern == Trigger::Pattern::Periodic && scenario.trigger.burst.events == 0;
    return Risk{
        "proof",
        {kNone, kNone, kNone},
        true,
        std::string(fixed ? "its triggers lose no frame" : "no triggers that dead time and rules admit lose a frame") +
            " (watershed bound)"};
}

Risk find_risk(const NetworkScenario& scenario, const std::string& method, const RiskEffort& effort, Engine& engine) {
    if (const UnsupportedKey ends = ending_trigger(scenario)) throw InputError(ends.key + ": " + ends.why);
    if (!scenario.traffic.empty())
        throw InputError("traffic: expected none: risk does not cover streams beside the camera");
    if (method == "auto")
        if (std::optional<Risk> proof = proven_risk(scenario)) return *proof;
    if (!is_random_alone(scenario)) {
        if (method != "auto" && method != "direct")
            throw InputError("--method: " + method + " cannot do this scenario, expected direct (" +
                             not_random_alone(scenario) + ")");
        Risk risk = by_runs(scenario, events_of(effort, scenario), effort.jobs, engine);
        expect_probability(risk);
        if (risk.counted_nothing())
            risk.shortfall =
                "only an upper limit: none of the simulated events was incomplete; more --events would "
                "lower it";
        return risk;
    }
    const auto find = [&] {
        if (method == "direct") return by_simulation(scenario, events_of(effort, scenario), effort.jobs, engine);
        if (method == "tilted") return by_sampling(scenario, effort, engine);
        if (method == "bound") {
            const CertainLoss certain = CertainLoss::of(scenario);
            if (certain.log) return by_bound(certain);
            throw InputError("--method: bound cannot do this scenario, expected another one (" + certain.obstacles() +
                             ")");
        }
        const EquivalentQueues chains = EquivalentQueues::of(scenario);
        if (method == "auto") return automatic(scenario, chains, effort, engine);
        if (chains.cameras.empty())
            throw InputError("--method: chain cannot do this scenario, expected tilted or direct (" +
                             chains.obstacle.text() + ")");
        return by_chain(chains);
    };
    Risk risk = find();
    expect_probability(risk);
    risk.shortfall = shortfall_of(risk, scenario, effort, engine);
    return risk;
}

Risk quick_risk(const NetworkScenario& scenario, double work) {
    RiskEffort effort;
    effort.work = work;
    ExactEngine engine;
    return find_risk(scenario, "auto", effort, engine);
}

void expect_probability(const Risk& risk) {
    const auto& [lower, estimate, upper] = risk.log;
    if (lower <= estimate && estimate <= upper && upper <= 0) return;
    throw std::runtime_error(
        text_line("method %s came to exp(%g), between exp(%g) and exp(%g), which is no probability between two bounds",
                  risk.method, estimate, lower, upper));
}

bool contradict(const Risk& a, const Risk& b) {
    const auto low = [](const Risk& risk) { return 1.5 * risk.log.lower - 0.5 * risk.log.upper; };
    const auto high = [](const Risk& risk) { return 1.5 * risk.log.upper - 0.5 * risk.log.lower; };
    return low(a) > high(b) || low(b) > high(a);
}

void to_json(nlohmann::ordered_json& json, const Risk& risk) {
    nlohmann::ordered_json members;
    add_risk_members(members, risk.known());
    json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : members.items()) {
        if (name == "risk_kind") json["method"] = risk.method;
        json[name] = value;
    }
    json["remark"] = risk.remark;
    json["shortfall"] = risk.shortfall.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(risk.shortfall);
}

std::string risk_in_words(const nlohmann::ordered_json& risk) {
    if (risk.is_null()) return "–";
    const Known known = risk_of_members(risk).as_probability();
    return known.is_zero() ? "never" : known.cell(readable_chance_of_log10, 3);
}

std::string overload_text(const LinkLoad& fullest) {
    if (fullest.load < 1) return "";
    const std::string given = text_line("given %.4g times what", fullest.load);
    if (fullest.of_modules)
        return "the modules' links are " + given + " they can carry: events wait there ever longer, or are lost";
    return fullest.name + " is " + given +
           " it can carry: the memory in front of it fills, however large it is, and in the long run" +
           text_line(" at least %.3g %% of its frames are lost", 100 - 100 / fullest.load);
}

std::optional<UplinkChoice> hash_of(const NetworkScenario& scenario) {
    std::optional<UplinkChoice> hash;
    const Network network(scenario);
    for (const Network::Switch& each : network.switches())
        if (each.settings.uplinks > 1 && each.settings.uplink_choice.rule == UplinkChoice::Rule::Hash)
            hash = each.settings.uplink_choice;
    return hash;
}

std::string to_text(const UplinkChoice& hash) {
    static const char* const kFields[] = {"layer2", "layer3", "layer3+4", "five-tuple"};
    static const char* const kFolds[] = {"crc16", "xor"};
    return std::string(kFields[int(hash.fields)]) + ", " + kFolds[int(hash.fold)];
}

std::string hash_condition(const NetworkScenario& scenario) {
    const auto hash = hash_of(scenario);
    return hash ? ", if the switch's hash is that of the scenario (" + to_text(*hash) + ")" : "";
}

}  // namespace watershed
