// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "calibrate/fit/fit.h"

/// What counters of the memory told a fit.
namespace watershed {

/// A line; nothing where no counter was read.
void print_peaks(std::ostream& out, const Fit& fit);
nlohmann::json json_of_peaks(const Fit& fit);

}  // namespace watershed
