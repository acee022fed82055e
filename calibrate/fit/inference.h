// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <vector>

#include "calibrate/fit/map-reading.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// What the kinds that were fitted before make of the map: kinds that are far from it need not be sampled.
struct Reached {
    double log_likelihood = -HUGE_VAL;  ///< the largest
    double log_evidence = -HUGE_VAL;    ///< the same, with the kind's odds
};

/// A kind of memory that is to be fitted, and where its parameters may lie.
struct KindToFit {
    ModelFit fit;
    std::vector<BurstParameters> hints;
};

/// Depth and rate in the middle of the region that explains bursts, or where fewest contradict; none where that is no
/// memory at all.
std::vector<BurstParameters> places_of(const QueueModel& model, const std::vector<Burst>& bursts,
                                       const FeasibleRegion& region, const MapReading& map);

/// Gives every kind of memory its posterior, with everything that may disturb; of kinds that are out of reach of the
/// best only where they fit best. Each kind must have been asked for the region that explains all bursts (`explain`).
/// @param to_the_frame some plain memory explains every count
void infer(std::vector<ModelFit>& kinds, const MapReading& map, bool to_the_frame);

/// The same of memories with a feature: those that make more of the map than what was reached.
std::vector<ModelFit> infer_with_feature(std::vector<KindToFit> kinds, const MapReading& map, const Reached& reached);

}  // namespace watershed
