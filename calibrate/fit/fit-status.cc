// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-status.h"

#include <algorithm>

#include "calibrate/fit/contradictions.h"

namespace watershed {
namespace {

/// Whether some model tells lossy from lossless bursts without exception; counts left out with single bursts do not
/// matter for this.
bool flags_explained(const Fit& fit, const MapReading& map) {
    return std::any_of(fit.models.begin(), fit.models.end(), [&](const ModelFit& one) {
        return one.feasible && (one.violating.empty() || map.region(one.model, map.flags).feasible());
    });
}

Estimate hard_limits_alone(const Interval& hard) { return {std::nullopt, hard, hard, hard}; }

}  // namespace

FitStatus status_of(const Fit& fit, const MapReading& map) {
    // Bursts of one outcome are no misfit by it, but numbers of lost frames may be.
    if (!fit.misfit.empty() && (fit.counts_used || !map.one_sided())) return FitStatus::Misfit;
    if (map.one_sided()) return FitStatus::Unbounded;
    if (flags_explained(fit, map) && (fit.counts_used || fit.best().feasible)) return FitStatus::Separated;
    return Contradictions(map).noisy(fit.best(), fit.counts_used) ? FitStatus::Overlap : FitStatus::Inconsistent;
}

void withdraw_untold_depths(std::vector<ModelFit>& kinds, const MapReading& map, bool counts_used) {
    for (ModelFit& one : kinds) {
        if (!map.one_sided()) continue;
        // Numbers of lost frames alone may still determine depth and rate.
        if (map.lossy == 0 || !(counts_used || map.peaks) || one.parameters.empty())
            one.depth = hard_limits_alone(one.depth.hard);
        else if (!one.depth.interval95.low || !one.depth.interval95.high)
            one.depth.value.reset();
    }
    // The line through numbers of lost frames may want less than a frame of memory: then it is none.
    for (ModelFit& one : kinds) {
        if (!one.depth.value || *one.depth.value >= 1) continue;
        one.depth = hard_limits_alone(one.depth.hard);
        one.support.clear();
    }
}

}  // namespace watershed
