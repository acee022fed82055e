// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "scenarios/thresholds/threshold-table.h"

namespace watershed {

/// A list in the order of the rows.
nlohmann::ordered_json to_json(const std::vector<ThresholdResult>& results);
/// A line for each chip, and each row that is missed or not simulated.
void print(std::ostream& out, const std::vector<ThresholdResult>& results);

}  // namespace watershed
