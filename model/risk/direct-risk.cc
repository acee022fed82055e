// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/direct-risk.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "model/base/frame.h"
#include "model/base/random.h"
#include "model/base/timestamp.h"
#include "model/exact/exact-engine.h"
#include "model/frontend/trigger.h"
#include "model/network/network-load.h"
#include "model/risk/camera-queue.h"

namespace watershed {
namespace {

constexpr std::int64_t kBatches = 16;  // batches of a replication
constexpr double kTail = 0.025;

NetworkScenario replicated(NetworkScenario scenario, std::int64_t events, std::uint64_t replication) {
    scenario.trigger.events = events;
    scenario.trigger.duration.reset();
    scenario.seed = random_bits(scenario.seed, Stream::Replication, replication);
    return scenario;
}

/// Returns the time between two events of a burst that front ends send without pause.
Time closest(const NetworkScenario& scenario) {
    const Bytes fragment = wire_of_fragment(scenario.frame);
    return std::max(scenario.trigger.dead_time,
                    Time{TransmissionTime::of(fragment, scenario.front_end.link_rate).floor()});
}

/// Returns the triggers after a burst that has filled the memory.
NetworkScenario after_filling(NetworkScenario scenario, std::int64_t filling) {
    const Time apart = closest(scenario);
    std::vector<Time> times;
    for (std::int64_t i = 0; i < filling; ++i) times.push_back(apart * i);
    TriggerTrain train(scenario.trigger, scenario.seed);
    while (const auto time = train.next()) times.push_back(apart * filling + *time);
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::File;
    scenario.trigger.times = std::move(times);
    return scenario;
}

/// Returns how many events in a row fill the memory so that the last one loses frames; 0 if no number does,
/// std::nullopt if more than `most` would be needed.
std::optional<std::int64_t> events_to_fill(Engine& engine, NetworkScenario scenario, std::int64_t most) {
    const Time apart = closest(scenario);
    scenario.trigger = Trigger{};
    scenario.trigger.separation = apart;
    for (std::int64_t events = 64; events <= most; events *= 4) {
        scenario.trigger.events = events;
        const Outcome outcome = engine.run(scenario);
        if (!outcome.incomplete.empty()) return outcome.incomplete.front().event;
        if (outcome.first_idle_event != 0) return 0;  // each event leaves before the next
    }
    return std::nullopt;
}

/// Returns the variance of sums over that of as many independent events.
double design_effect(const std::vector<double>& sums, double p) {
    const auto n = static_cast<double>(sums.size());
    double mean = 0, scatter = 0;
    for (const double sum : sums) mean += sum / n;
    for (const double sum : sums) scatter += (sum - mean) * (sum - mean);
    return p < 1 && mean > 0 ? scatter / (n - 1) / (mean * (1 - p)) : 1;
}

/// Returns the factor by which a variance known from few independent values is to be enlarged: the square of Student's
/// quantile over the normal one.
double enlargement(double values) {
    constexpr double kNormal = 1.959964;  // 97.5 %
    if (values < 2) return std::numeric_limits<double>::infinity();
    const double student = quantile(complement(boost::math::students_t(values - 1), kTail));
    return student * student / (kNormal * kNormal);
}

}  // namespace

Enclosure binomial_interval(double k, double n) {
    return {k > 0 ? boost::math::ibeta_inv(k, n - k + 1, kTail) : 0, k / n,
            k < n ? boost::math::ibetac_inv(k + 1, n - k, kTail) : 1};
}

IncompleteCounts counts_of(const Outcome& outcome, std::int64_t events, std::int64_t passed) {
    constexpr std::int64_t kClose = 16;  // events; more than lie between two losses while a memory stays full
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
        const std::int64_t event = incomplete.event - passed;
        if (event < 1) continue;
        if (event - last >= kClose) end_episode();
        last = event;
        ++size;
        ++counts.batches[static_cast<std::size_t>(static_cast<Wide>(event - 1) * kBatches / events)];
    }
    end_episode();
    return counts;
}

IncompleteCounts count_incomplete(Engine& engine, const NetworkScenario& scenario, std::int64_t events,
                                  std::uint64_t replication, const InitialCondition& beginning) {
    NetworkScenario begun = replicated(scenario, beginning.warm_up + events, replication);
    if (beginning.filling > 0) begun = after_filling(begun, beginning.filling);
    return counts_of(engine.run(begun), events, beginning.filling + beginning.warm_up);
}

InitialTransient find_initial_transient(Engine& engine, const NetworkScenario& scenario, std::int64_t most) {
    constexpr std::uint64_t kTries = 4, kSafety = 4;
    constexpr std::uint64_t kFirst = std::uint64_t{1} << 62;  // replications of its own
    InitialTransient result;
    // A stable queue relaxes within 4 / (1 - load)^2 events, whatever the memory's depth (Cohen, 1982, III.7.3); this
    // is ten times as long.
    const double load = fullest_link(scenario, Network(scenario), accepted_rate(scenario.trigger)).load;
    if (const double events = 40 / ((1 - load) * (1 - load)); load < 1 && events <= static_cast<double>(most)) {
        result.events = std::max<std::int64_t>(256, std::llround(events));
        return result;
    }
    // Whatever is wanted, filling may take so much work.
    constexpr double kFillingCost = 8e6;
    const std::int64_t most_filling = std::max(most, static_cast<std::int64_t>(kFillingCost / cost_of_event(scenario)));
    const std::optional<std::int64_t> filling = events_to_fill(engine, scenario, most_filling);
    if (!filling) {
        // A memory that so many events do not fill is out of reach of a queue that relaxes in far fewer.
        constexpr double kFar = 40;
        result.events = most;
        result.settled = (1 - load) * static_cast<double>(most_filling) > kFar;
        return result;
    }
    result.filling = *filling;
    for (result.events = std::min<std::int64_t>(256, most);; result.events = std::min(4 * result.events, most)) {
        const auto forgets = [&](std::uint64_t i) {
            const NetworkScenario from_empty = replicated(scenario, result.events, kFirst + i);
            const Outcome low = engine.run(from_empty);
            if (!low.incomplete.empty()) return true;
            if (result.filling == 0) return low.first_idle_event != 0;
            const std::int64_t idle = engine.run(after_filling(from_empty, result.filling)).first_idle_event;
            return idle > result.filling;
        };
        std::uint64_t i = 0;
        while (i < kTries && forgets(i)) ++i;
        result.settled = i == kTries;
        if (result.settled || result.events >= most) break;
    }
    if (result.settled) result.events *= kSafety;
    return result;
}

Enclosure loss_probability(const std::vector<IncompleteCounts>& replications) {
    double events = 0, incomplete = 0, episodes = 0, squares = 0;
    std::vector<double> batches, totals;  // short ones follow each other, and depend; totals of replications do not
    for (const IncompleteCounts& each : replications) {
        events += static_cast<double>(each.events);
        episodes += static_cast<double>(each.episodes);
        squares += each.squares;
        totals.push_back(0);
        for (const std::int64_t batch : each.batches) {
            batches.push_back(static_cast<double>(batch));
            totals.back() += batches.back();
        }
        incomplete += totals.back();
    }
    if (incomplete == 0) return binomial_interval(0, events);
    const double p = incomplete / events;
    constexpr double kMany =
        5;  // in a batch: then the scatter between batches is known well, and episodes run into one another
    constexpr std::size_t kEnough = 8;
    double design = std::max(1.0, design_effect(batches, p)), values = static_cast<double>(batches.size());
    if (incomplete / values < kMany) design = std::max(design, squares / incomplete), values = episodes;
    if (totals.size() >= kEnough) design = std::max(design, design_effect(totals, p));
    if (design > 1) design = std::min(design * enlargement(values), incomplete);
    Enclosure interval = binomial_interval(incomplete / design, events / design);
    interval.estimate = p;
    return interval;
}

}  // namespace watershed
