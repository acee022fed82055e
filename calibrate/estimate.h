// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit.h"

/// From feasible regions and count fits to numbers with intervals.
namespace watershed {

/// Fills estimates and support of `fit` from its region, every feasible pair equally likely.
void estimate_from_region(ModelFit& fit);

/// Fills them from its count fit; hard limits stay those of the region.
void estimate_from_counts(ModelFit& fit);

}  // namespace watershed
