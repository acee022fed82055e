// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/advise.h"
#include "calibrate/commands/cli-option.h"

/// Options of calibration commands for the target and for settings of the generator.
namespace watershed {

struct AdviceOptionTexts {
    std::string target = "depth";
    std::string precision = "1%", precision_option = "--precision", step = "10 ns", separations, events;
    std::string shortest_separation;
    std::int64_t longest_burst = Generator().longest;
    std::string ports, payloads, setup = "1 s";
    std::size_t points = 5;
};

/// Parses a time above 0. @throws InputError that names `option`
Time positive_time(const std::string& option, const std::string& text);

/// Parses a percentage: 0.01 from "1%". @throws InputError that names `option`
double parse_precision(const std::string& option, const std::string& text);

/// Returns the options of an advice. @throws InputError
AdviceOptions advice_options_of(const AdviceOptionTexts& texts);

/// Adds --target, --precision, --step, --separation, --events, --shortest-separation, --longest-burst, --ports,
/// --payloads and --setup.
void add_advice_options(CLI::App& command, AdviceOptionTexts& texts);

}  // namespace watershed
