// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/quantities.h"

/// Lists on the command line: comma-separated values, or FIRST:LAST:COUNT (linear), or FIRST:LAST:COUNT:log.
namespace watershed {

/// "8.72us:38us:40"; values rounded to the picosecond. @throws InputError
std::vector<Time> parse_time_list(const std::string& option, const std::string& text);

/// "1:20000:40:log"; values rounded to whole numbers of at least 1, and each only once where rounding makes them equal.
/// @throws InputError
std::vector<std::int64_t> parse_count_list(const std::string& option, const std::string& text);

/// "1kHz:26kHz:26"; values rounded to the microhertz. @throws InputError
std::vector<Frequency> parse_frequency_list(const std::string& option, const std::string& text);

/// "1e-6,1e-9": probabilities above 0 and below 1, with commas. @throws InputError
std::vector<double> parse_probability_list(const std::string& option, const std::string& text);

}  // namespace watershed
