// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

/// What disturbs bursts beside the memory, as the report of a fit says it.
namespace watershed {

nlohmann::json to_json(const std::vector<Disturbance>& disturbances);

/// A line for each that is known or likely, with what it means for the depth, and one for the others.
void print(std::ostream& out, const std::vector<Disturbance>& disturbances);

}  // namespace watershed
