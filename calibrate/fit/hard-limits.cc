// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/hard-limits.h"

#include <algorithm>
#include <cmath>

namespace watershed {
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
            for (auto* const end : {&each->value, &each->interval68.low, &each->interval68.high, &each->interval95.low,
                                    &each->interval95.high})
                if (*end)
                    *end = std::clamp(**end, hard.low.value_or(**end),
                                      std::max(hard.low.value_or(**end), hard.high.value_or(**end)));
        } else if (to_the_frame_ && one.feasible) {
            if (hard.low && each->interval95.low) hard.low = std::min(*hard.low, *each->interval95.low);
            if (hard.high && each->interval95.high) hard.high = std::max(*hard.high, *each->interval95.high);
            // Where an interval is open, a limit that the estimate itself is beyond is none.
            if (each->value && hard.low && *each->value < *hard.low) hard.low.reset();
            if (each->value && hard.high && *each->value > *hard.high) hard.high.reset();
        } else if (!inside && one.feasible && meet(hard, each->interval95)) {
            each->value = std::max(hard.low.value_or(0), std::min(*each->value, hard.high.value_or(HUGE_VAL)));
        } else if (!inside) {
            one.depth.hard = one.rate.hard = {};
        }
    }
}

}  // namespace watershed
