// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// By how many frames single counts scatter, in this share of what may be at most. The kind must have been sampled.
double scatter_at(const ModelFit& one, const std::vector<Burst>& bursts, double share);

/// Depth, rate and scatter, if counts scatter by more than what rounding to whole frames leaves.
std::optional<CountFit> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

}  // namespace watershed
