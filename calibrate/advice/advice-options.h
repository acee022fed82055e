// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "calibrate/advice/advise.h"

/// What the command line says about the wanted result and the pulse generator.
namespace watershed {

struct AdviceOptionTexts {
    std::string target = "depth";
    std::string precision = "1%", precision_option = "--precision";
    std::string step = "10 ns";
    std::string separations;
    std::string events;
    std::string shortest_separation;
    std::int64_t longest_burst = Generator().longest;
    std::string ports;
    std::string payloads;
    std::string setup = "1 s";
    std::size_t points = 5;
};

/// A time above 0 that an option gives. @throws InputError
Time positive_time(const std::string& option, const std::string& text);

/// A share from a percentage: 0.01 from "1%". @throws InputError
double parse_precision(const std::string& option, const std::string& text);

/// @throws InputError
AdviceOptions advice_options_of(const AdviceOptionTexts& texts);

}  // namespace watershed
