// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/design/explore.h"

/// What `watershed explore` says: JSON first, from which its other forms are made.
namespace watershed {

/// One way. Unknown numbers are null.
nlohmann::ordered_json to_json(const Explored& way);

/// The stacking that to_json() told of.
/// @param modules  of the camera
Stacking stacking_of(const nlohmann::ordered_json& way, int modules);

/// Why a way that is not feasible is not, as the end of a sentence about several: "do not have the ports".
const char* reason_of(const Explored& way);

/// How many ways fell out for each reason, of those in JSON.
std::map<std::string, std::int64_t> reasons_of(const nlohmann::ordered_json& ways);

/// "12 do not have the ports, 3 cannot carry the rate"
std::string counted(const std::map<std::string, std::int64_t>& reasons);

/// How many of the feasible ways rest on values that are assumed or recalled.
std::int64_t resting_ways(const nlohmann::ordered_json& ways);

/// Which ways to look at first, by their ranks: "first", "sure" (the first whose risk rests on nothing assumed or
/// recalled), "cheapest", "safest" and "fastest"; null for those that there are not. Null if no way is feasible.
/// @param ways  in JSON, by their ranks
nlohmann::ordered_json recommended(const nlohmann::ordered_json& ways);

/// A line for each way, without comments; risk is its upper bound.
std::string ways_as_csv(const nlohmann::ordered_json& ways);

/// The recommendation with its reason, and the ways by their ranks.
/// @param result  as explore writes it
/// @param rows    at most
std::string ways_as_table(const nlohmann::ordered_json& result, int rows);

/// To and from another process, bit for bit.
std::string packed(const Explored& way);
void unpack(Explored& way, const std::string& text);

}  // namespace watershed
