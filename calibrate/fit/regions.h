// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/map-reading.h"

/// Depths and rates that explain every burst, for each kind of memory.
namespace watershed {

/// Gives each kind its region of these bursts, and where there is one evidence and estimates, as if nothing disturbed
/// any burst. @return whether a kind explains them all
bool explain(std::vector<ModelFit>& kinds, const MapReading& map, const std::vector<Burst>& bursts);

/// The same of every number of lost frames; the evidence is also that of what memories of inputs lose beyond the closed
/// form.
bool explain_counts(std::vector<ModelFit>& kinds, const MapReading& map);

}  // namespace watershed
