// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/exact/engine.h"
#include "model/risk/direct-risk.h"

/// The chance that an event is incomplete where triggers come without end, but not at random alone: at a fixed rate,
/// with bursts on top, or from groups with triggers of their own.
namespace watershed {

/// Returns the first trigger of the scenario that comes to an end, or changes with time; an empty key if none does.
UnsupportedKey ending_trigger(const NetworkScenario& scenario);

/// Whether every trigger comes at random at one rate, and every module answers it.
bool is_random_alone(const NetworkScenario& scenario);

/// Whether groups whose triggers come at fixed times have phases to each other, which are drawn for each replication.
bool has_phases(const NetworkScenario& scenario);

/// Whether some group has a trigger of its own.
bool has_own_triggers(const NetworkScenario& scenario);

/// Whether all triggers come at a fixed rate, without bursts on top.
bool has_fixed_rates(const NetworkScenario& scenario);

/// Returns the number of triggers that end before half of what a Time holds, so that queues have room behind the last.
/// @param trigger  at random or regularly at one rate; dead time and rules, but for almost-full ones, may refuse
/// triggers
std::int64_t events_in_reach(const Trigger& trigger);

/// Mean rates of events, in Hz.
struct EventRates {
    double all = 0;
    std::vector<double> of_groups;  ///< events that each of ModuleGroups answers
};
EventRates event_rates(const NetworkScenario& scenario);

/// Returns the load of the links of the modules, of several groups the largest, pauses between frames included.
double link_load(const NetworkScenario& scenario);

/// Incomplete events of a time in which the same happens again and again.
struct Repetition {
    std::int64_t events = 0;
    std::int64_t incomplete = 0;
};
/// Follows a scenario in which nothing is drawn, and every module has sent all of an event at the next trigger, until
/// its switches are empty and idle at a trigger, as at the first: from then on all repeats. So it does with builders in
/// turn once two rounds lose the same frames, if a builder's output is idle whenever its turn comes.
/// @param most  events to follow at most, or two rounds
/// @return std::nullopt if something is drawn, modules send into the next event, or nothing shows that all repeats
std::optional<Repetition> find_repetition(Engine& engine, NetworkScenario scenario, std::int64_t most);

/// Returns the longest of the times, in seconds, after which a trigger, or bursts on top of it, come again, and of the
/// modules' delays: a run that is to tell a share lasts several of them.
double longest_time(const NetworkScenario& scenario);

/// Counts in a window of `seconds`, which begins after `warm_up` and a part of longest_time() that is drawn. Random
/// numbers are the replication's own; so are the phases of groups with fixed triggers or clocks of their own, uniform
/// up to the period of their trigger.
IncompleteCounts count_incomplete_in(Engine& engine, const NetworkScenario& scenario, double seconds, double warm_up,
                                     std::uint64_t replication);

}  // namespace watershed
