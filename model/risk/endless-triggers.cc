// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/endless-triggers.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/frontend/event-train.h"
#include "model/risk/camera-queue.h"
#include "model/risk/rates.h"
#include "model/switch/output-queued-switch.h"

namespace watershed {
namespace {

using Pattern = Trigger::Pattern;

bool is_endless(const Trigger& trigger) {
    return trigger.pattern == Pattern::Poisson || trigger.pattern == Pattern::Periodic;
}

/// Returns the mean rate of the events that a trigger system accepts, in Hz.
double mean_rate(Trigger trigger, std::uint64_t seed) {
    if (trigger.pattern == Pattern::Poisson && trigger.rules.empty() && trigger.burst.events == 0)
        return accepted_rate(trigger);
    if (trigger.pattern == Pattern::Periodic && trigger.rules.empty() && trigger.burst.events == 0 &&
        trigger.dead_time < periodic_time(trigger.rate, 1))
        return in_hertz(trigger.rate);
    constexpr std::int64_t kFewest = 2, kMost = 500'000;
    trigger.events = std::clamp(events_in_reach(trigger), kFewest, kMost);
    trigger.duration.reset();
    TriggerTrain train(trigger, seed);
    const std::optional<Time> first = train.next();
    Time last = *first;
    std::int64_t more = 0;
    while (const auto time = train.next()) last = *time, ++more;
    return static_cast<double>(more) / in_seconds(last - *first);
}

/// Whether the phase of a group against the others is not known.
bool is_out_of_step(const Group& group) {
    const auto& clock = group.front_end.clock;
    return group.trigger || group.front_end.clock_spread.count != 0 ||
           std::any_of(clock.begin(), clock.end(), [](ClockTolerance each) { return each.count != 0; });
}

/// Whether triggers, or bursts on top of them, come at fixed times, so that they keep a phase to others.
bool is_fixed(const Trigger& trigger) {
    return trigger.pattern == Pattern::Periodic || (trigger.burst.events > 0 && trigger.burst.rate.count == 0);
}

/// Returns the deviation of the slowest clock of a group's modules.
ClockTolerance slowest_clock(const Group& group) {
    ClockTolerance slowest{0};
    for (const ClockTolerance each : group.front_end.clock)
        if (each.count < slowest.count) slowest = each;
    return slowest;
}

/// Whether every module has sent all of an event when the next one triggers.
bool sends_before_next(const NetworkScenario& scenario) {
    const Time period = periodic_time(scenario.trigger.rate, 1);
    for (const Group& group : ModuleGroups(scenario).all()) {
        const auto frames = frames_of_fragment(group.frame);
        Time last = group.front_end.gap * static_cast<std::int64_t>(frames.size() - 1);
        for (const FrameSizes& frame : frames)
            last += Time{static_cast<std::int64_t>(
                TransmissionTime::of(frame.wire, group.front_end.link_rate, slowest_clock(group)).ceil())};
        for (const Time skew : group.front_end.skew)
            if (last + skew >= period) return false;
        if (last >= period) return false;
    }
    return true;
}

/// Whether a run draws no random number that could matter.
bool draws_nothing(const NetworkScenario& scenario) {
    if (scenario.trigger.pattern != Pattern::Periodic || scenario.trigger.burst.events > 0 ||
        scenario.builders.are_drawn() || !scenario.traffic.empty() || scenario.server.receiver)
        return false;
    for (const Group& group : ModuleGroups(scenario).all())
        if ((!scenario.groups.empty() && is_out_of_step(group)) || group.front_end.jitter != Time{0} ||
            group.front_end.skew_spread != Time{0} || group.front_end.clock_spread.count != 0 ||
            !group.frame.payloads.empty())
            return false;
    const Network network(scenario);
    return std::all_of(network.switches().begin(), network.switches().end(), [](const Network::Switch& each) {
        const watershed::Switch& settings = each.settings;
        return settings.arrival_order == ArrivalOrder::Module && !settings.buffer.drops_early() &&
               settings.uplink_choice.rule != UplinkChoice::Rule::RoundRobin;
    });
}

/// Returns the number of events after which builders have the same turns again.
std::int64_t turns_of(const Builders& builders) {
    return builders.receiving() == 1 && builders.assignment == Builders::Assignment::InTurn ? builders.count : 1;
}

/// Whether all frames of an event have left, wherever they are admitted, when the next event comes to the same outputs.
/// Frames that a full memory does not take only let the others leave earlier.
bool leaves_in_time(Engine& engine, NetworkScenario scenario) {
    const Network network(scenario);
    if (!std::all_of(network.switches().begin(), network.switches().end(),
                     [](const Network::Switch& each) { return OutputQueuedSwitch::of(each.settings).has_value(); }))
        return false;
    const auto widen = [](Switch& each) {
        each.buffer.size = {std::int64_t{1} << 50, MemorySize::Unit::Byte};
        each.buffer.descriptors.reset();
    };
    widen(scenario.network_switch);
    if (scenario.aggregation) widen(*scenario.aggregation);
    for (Node& node : scenario.nodes) widen(node.network_switch);
    scenario.trigger.events = turns_of(scenario.builders);
    const Outcome outcome = engine.run(scenario);
    // Outputs of one among several switches lead to all builders, and modules that are shifted send to all at a time.
    const bool in_turn = has_one_switch(scenario) && scenario.builders.order == Builders::Order::InTurn;
    const std::int64_t alone = in_turn ? *scenario.trigger.events : 1;
    return outcome.frames_lost() == 0 &&
           std::all_of(outcome.builders.begin(), outcome.builders.end(), [&](const Outcome::Builder& each) {
               return each.latency_most + Time{1} < periodic_time(scenario.trigger.rate, alone);
           });
}

/// Returns the repetition of builders in turn whose outputs are idle when their turn comes. Then the frames in a switch
/// are those that it admitted of the last turns, so that all repeats once the same frames are lost in two rounds of
/// turns.
std::optional<Repetition> find_repeated_round(Engine& engine, NetworkScenario scenario, std::int64_t most) {
    const std::int64_t turns = turns_of(scenario.builders);
    if (!leaves_in_time(engine, scenario)) return std::nullopt;
    std::map<std::int64_t, std::set<std::tuple<std::int64_t, int, int>>> lost;  // frames by round
    Observer observer;
    observer.lost = [&](const FrameId& frame, Time, const LossCause&) {
        lost[(frame.event - 1) / turns].emplace((frame.event - 1) % turns, frame.module, frame.frame);
    };
    for (std::int64_t rounds = 2; rounds == 2 || rounds * turns <= most; rounds *= 2) {
        lost.clear();
        scenario.trigger.events = rounds * turns;
        engine.run(scenario, &observer);
        for (std::int64_t i = 0; i + 1 < rounds; ++i) {
            if (lost[i] != lost[i + 1]) continue;
            std::set<std::int64_t> incomplete;
            for (const auto& [event, module, frame] : lost[i]) incomplete.insert(event);
            return Repetition{turns, static_cast<std::int64_t>(incomplete.size())};
        }
    }
    return std::nullopt;
}

}  // namespace

UnsupportedKey ending_trigger(const NetworkScenario& scenario) {
    const std::string why =
        "expected \"poisson\" or \"periodic\": the chance of loss is defined for triggers without end";
    bool common = scenario.groups.empty();
    for (const Group& group : scenario.groups) {
        if (group.trigger && !is_endless(*group.trigger)) return {"group." + group.name + ".trigger.pattern", why};
        common = common || !group.trigger;
    }
    return common && !is_endless(scenario.trigger) ? UnsupportedKey{"trigger.pattern", why} : UnsupportedKey{};
}

bool has_phases(const NetworkScenario& scenario) {
    int out_of_step = 0, in_step = 0;
    for (const Group& group : scenario.groups)
        if (is_fixed(group.trigger.value_or(scenario.trigger))) ++(is_out_of_step(group) ? out_of_step : in_step);
    return out_of_step + std::min(in_step, 1) > 1;
}

bool is_random_alone(const NetworkScenario& scenario) {
    return scenario.trigger.pattern == Pattern::Poisson && scenario.trigger.burst.events == 0 &&
           scenario.groups.empty() && scenario.builders.count == 1;
}

bool has_own_triggers(const NetworkScenario& scenario) {
    return std::any_of(scenario.groups.begin(), scenario.groups.end(),
                       [](const Group& group) { return group.trigger.has_value(); });
}

bool has_fixed_rates(const NetworkScenario& scenario) {
    const std::vector<Group> groups = ModuleGroups(scenario).all();
    return std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
        const Trigger& trigger = group.trigger ? *group.trigger : scenario.trigger;
        return trigger.pattern == Pattern::Periodic && trigger.burst.events == 0;
    });
}

std::int64_t events_in_reach(const Trigger& trigger) {
    Time apart = trigger.dead_time;
    for (const TriggerRule& rule : trigger.rules)
        if (rule.kind != TriggerRule::Kind::AlmostFull)
            apart = std::max(apart, rule.kind == TriggerRule::Kind::Count ? rule.time / rule.events : rule.time);
    return static_cast<std::int64_t>(static_cast<double>((Time::max() / 2).count()) /
                                     (period_in_picoseconds(trigger.rate) + static_cast<double>(apart.count())));
}

EventRates event_rates(const NetworkScenario& scenario) {
    EventRates rates;
    std::optional<double> common;
    for (const Group& group : ModuleGroups(scenario).all()) {
        if (group.trigger)
            rates.all += rates.of_groups.emplace_back(mean_rate(*group.trigger, scenario.seed));
        else
            rates.of_groups.push_back(*(common = common.value_or(mean_rate(scenario.trigger, scenario.seed))));
    }
    rates.all += common.value_or(0);
    return rates;
}

double link_load(const NetworkScenario& scenario) {
    const EventRates rates = event_rates(scenario);
    const std::vector<Group> groups = ModuleGroups(scenario).all();
    NetworkScenario one = scenario;
    double most = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        one.frame = groups[i].frame;
        one.front_end = groups[i].front_end;
        most = std::max(most, rates.of_groups[i] * link_seconds(one));
    }
    return most;
}

std::optional<Repetition> find_repetition(Engine& engine, NetworkScenario scenario, std::int64_t most) {
    if (!draws_nothing(scenario) || !sends_before_next(scenario)) return std::nullopt;
    constexpr std::int64_t kLongest = 1'000'000;
    most = std::min(most, kLongest);
    scenario.trigger.duration.reset();
    const std::int64_t turns = turns_of(scenario.builders);
    if (turns > 1)
        if (const auto all = find_repeated_round(engine, scenario, most)) return all;
    for (std::int64_t events = 4;; events = std::min(8 * events, most)) {
        scenario.trigger.events = events;
        const Outcome outcome = engine.run(scenario);
        const std::int64_t again = outcome.first_idle_event;
        // With builders in turn it must be the first one's turn again.
        if (again != 0 && (again - 1) % turns == 0)
            return Repetition{again - 1, std::count_if(outcome.incomplete.begin(), outcome.incomplete.end(),
                                                       [&](const auto& each) { return each.event < again; })};
        if (events >= most) return std::nullopt;
    }
}

double longest_time(const NetworkScenario& scenario) {
    double longest = 0;
    const auto consider = [&](const Trigger& trigger) {
        const SuperposedBursts& burst = trigger.burst;
        longest = std::max({longest, 1 / in_hertz(trigger.rate), in_seconds(trigger.dead_time)});
        if (burst.events == 0) return;
        const double wait = burst.rate.count == 0 ? in_seconds(burst.period) : 1 / in_hertz(burst.rate);
        longest = std::max(longest, wait + in_seconds(burst.separation) * static_cast<double>(burst.events));
    };
    for (const Group& group : ModuleGroups(scenario).all()) {
        consider(group.trigger.value_or(scenario.trigger));
        for (const Time skew : group.front_end.skew) longest = std::max(longest, in_seconds(skew));
    }
    return longest;
}

IncompleteCounts count_incomplete_in(Engine& engine, const NetworkScenario& scenario, double seconds, double warm_up,
                                     std::uint64_t replication) {
    NetworkScenario one = scenario;
    one.seed = random_bits(scenario.seed, Stream::Replication, replication);
    // The window begins anywhere in a period, and what comes after it still disturbs its last events.
    const double longest = longest_time(scenario);
    const Time from = time_of_seconds(warm_up) + Time{uniform_up_to(random_bits(one.seed, Stream::GroupTrigger, 0, 2),
                                                                    time_of_seconds(longest).count())},
               until = from + time_of_seconds(seconds);
    const auto end = [&](Trigger& trigger) {
        trigger.events.reset();
        trigger.duration = until + time_of_seconds(longest);
    };
    end(one.trigger);
    for (Group& group : one.groups) {
        Time phase{0};
        if (const Trigger& trigger = group.trigger ? *group.trigger : one.trigger;
            is_out_of_step(group) && is_fixed(trigger)) {
            const std::uint64_t lot = random_bits(one.seed, Stream::GroupTrigger, hash_of_name(group.name), 1);
            const std::int64_t period = std::max<std::int64_t>(1, periodic_time(trigger.rate, 1).count());
            phase = Time{uniform_up_to(lot, period - 1)};
        }
        if (group.trigger) {  // events count in the order of the times at which they come
            end(*group.trigger);
            TriggerTrain train = train_of(group, one);
            Trigger later;
            later.pattern = Pattern::File;
            while (const auto time = train.next()) later.times.push_back(*time + phase);
            group.trigger = std::move(later);
        } else if (phase != Time{0}) {
            if (group.front_end.skew.empty()) group.front_end.skew = {Time{0}};
            for (Time& skew : group.front_end.skew) skew += phase;
        }
    }
    EventTrain train(one);
    std::int64_t passed = 0, counted = 0;
    while (const auto event = train.next()) {
        passed += event->time < from;
        counted += event->time >= from && event->time < until;
    }
    Outcome outcome = engine.run(one);
    const auto behind = std::find_if(outcome.incomplete.begin(), outcome.incomplete.end(),
                                     [&](const auto& each) { return each.event > passed + counted; });
    outcome.incomplete.erase(behind, outcome.incomplete.end());
    return counts_of(outcome, std::max<std::int64_t>(1, counted), passed);
}

}  // namespace watershed
