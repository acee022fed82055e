// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/candidates.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// Gives every kind of memory its posterior, with everything that may disturb; of kinds that are out of reach of the
/// best only where they fit best. Each kind must have been asked for the region that explains all bursts (`explain`).
/// @param to_the_frame some plain memory explains every count
void infer(std::vector<ModelFit>& kinds, const MapReading& map, bool to_the_frame);

/// What plain memories do not explain, one with a resume level, descriptors, ... may: the kinds that do so, with their
/// fits; none where plain memories do well.
std::vector<ModelFit> kinds_with_features(const Fit& fit, const MapReading& map);

}  // namespace watershed
