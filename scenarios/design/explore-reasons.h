// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/design/explore.h"

/// Why ways are not feasible, and why switches are not recommended.
namespace watershed {

/// Why a way that is not feasible is not, as the end of a sentence about several: "do not have the ports". What is
/// certain goes before what is unknown.
std::string reason_of(const Explored& way, double loss);

/// How many ways fell out for each reason, of what `explore --json` holds.
std::map<std::string, std::int64_t> reasons_of(const nlohmann::ordered_json& result);

/// For each switch of the first tier how many ways were tried and are feasible, where its first one is ranked, how many
/// fell out for each reason, and "why": what sets its first way behind the one that is ranked first, or what was wrong
/// with the way that came closest.
/// @param result       as explore writes it, with its ways by their ranks, "loss", "currency" and "names"
/// @param left_out_of  what else fell out, by switch and reason
nlohmann::ordered_json switches_of(const nlohmann::ordered_json& result,
                                   const std::map<std::string, std::map<std::string, std::int64_t>>& left_out_of);

}  // namespace watershed
