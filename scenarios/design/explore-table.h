// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace watershed {

/// A line for each way, without comments; risk is its upper bound.
/// @param ways  in JSON
std::string ways_as_csv(const nlohmann::ordered_json& ways);

/// The recommendation with its reason, the ways by their ranks, and why other switches are not first.
/// @param result  as explore writes it
/// @param rows    at most
std::string ways_as_table(const nlohmann::ordered_json& result, int rows);

}  // namespace watershed
