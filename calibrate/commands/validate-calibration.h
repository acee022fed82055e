// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace watershed {

/// A part of the study of the fit's calibration: how often intervals hold what simulated switches truly have, beside
/// what they promise.
/// @param campaigns of each cell of that part
std::vector<Comparison> compare_calibration(int campaigns);
std::vector<Comparison> validate_calibration(const Validation& validation);

}  // namespace watershed
