// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "scenarios/validate/comparison.h"
#include "test/calibrate/study/calibration-study.h"

namespace watershed {

/// What intervals hold of the truths of these campaigns, beside what they promise.
std::vector<Comparison> compare_calibration(const calibration::Tally& all);

/// A part of the study of the fit's calibration: how often intervals hold what simulated switches truly have, beside
/// what they promise.
/// @param campaigns of each cell of that part
/// @param jobs      processes that share them; the result does not depend on it
std::vector<Comparison> compare_calibration(int campaigns, int jobs = 1);

}  // namespace watershed
