// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

/// The fit of a map that is still being measured.
namespace watershed {

struct FitSoFar {
    std::optional<Fit> fit;     ///< nothing where no row can be used yet
    std::vector<Burst> bursts;  ///< of all rows, those set aside among them
    std::vector<RowSetAside> set_aside;
};

/// A campaign goes on where its first bursts came late: then there is no fit, and that is no error.
FitSoFar fit_so_far(const LossMap& map, const Conditions& conditions, const FitOptions& options);

/// The map that these bursts were read from.
LossMap map_of(const std::vector<Burst>& bursts, const std::string& source);

}  // namespace watershed
