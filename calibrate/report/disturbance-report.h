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

/// "1.04 % of the frames are lost at random (95 %: 0.91 to 1.19)", where no plain memory explains the bursts without
/// it: their depth holds only beside it. Empty where such a loss is not likely.
std::string loss_beside(const ModelFit& one);

/// "the depth grows by 9.1 % from the first row to the last, ": what further laws say in the first line where they are
/// likely.
std::string further_laws_in_headline(const ModelFit& one);

}  // namespace watershed
