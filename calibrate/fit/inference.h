// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/map-reading.h"

namespace watershed {

/// Gives every kind of memory its posterior, with everything that may disturb; of kinds that are out of reach of the
/// best only where they fit best. Each kind must have been asked for the region that explains all bursts (`explain`).
/// @param to_the_frame some plain memory explains every count
void infer(std::vector<ModelFit>& kinds, const MapReading& map, bool to_the_frame);

}  // namespace watershed
