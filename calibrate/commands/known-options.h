// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/advice/advise.h"

/// What the command line of a calibration command says is known, is wanted, and can be set.
namespace watershed {

struct KnownOptions {
    std::string map;
    std::string columns;  ///< what its columns hold, if they have not the usual names
    std::string frames;   ///< which frames of its bursts are missing
    std::string scenario;
    std::vector<std::string> overrides, fixed, free, bounds;
    std::string rate = "nominal", counts = "auto";
    int jobs = 0;  ///< threads that compute at a time; 0: as many as processors
};

/// @throws InputError
Conditions conditions_of(const KnownOptions& options);
/// @throws InputError
FitOptions fit_options_of(const KnownOptions& options);

/// "2 %" of a burst's length, "2.5 frames" that are lost, or "0".
/// @throws std::invalid_argument
KnownNoise parse_noise(std::string_view text);

struct AdviceOptionTexts {
    std::string target = "depth";
    std::string precision = "1%", precision_option = "--precision", step = "10 ns", separations, events;
    std::string shortest_separation;
    std::int64_t longest_burst = Generator().longest;
    std::string ports, payloads, setup = "1 s";
    std::size_t points = 5;
};

/// Nothing where it is no number.
std::optional<double> ratio_in(std::string_view text);

/// A time above 0 that an option gives. @throws InputError
Time positive_time(const std::string& option, const std::string& text);

/// A share from a percentage: 0.01 from "1%". @throws InputError
double parse_precision(const std::string& option, const std::string& text);

/// @throws InputError
AdviceOptions advice_options_of(const AdviceOptionTexts& texts);

}  // namespace watershed
