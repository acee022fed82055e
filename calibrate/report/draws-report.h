// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "calibrate/fit/fit.h"

/// Joint draws of a fit as a table, for programs that judge posteriors.
namespace watershed {

/// Number of joint draws in a file.
constexpr std::size_t kDraws = 2000;

/// Returns true for a file of draws in netCDF, false in CSV.
/// @throws InputError if the name ends in neither .csv nor .nc, and for .nc if the library is missing
bool is_netcdf(const std::string& file);

/// Returns the file's content: a line for each draw and comments that say what the columns are, or netCDF-4 with the
/// groups of ArviZ' InferenceData.
/// @throws InputError if the fit has no draws
std::string draws_text(const Fit& fit, bool netcdf);

}  // namespace watershed
