// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// By how many frames single counts scatter, in this share of what may be at most. The kind must have been sampled.
double scatter_at(const ModelFit& one, const std::vector<Burst>& bursts, double share);

/// The middle of that, if counts scatter by more than what rounding to whole frames leaves.
std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

}  // namespace watershed
