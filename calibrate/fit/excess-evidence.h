// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/fit.h"

namespace watershed {

/// Logarithm of the probability of the losses beyond the closed form, on average over the region of `one`: nine in ten
/// random bursts of queues per input had none. Other memories have no such losses: 0.
/// @param bursts  as the model sees them; each is explained somewhere in the region
double log_evidence_of_excess(const ModelFit& one, const std::vector<Burst>& bursts);

}  // namespace watershed
