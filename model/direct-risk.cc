// SPDX-License-Identifier: GPL-2.0-only
#include "model/direct-risk.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>

#include "model/random.h"

namespace watershed {
namespace {

constexpr std::int64_t kBatches = 16;   // of a replication

/// The limits of Clopper and Pearson for k of n, which need not be whole numbers.
Bracket binomial_interval(double k, double n) {
    constexpr double kTail = 0.025;
    return {k > 0 ? boost::math::ibeta_inv(k, n - k + 1, kTail) : 0, k / n, k < n ? boost::math::ibetac_inv(k + 1, n - k, kTail) : 1};
}

}  // namespace

IncompleteCounts count_incomplete(Engine& engine, Scenario scenario, std::int64_t events, std::uint64_t replication) {
    scenario.trigger.events = events;
    scenario.trigger.duration.reset();
    scenario.seed = random_bits(scenario.seed, Stream::Replication, replication);
    const Outcome outcome = engine.run(scenario);

    constexpr std::int64_t kClose = 16;   // events; more than lie between two losses while a memory stays full
    IncompleteCounts counts;
    counts.events = events;
    counts.batches.resize(kBatches);
    std::int64_t last = -kClose, size = 0;
    const auto end_episode = [&] {
        counts.episodes += size > 0;
        counts.squares += static_cast<double>(size) * static_cast<double>(size);
        size = 0;
    };
    for (const auto& incomplete : outcome.incomplete) {
        if (incomplete.event - last >= kClose) end_episode();
        last = incomplete.event;
        ++size;
        ++counts.batches[static_cast<std::size_t>(static_cast<Wide>(incomplete.event - 1) * kBatches / events)];
    }
    end_episode();
    return counts;
}

Bracket loss_probability(const std::vector<IncompleteCounts>& replications) {
    double events = 0, incomplete = 0, squares = 0, batches = 0;
    for (const IncompleteCounts& each : replications) {
        events += static_cast<double>(each.events);
        squares += each.squares;
        for (const std::int64_t batch : each.batches) incomplete += static_cast<double>(batch);
        batches += static_cast<double>(each.batches.size());
    }
    if (incomplete == 0) return binomial_interval(0, events);
    const double p = incomplete / events, mean = incomplete / batches;
    double scatter = 0;
    for (const IncompleteCounts& each : replications)
        for (const std::int64_t batch : each.batches) scatter += (static_cast<double>(batch) - mean) * (static_cast<double>(batch) - mean);
    const double between = p < 1 ? scatter / (batches - 1) / (mean * (1 - p)) : 1;
    constexpr double kMany = 5;   // in a batch: then the scatter between batches is known well, and episodes run into one another
    const double within = mean < kMany ? squares / incomplete : 1;
    const double design = std::clamp(std::max(between, within), 1.0, incomplete);
    Bracket interval = binomial_interval(incomplete / design, events / design);
    interval.estimate = p;
    return interval;
}

}  // namespace watershed
