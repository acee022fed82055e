// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

/// What in a loss map is likely a slip of its writer, though it can be read.
namespace watershed {

/// Columns that resemble a known one, and, where a scenario is given, separations that are off by a factor near 1000:
/// far below a frame's time on its link, so that no trigger can be answered, or so far above the time that the uplink
/// needs for an event that none can lose.
std::vector<std::string> warnings_of(const LossMap& map, const Conditions& conditions);

/// Of the fitted service rate beside the scenario's: a factor near 1000, or near 8 as between bits and bytes.
std::vector<std::string> warnings_of(const Fit& fit);

/// Says them on standard error.
void warn_of(const std::vector<std::string>& doubts);

}  // namespace watershed
