// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

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

}  // namespace watershed
