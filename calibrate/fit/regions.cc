// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/regions.h"

#include <algorithm>
#include <cmath>

#include "calibrate/fit/estimate.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {
namespace {

/// Of the prior, as the posterior with noise takes it: each depth as likely per factor.
double log_share_of_prior(const FeasibleRegion& region, const SearchBox& box) {
    const double share = std::log(std::max(region.share, 1e-300));
    if (box.depth_high <= box.depth_low) return share;
    const double depths = static_cast<double>(box.depth_high - std::max<std::int64_t>(1, box.depth_low) + 1),
                 middle = static_cast<double>(region.depth_low + region.depth_high) / 2;
    const LogDepths prior(box);
    return share + std::log(depths / (middle * (prior.high - prior.low)));
}

}  // namespace

bool explain(std::vector<ModelFit>& kinds, const MapReading& map, const std::vector<Burst>& bursts) {
    bool any = false;
    for (ModelFit& one : kinds) {
        one.region = map.region(one.model, bursts);
        one.feasible = one.region.feasible();
        any |= one.feasible;
        if (!one.feasible) continue;
        one.log_evidence = log_share_of_prior(one.region, map.box(one.model));
        one.support.clear();
        estimate_from_region(one, seen_by(one.model, bursts));
    }
    return any;
}

bool explain_counts(std::vector<ModelFit>& kinds, const MapReading& map) {
    if (!explain(kinds, map, map.bursts)) return false;
    for (ModelFit& one : kinds) {
        if (!one.feasible) continue;
        const std::vector<Burst> seen = seen_by(one.model, map.bursts);
        one.undisturbed = one.log_evidence += log_evidence_of_excess(one, seen);
        one.by_closed_form = explains_by_closed_form(one, seen);
    }
    return true;
}

}  // namespace watershed
