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
/// @param loss  the wanted chance
nlohmann::ordered_json to_json(const Explored& way, double loss);

/// The stacking that to_json() told of.
/// @param modules  of the camera
Stacking stacking_of(const nlohmann::ordered_json& way, int modules);

/// Why a way that is not feasible is not, as the end of a sentence about several: "do not have the ports". What is
/// certain goes before what is unknown.
std::string reason_of(const Explored& way, double loss);

/// For each switch of the first tier how many ways were tried and are feasible, where its first one is ranked, how many
/// fell out for each reason, and "why": what sets its first way behind the one that is ranked first, or what was wrong
/// with the way that came closest.
/// @param ways         in JSON, by their ranks
/// @param left_out_of  what else fell out, by switch and reason
/// @param names        of the switches, by the catalogue's
nlohmann::ordered_json switches_of(const nlohmann::ordered_json& ways,
                                   const std::map<std::string, std::map<std::string, std::int64_t>>& left_out_of,
                                   const std::map<std::string, std::string>& names);

/// How many ways fell out for each reason, of those in JSON.
std::map<std::string, std::int64_t> reasons_of(const nlohmann::ordered_json& ways);

/// How many of the feasible ways rest on values that are assumed or recalled.
std::int64_t resting_ways(const nlohmann::ordered_json& ways);

/// Which ways to look at first, by their ranks: "first", "sure" (the first whose risk rests on nothing assumed or
/// recalled), "cheapest", "safest" and "fastest"; null for those that there are not. Null if no way is feasible.
/// @param ways  in JSON, by their ranks
nlohmann::ordered_json recommended(const nlohmann::ordered_json& ways);

/// A line for each way, without comments; risk is its upper bound.
std::string ways_as_csv(const nlohmann::ordered_json& ways);

/// The recommendation with its reason, the ways by their ranks, and why other switches are not first.
/// @param result  as explore writes it
/// @param rows    at most
std::string ways_as_table(const nlohmann::ordered_json& result, int rows);

/// To and from another process, bit for bit.
std::string packed(const Explored& way);
void unpack(Explored& way, const std::string& text);

}  // namespace watershed
