// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/scenario.h"

namespace watershed {

/// The trigger rates in a CSV table with the columns time_s and rate_hz: two rows or more, ascending, the first at 0.
/// @param largest_step  rows further apart are refused as a gap, if given
/// @throws InputError naming file, line and column
std::vector<RatePoint> read_rate_profile(const std::string& file, const std::optional<Time>& largest_step);

}  // namespace watershed
