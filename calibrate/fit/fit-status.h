// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/map-reading.h"

namespace watershed {

/// How well thresholds tell lossy from lossless bursts, once the kind is chosen and judged.
FitStatus status_of(const Fit& fit, const MapReading& map);

/// Takes back depths that the map does not tell, but for their hard limits: those of maps that limit one side only, and
/// those of less than a frame.
void withdraw_untold_depths(std::vector<ModelFit>& kinds, const MapReading& map, bool counts_used);

}  // namespace watershed
