// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

/// What the command line of a calibration command says is known.
namespace watershed {

struct KnownOptions {
    std::string map;
    std::string columns;  ///< what its columns hold, if they have not the usual names
    std::string frames;   ///< which frames of its bursts are missing
    std::string scenario;
    std::vector<std::string> overrides;
    std::vector<std::string> fixed;
    std::vector<std::string> free;
    std::vector<std::string> bounds;
    std::string rate = "nominal";
    std::string counts = "auto";
    int jobs = 0;  ///< threads that compute at a time; 0: as many as processors
};

/// @throws InputError
Conditions conditions_of(const KnownOptions& options);
/// @throws InputError
FitOptions fit_options_of(const KnownOptions& options);

}  // namespace watershed
