// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/set-aside.h"

#include <algorithm>
#include <cmath>

#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// At any service rate a lossless burst asks for a depth of at least some threshold, a lossy one for less.
struct Threshold {
    double depth = 0;
    bool lossy = false;
};

double threshold(const QueueModel& model, const Burst& burst, double rate) {
    const double frames = static_cast<double>(burst.fragments()) - burst.uplinks * burst.drain() * rate;
    const double least = model.pools() == QueueModel::Pools::Input
                             ? 1
                             : static_cast<double>(burst.ports) / static_cast<double>(model.memories(burst));
    return static_cast<double>(model.cost(burst)) *
           std::max(least, frames / static_cast<double>(model.memories(burst)));
}

struct Best {
    std::size_t violations = SIZE_MAX;
    double depth = 0;
    double rate = 0;
};

/// The depth with the fewest violations at this rate, by a sweep over all thresholds.
void improve(Best& best, const QueueModel& model, const std::vector<Burst>& bursts, double depth_low, double depth_high,
             double rate) {
    std::vector<Threshold> thresholds;
    thresholds.reserve(bursts.size());
    std::size_t violations = 0;  // at a depth below all thresholds every lossless burst is one
    for (const Burst& burst : bursts) {
        thresholds.push_back({std::max(depth_low, threshold(model, burst, rate)), burst.lossy});
        violations += !burst.lossy;
    }
    // A depth equal to a threshold is enough for lossless bursts and too much for lossy ones: between two thresholds
    // nothing changes.
    std::sort(thresholds.begin(), thresholds.end(),
              [](const Threshold& a, const Threshold& b) { return a.depth < b.depth; });
    const auto consider = [&](double depth) {
        if (violations < best.violations) best = {violations, depth, rate};
    };
    if (thresholds.front().depth > depth_low) consider(depth_low);
    for (std::size_t i = 0; i < thresholds.size() && thresholds[i].depth <= depth_high; ++i) {
        thresholds[i].lossy ? ++violations : --violations;
        const double here = thresholds[i].depth, next = i + 1 < thresholds.size() ? thresholds[i + 1].depth : HUGE_VAL;
        if (next > here) consider(next == HUGE_VAL ? here : (here + std::min(depth_high, next)) / 2);
    }
}

}  // namespace

std::vector<RowSetAside> set_aside_unusable(std::vector<Burst>& bursts) {
    std::vector<RowSetAside> aside;
    std::vector<Burst> kept;
    for (const Burst& burst : bursts) {
        if (burst.lateness && burst.events > 1 && *burst.lateness * 2 > burst.spacing)
            aside.push_back({burst.row, burst.line,
                             "a trigger came " + to_text(*burst.lateness) + " late, with " + to_text(burst.separation) +
                                 " between triggers"});
        else if (burst.outcome == Burst::Outcome::Untold)
            aside.push_back({burst.row, burst.line,
                             "nobody counted what arrived, and no peak tells whether the memory was full: the same "
                             "separation with fewer events, and with more, would tell"});
        else
            kept.push_back(burst);
    }
    bursts.swap(kept);
    return aside;
}

LeastContradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts,
                                       std::int64_t depth_low, std::int64_t depth_high, double rate_low,
                                       double rate_high) {
    // A sweep costs n log n: of large maps a sample finds the place.
    constexpr std::size_t kMostSwept = 2000;
    constexpr int kSteps = 300, kFiner = 75, kRefinements = 4;
    std::vector<Burst> swept;
    const std::size_t stride = bursts.size() / kMostSwept + 1;
    for (std::size_t i = 0; i < bursts.size(); i += stride) swept.push_back(bursts[i]);
    Best best;
    double low = rate_low, high = rate_high;
    for (int refinement = 0, steps = kSteps; refinement < kRefinements; ++refinement, steps = kFiner) {
        for (int i = 0; i <= steps; ++i)
            improve(best, model, swept, static_cast<double>(depth_low), static_cast<double>(depth_high),
                    low + (high - low) * i / steps);
        const double width = 4 * (high - low) / steps;
        low = std::max(rate_low, best.rate - width / 2);
        high = std::min(rate_high, best.rate + width / 2);
    }
    std::vector<std::pair<double, int>> misses;
    for (const Burst& burst : bursts) {
        const double inside =
            (best.depth - threshold(model, burst, best.rate)) / static_cast<double>(model.cost(burst));
        if (burst.lossy ? inside >= 0 : inside < 0) misses.emplace_back(std::abs(inside), burst.row);
    }
    std::sort(misses.begin(), misses.end());
    LeastContradiction found{{}, best.depth, best.rate};
    for (const auto& miss : misses) found.rows.push_back(miss.second);
    return found;
}

}  // namespace watershed
