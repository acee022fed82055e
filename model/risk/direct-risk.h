// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/exact/engine.h"
#include "model/risk/batch-queue.h"

/// The chance that an event is incomplete, by counting: simulate, and see how many are.
namespace watershed {

/// The incomplete events of a replication.
struct IncompleteCounts {
    std::int64_t events = 0;
    std::vector<std::int64_t> batches;  ///< incomplete events in each of equally many successive events
    std::int64_t episodes = 0;          ///< incomplete events that follow one another closely make one episode
    double squares = 0;                 ///< sum of the squares of the episodes' sizes
};

/// Beginning of a simulation.
struct InitialCondition {
    std::int64_t filling = 0;  ///< events as close as the front ends send them, which fill the memory; 0: it is empty
    std::int64_t warm_up = 0;  ///< events at random that are not counted
};

/// Returns the incomplete events of a run of which `events` count, after `passed` that do not.
IncompleteCounts counts_of(const Outcome& outcome, std::int64_t events, std::int64_t passed = 0);

/// Simulates `events` triggers of a scenario, with random numbers of its own for each replication. Constants of the
/// modules that come from the seed, such as skew, are drawn anew too.
IncompleteCounts count_incomplete(Engine& engine, const NetworkScenario& scenario, std::int64_t events,
                                  std::uint64_t replication, const InitialCondition& beginning = {});

/// The events that it takes until a memory no longer shows how it began.
struct InitialTransient {
    std::int64_t filling =
        0;  ///< events in a row that fill the memory; 0 if none do, more than could be tried, or nobody had to know
    std::int64_t events = 0;  ///< events of the warm-up
    bool settled = true;      ///< otherwise even so many are too few
};

/// Below saturation the time that a queue takes to relax is known. Elsewhere it looks from both sides: the same
/// triggers are run from an empty and from a full switch. Once the one has filled, or the other is empty and idle, the
/// two go on alike.
/// @param most  events at most
InitialTransient find_initial_transient(Engine& engine, const NetworkScenario& scenario, std::int64_t most);

/// Returns k of n and the limits of 95 % of Clopper and Pearson (1934), for numbers that need not be whole.
Enclosure binomial_interval(double k, double n);

/// Returns the probability of loss and its interval of 95 %. Incomplete events come in episodes, so that k of n tell as
/// much as k/D of n/D independent ones would, the design effect D being the variance between batches over the binomial
/// one, or that between replications, of which there are at least eight, if it is larger, and where losses are few at
/// least the mean square of an episode's size over its mean. Since D comes from few episodes or batches itself, it
/// grows by the square of Student's quantile over the normal one. The interval is Clopper and Pearson's (1934) for
/// these; Korn and Graubard (1998). Without a loss it reaches from 0 to the bound for events that are independent.
Enclosure loss_probability(const std::vector<IncompleteCounts>& replications);

}  // namespace watershed
