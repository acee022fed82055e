// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "calibrate/fit/fit.h"

/// A fit as a table to read and as JSON.
namespace watershed {

nlohmann::json to_json(const Fit& fit);
void print(std::ostream& out, const Fit& fit);

}  // namespace watershed
