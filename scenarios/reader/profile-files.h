// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/reader/switch-check.h"

namespace watershed {

struct PayloadShare;
struct RatePoint;

/// The payloads of fragments in a CSV table with the columns payload_bytes and weight, both whole numbers of 1 or more.
/// @throws InputError naming file, line and column
std::vector<PayloadShare> read_payloads(const std::string& file);

/// The trigger rates in a CSV table with the columns time_s and rate_hz: two rows or more, ascending, the first at 0.
/// @param largest_step  rows further apart are refused as a gap, if given
/// @throws InputError naming file, line and column
std::vector<RatePoint> read_rate_profile(const std::string& file, const std::optional<Time>& largest_step);

/// The trigger times in a text file: one a line, with units, ascending; `#` begins a comment. @throws InputError
std::vector<Time> read_trigger_times(const std::string& file);

/// The file that a key names, relative to the scenario's unless --set names it.
/// @param name  as the key has it @param file  of the scenario
std::string named_file(const std::string& name, const std::string& key, const std::string& file, const Places& given);

}  // namespace watershed
