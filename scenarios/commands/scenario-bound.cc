// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/scenario-bound.h"

#include <algorithm>

#include "model/exact/exact-engine.h"
#include "model/frontend/trigger.h"
#include "model/guarantee/witness.h"
#include "model/network/network.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// Returns values of a rule of sharing, the most generous first; chips multiply by powers of two. Empty for other keys.
std::vector<std::string> values_of_rule(const std::string& key) {
    const auto ends = [&](const std::string& end) {
        return key.size() >= end.size() && key.compare(key.size() - end.size(), end.size(), end) == 0;
    };
    if (ends("buffer.sharing")) return {"shared"};
    if (!ends("buffer.alpha")) return {};
    std::vector<std::string> values;
    for (int most = 16; most >= 1; most /= 2) values.push_back(std::to_string(most));
    for (int part = 2; part <= 128; part *= 2) values.push_back("1/" + std::to_string(part));
    return values;
}

/// Reads the scenario and sets its guarantee. @param set  beside what was asked for
Scenario read_with(const std::vector<std::string>& set, const BoundAsked& asked, ScenarioBound& result) {
    std::vector<std::string> overrides = asked.overrides;
    overrides.insert(overrides.end(), set.begin(), set.end());
    result.assumed.clear();
    Scenario scenario = read_scenario(Scope::camera().with_streams().with_sequences().with_groups(), asked.scenario,
                                      overrides, &result.assumed);
    UnsupportedKey why;
    auto guarantee = read_at(asked.scenario, [&] { return Guarantee::of(scenario, &why); });
    if (!guarantee) {
        why = bound_reason(scenario, why);
        throw InputError(asked.scenario, why.key, why.why);
    }
    result.guarantee = std::move(*guarantee);
    return scenario;
}

/// The same, if a rule is unknown with the least generous value that loses nothing.
Scenario read_bound(const BoundAsked& asked, ScenarioBound& result) {
    try {
        return read_with({}, asked, result);
    } catch (const UnknownValue& unknown) {
        const std::vector<std::string> values = values_of_rule(unknown.key);
        if (values.empty()) throw;
        const auto with = [&](const std::string& value) {
            result.unknown = {unknown.key, unknown.why, value};
            return read_with({unknown.key + "=" + value}, asked, result);
        };
        Scenario scenario = with(values.front());
        for (std::size_t i = 1; i < values.size() && result.guarantee.bounded && result.guarantee.fits(); ++i) {
            const ScenarioBound fitting = result;
            Scenario less = with(values[i]);
            if (result.guarantee.fits()) {
                scenario = std::move(less);
            } else {
                result = fitting;
                break;
            }
        }
        return scenario;
    }
}

/// Returns true if a memory that takes all frames on one uplink takes them on any uplinks. First in, first out, each
/// frame then leaves no later, so that the memory holds no more in sum, nor does a queue. Limits must depend on these
/// two alone: those of ABM fall with the number of queues, and behind shapers, or beside other classes, fewer
/// frames may delay another.
bool one_uplink_is_worst(const Scenario& scenario) {
    const Sharing sharing = scenario.network_switch.buffer.sharing;
    const Scheduling& scheduling = scenario.network_switch.scheduling;
    const bool one_class = scenario.traffic.empty() && scenario.groups.empty() && scheduling.rates.empty();
    return (scheduling.kind == Scheduling::Kind::Fifo || one_class) &&
           (sharing->pools != SharingPolicy::Pools::One || sharing == Sharing::Shared ||
            sharing == Sharing::DynamicThreshold || sharing->has_port_alpha || sharing->has_steps);
}

/// Returns the most modules on one uplink with which nothing is lost, whichever these are and however the others are
/// spread; std::nullopt if none or unknown. Queues of modules in step are convex in their number, and so is their sum.
/// It is largest if as many uplinks as possible have the most (Marshall, Olkin and Arnold, Inequalities, 2011, 3.C).
/// @param bound  guarantee of the scenario
std::optional<int> most_on_one_uplink(const Scenario& scenario, const Guarantee& bound) {
    const Buffer& buffer = scenario.network_switch.buffer;
    const int modules = scenario.front_end.modules, uplinks = scenario.network_switch.uplinks;
    if (!bound.in_step || bound.kinds || bound.streams || buffer.slices > 1 || buffer.drops_early() ||
        buffer.accounting != Buffer::Accounting::Egress)
        return std::nullopt;
    const auto takes = [&](int most) {
        Scenario packed = scenario;
        UplinkChoice& choice = packed.network_switch.uplink_choice;
        choice.rule = UplinkChoice::Rule::Static;
        choice.list.clear();
        for (int module = 0; module < modules; ++module) choice.list.push_back(1 + module / most);
        const auto found = Guarantee::of(packed);
        return found && found->bounded && found->fits();
    };
    int fits = (modules + uplinks - 1) / uplinks, loses = modules + 1;
    if (!takes(fits)) return std::nullopt;
    while (loses - fits > 1) {
        const int middle = fits + (loses - fits) / 2;
        (takes(middle) ? fits : loses) = middle;
    }
    return fits;
}

/// Returns the number of triggers that are followed for a loss, at most `most`: what they and the streams beside them
/// send is limited.
std::int64_t triggers_to_follow(const Scenario& scenario, double most) {
    constexpr double kWork = 2e7, kByFrame = 2.5;  // in units of cost_of_event()
    const double triggers = std::clamp(kWork / cost_of_event(scenario), 1.0, most);
    const std::vector<Time> times = densest_triggers(scenario.trigger, std::int64_t(triggers));
    const double streams = kByFrame * frames_of_streams(with_triggers(scenario, times));
    return std::max<std::int64_t>(1, std::int64_t(triggers * kWork / (kWork + streams)));
}

}  // namespace

ScenarioBound bound_of(const BoundAsked& asked, const EngineFactory& make_engine) {
    ScenarioBound result;
    const Scenario scenario = read_bound(asked, result);
    const Network network(scenario);
    if (!result.guarantee.pauses) result.hash = hash_of(scenario);
    // Several uplinks may keep more in the first tier of a memory than one.
    if (result.hash && network.is_one_tier() && scenario.nodes.empty() && scenario.builders.count == 1 &&
        !scenario.network_switch.buffer.dram) {
        Scenario on_one = scenario;
        on_one.network_switch.uplinks = 1;
        if (one_uplink_is_worst(scenario)) {
            result.whichever = Guarantee::of(on_one);
            result.on_one_uplink = most_on_one_uplink(scenario, result.guarantee);
        }
    }
    const auto engine = make_engine("exact", {});
    const auto run = [&](const NetworkScenario& what) {
        Observer observer;
        observer.incomplete_kept = 1;
        return engine->run(what, &observer);
    };
    const Guarantee& bound = result.guarantee;
    if (bound.own_triggers) return result;
    if (bound.pauses && bound.fits()) return result;
    if (result.replayed()) {
        result.witness = bound.witness;
        result.own = run(with_triggers(scenario, result.witness));
    }
    // Triggers that bring a bound that is not exact to its most may lose nothing, and others a frame.
    const bool any_loss = result.replayed() && !bound.fits() && !bound.reached() && !bound.one_train;
    if (!result.replayed() || (any_loss && all_frames_lost(result.own) == 0)) {
        const double most = result.replayed() || bound.pauses ? 1e4 : bound.tiers ? 1e5 : 1e6;
        result.followed = triggers_to_follow(scenario, most);
        if (auto train = shortest_losing_train(*engine, scenario, scenario.trigger, result.followed)) {
            result.own = run(with_triggers(scenario, *train));
            result.witness = std::move(*train);
        }
    }
    if (!result.replayed()) return result;
    result.ample = run(with_ample_memory(with_triggers(scenario, result.witness), bound.frames() + 1));
    for (std::size_t i = 0; i < bound.switches.size(); ++i)
        if (result.ample.switches[i].peak_frames > bound.switches[i].frames)
            throw std::logic_error("a run exceeds the bound of " + bound.switches[i].name);
    return result;
}

}  // namespace watershed
