// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/batch-queue.h"
#include "model/engine.h"

/// The chance that an event is incomplete, by counting: simulate, and see how many are.
namespace watershed {

/// What a replication gives.
struct IncompleteCounts {
    std::int64_t events = 0;
    std::vector<std::int64_t> batches;   ///< incomplete events in each of equally many successive events
    std::int64_t episodes = 0;           ///< incomplete events that follow one another closely make one episode
    double squares = 0;                  ///< sum of the squares of the episodes' sizes
};

/// Simulates `events` triggers of a scenario, with random numbers of its own for each replication. Constants of the modules that
/// come from the seed, such as skew, are drawn anew too.
IncompleteCounts count_incomplete(Engine& engine, Scenario scenario, std::int64_t events, std::uint64_t replication);

/// The probability and its interval of 95 %. Incomplete events come in episodes, so that k of n tell as much as k/D of n/D independent
/// ones would, the design effect D being the variance between batches over the binomial one, and where losses are few at least the
/// mean square of an episode's size over its mean. The interval is Clopper and Pearson's (1934) for these; Korn and Graubard (1998).
/// Without a loss it reaches from 0 to the bound for events that are independent.
Bracket loss_probability(const std::vector<IncompleteCounts>& replications);

}  // namespace watershed
