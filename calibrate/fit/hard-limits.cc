// SPDX-License-Identifier: GPL-2.0-only
#include <unordered_set>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// At any service rate a lossless burst asks for a depth of at least some threshold, a lossy one for less.
struct Threshold {
    double depth = 0;
    bool lossy = false;
};

double threshold(const QueueModel& model, const Burst& burst, double rate) {
    const double frames = double(burst.fragments()) - burst.uplinks * burst.drain() * rate;
    const double least =
        model.pools() == QueueModel::Pools::Input ? 1 : double(burst.ports) / double(model.memories(burst));
    return double(model.cost(burst)) * std::max(least, frames / double(model.memories(burst)));
}

struct Best {
    std::size_t violations = SIZE_MAX;
    double depth = 0, rate = 0;
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
    boost::sort(thresholds, [](const Threshold& a, const Threshold& b) { return a.depth < b.depth; });
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

/// Exceptions whose burst length is this close to the watershed, as a logarithm, may be noise.
constexpr double kNoise = 0.1;
/// Or within so many standard deviations of the noise that was fitted.
constexpr double kNoiseSigmas = 4;
/// And exceptions may be noise whose count misses by this share of the burst: near the asymptote few frames are many
/// events.
constexpr double kCountNoise = 0.01;
/// Nor those that what was fitted, noise, losses at random and other traffic, makes happen with this probability.
constexpr double kUnlikely = 1e-3;
/// Noise is no explanation where the exceptions are a larger share of the map, or where fewer than kFewestBursts others
/// are left.
constexpr double kMostExceptions = 0.3;
/// Rows that a contradictory map may cost are put back one by one up to this number.
constexpr std::size_t kMostPutBack = 100, kMostPutBackOfLarge = 2, kManyRows = 5000;

/// Whether the exceptions are few enough to be noise.
bool scattered(const ModelFit& one, const FitInput& map) {
    const std::size_t left = map.flags.size() - one.violating.size();
    return !map.no_noise() && left >= kFewestBursts && map.lossy > 0 && map.lossy < std::ptrdiff_t(map.flags.size()) &&
           double(one.violating.size()) <= kMostExceptions * double(map.flags.size());
}

/// Whether no exception of this model lies too far from its watershed to be noise, unless something predicts it.
bool within_noise(const ModelFit& one, const FitInput& map, bool counts_used) {
    double reach = map.options.noise ? 0 : kNoise;
    if (one.noise && one.noise->relative && one.noise->value)
        reach = std::max(reach, kNoiseSigmas * *one.noise->interval95.high);
    const std::set<int> exceptions(one.violating.begin(), one.violating.end());
    const SupportPoint at = one.likeliest.value_or(SupportPoint{*one.depth.value, *one.rate.value});
    const std::vector<Burst> bursts = seen_by(one.model, map.flags);
    const BurstLikelihood likelihood(one.model, bursts, one.mixes);
    const auto predicted = [&](std::size_t row) {
        double lossless = 0;
        for (const BurstParameters& parameters : one.parameters) lossless += likelihood.at_most(row, 0, parameters);
        lossless /= double(one.parameters.size());
        return (bursts[row].lossy ? 1 - lossless : lossless) > kUnlikely;
    };
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        const Burst& burst = bursts[i];
        if (exceptions.count(burst.row) == 0) continue;
        const auto drained = std::int64_t(burst.drain() * at.rate);
        const std::int64_t lost = frames_lost(one.model, burst, one.model.room(burst, std::int64_t(at.depth)), drained);
        if ((lost > 0) == burst.lossy) continue;  // only its number contradicts
        if (counts_used && !one.parameters.empty() && predicted(i) && !boost::binary_search(one.strays, burst.row))
            continue;
        if (counts_used && double(std::abs(burst.lost - lost)) <= kCountNoise * double(burst.fragments())) continue;
        const auto longest = longest_lossless(one.model, burst, burst.spacing, at.depth, at.rate);
        if (!longest || *longest <= 0 || std::abs(std::log(double(burst.events) / double(*longest))) > reach)
            return false;
    }
    return true;
}

/// The estimate and the ends of its intervals.
void keep_within_hard_limits(Estimate& estimate) {
    for (auto* const end : {&estimate.value, &estimate.interval68.low, &estimate.interval68.high,
                            &estimate.interval95.low, &estimate.interval95.high})
        if (*end) *end = within(estimate.hard, **end);
}

}  // namespace

LeastContradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts,
                                       const SearchBox& box) {
    // A sweep costs n log n: of large maps a sample finds the place.
    constexpr std::size_t kMostSwept = 2000;
    constexpr int kSteps = 300, kFiner = 75, kRefinements = 4;
    std::vector<Burst> swept;
    const std::size_t stride = bursts.size() / kMostSwept + 1;
    for (std::size_t i = 0; i < bursts.size(); i += stride) swept.push_back(bursts[i]);
    Best best;
    double low = box.rate_low, high = box.rate_high;
    for (int refinement = 0, steps = kSteps; refinement < kRefinements; ++refinement, steps = kFiner) {
        for (int i = 0; i <= steps; ++i)
            improve(best, model, swept, double(box.depth_low), double(box.depth_high), low + (high - low) * i / steps);
        const double width = 4 * (high - low) / steps;
        low = std::max(box.rate_low, best.rate - width / 2);
        high = std::min(box.rate_high, best.rate + width / 2);
    }
    std::vector<std::pair<double, int>> misses;
    for (const Burst& burst : bursts) {
        const double inside = (best.depth - threshold(model, burst, best.rate)) / double(model.cost(burst));
        if (burst.lossy ? inside >= 0 : inside < 0) misses.emplace_back(std::abs(inside), burst.row);
    }
    boost::sort(misses);
    return {transformed_values(misses, [](const auto& miss) { return miss.second; }), best.depth, best.rate};
}

std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows) {
    const std::unordered_set<int> out(rows.begin(), rows.end());
    std::vector<Burst> kept;
    for (const Burst& burst : bursts)
        if (out.count(burst.row) == 0) kept.push_back(burst);
    return kept;
}

void remove_contradictions(ModelFit& one, const FitInput& map) {
    one.violating = least_contradiction(one.model, seen_by(one.model, map.flags), map.box(one.model)).rows;
    one.region = map.region(one.model, without(map.flags, one.violating));
    for (std::size_t i = 0, trials = 0; one.region.feasible() && i < one.violating.size() &&
                                        trials < (map.flags.size() > kManyRows ? kMostPutBackOfLarge : kMostPutBack);
         ++trials) {
        std::vector<int> fewer = one.violating;
        fewer.erase(fewer.begin() + std::ptrdiff_t(i));
        FeasibleRegion region = map.region(one.model, without(map.flags, fewer), true);
        if (region.feasible()) {
            one.violating.swap(fewer);
            one.region = std::move(region);
        } else {
            ++i;
        }
    }
    boost::sort(one.violating);
}

bool are_noise(const ModelFit& one, const FitInput& map, bool counts_used) {
    // A fit to counts predicts the exceptions or does not, however few the bursts are.
    const bool sampled = counts_used && !one.parameters.empty() && !map.no_noise();
    return (sampled || scattered(one, map)) && one.depth.value && one.rate.value && within_noise(one, map, counts_used);
}

void widen_hard_limits(ModelFit& named, const FitInput& map) {
    if (named.feasible && map.no_noise())
        for (Estimate* const each : {&named.depth, &named.rate}) widen(each->hard, each->interval95);
}

void set_hard_limits(ModelFit& one, const FitInput& map, bool in_reach) {
    if (one.feasible && !map.no_noise() && (map.to_the_frame || map.rounding > Time{0})) {
        std::vector<Burst> bursts = map.to_the_frame ? map.bursts : map.flags;
        for (Burst& burst : bursts) burst.tolerance = map.to_the_frame;
        const FeasibleRegion wider = map.region(one.model, map.with_rounding(bursts, one.region.rate_high));
        if (wider.feasible()) one.region = wider;
    } else if (!one.feasible && in_reach) {
        remove_contradictions(one, map);
    }
    take_hard_limits(one);
}

void take_hard_limits(ModelFit& one) {
    one.depth.hard = one.rate.hard = {};
    if (!one.region.feasible()) return;
    one.depth.hard.low = double(one.region.depth_low);
    one.rate.hard.low = one.region.rate_low;
    if (!one.region.depth_open) one.depth.hard.high = double(one.region.depth_high);
    if (!one.region.rate_open) one.rate.hard.high = one.region.rate_high;
}

void reconcile_hard_limits(ModelFit& one, const FitInput& map) {
    if (map.held_up(one.rate.value.value_or(0))) one.depth.hard = one.rate.hard = {};
    for (Estimate* const each : {&one.depth, &one.rate}) {
        Interval& hard = each->hard;
        const bool inside =
            !each->value || ((!hard.low || *each->value >= *hard.low) && (!hard.high || *each->value <= *hard.high));
        if (one.feasible && map.no_noise()) {
            keep_within_hard_limits(*each);
        } else if (map.to_the_frame && one.feasible) {
            widen(hard, each->interval95);
            // If an interval is open, a limit that the estimate itself is beyond is none.
            if (each->value && hard.low && *each->value < *hard.low) hard.low.reset();
            if (each->value && hard.high && *each->value > *hard.high) hard.high.reset();
        } else if (!inside && one.feasible && meet(hard, each->interval95)) {
            each->value = std::max(hard.low.value_or(0), std::min(*each->value, hard.high.value_or(HUGE_VAL)));
            for (Interval* const interval : {&each->interval68, &each->interval95})
                widen(*interval, {each->value, each->value});
        } else if (!inside) {
            one.depth.hard = one.rate.hard = {};
        }
    }
}

}  // namespace watershed
