// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/map-reading.h"

namespace watershed {

/// What plain memories do not explain, one with a resume level, descriptors, ... may: the kinds that do so, with their
/// fits; none where plain memories do well.
std::vector<ModelFit> kinds_with_features(const Fit& fit, const MapReading& map);

}  // namespace watershed
