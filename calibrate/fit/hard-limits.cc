// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/hard-limits.h"

#include <algorithm>
#include <cmath>

namespace watershed {

namespace {

/// The estimate and the ends of its intervals.
void keep_within_hard_limits(Estimate& estimate) {
    const Interval& hard = estimate.hard;
    for (auto* const end : {&estimate.value, &estimate.interval68.low, &estimate.interval68.high,
                            &estimate.interval95.low, &estimate.interval95.high})
        if (*end)
            *end = std::clamp(**end, hard.low.value_or(**end),
                              std::max(hard.low.value_or(**end), hard.high.value_or(**end)));
}

}  // namespace

void meet_hard_limits(ModelFit& named, const MapReading& map, bool to_the_frame) {
    if (!named.feasible) return;
    for (Estimate* const each : {&named.depth, &named.rate}) {
        if (map.no_noise())
            widen(each->hard, each->interval95);
        else if (to_the_frame)
            keep_within_hard_limits(*each);
    }
}

void HardLimits::set(ModelFit& one, bool in_reach) const {
    if (one.feasible && to_the_frame_ && !map_.no_noise()) {
        std::vector<Burst> bursts = map_.bursts;
        for (Burst& burst : bursts) burst.tolerance = 1;
        const FeasibleRegion wider = map_.region(one.model, bursts);
        if (wider.feasible()) one.region = wider;
    } else if (!one.feasible && in_reach) {
        contradictions_.remove(one);
    }
    take_region(one);
}

void HardLimits::take_region(ModelFit& one) {
    one.depth.hard = one.rate.hard = {};
    if (!one.region.feasible()) return;
    one.depth.hard.low = static_cast<double>(one.region.depth_low);
    one.rate.hard.low = one.region.rate_low;
    if (!one.region.depth_open) one.depth.hard.high = static_cast<double>(one.region.depth_high);
    if (!one.region.rate_open) one.rate.hard.high = one.region.rate_high;
}

void HardLimits::reconcile(ModelFit& one) const {
    for (Estimate* const each : {&one.depth, &one.rate}) {
        Interval& hard = each->hard;
        const bool inside =
            !each->value || ((!hard.low || *each->value >= *hard.low) && (!hard.high || *each->value <= *hard.high));
        if (one.feasible && map_.no_noise()) {
            keep_within_hard_limits(*each);
        } else if (to_the_frame_ && one.feasible) {
            widen(hard, each->interval95);
            // Where an interval is open, a limit that the estimate itself is beyond is none.
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
