// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "scenarios/validate/comparison.h"

namespace watershed {

/// A part of the study of the fit's calibration: how often intervals hold what simulated switches truly have, beside
/// what they promise.
/// @param campaigns of each cell of that part
/// @param jobs      processes that share them; the result does not depend on it
std::vector<Comparison> compare_calibration(int campaigns, int jobs = 1);

}  // namespace watershed
