// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"

namespace watershed {

/// Asks ways what if, as `watershed sensitivity` asks a design, by what is certain of their risk: nothing is simulated,
/// and no second stream comes.
/// @param ways   by their ranks
/// @param ranks  of those that are asked, each once
/// @return for each the members of sensitivity_of() and "rank"
/// @throws InputError as read_camera does
nlohmann::ordered_json what_if_of(const Wanted& wanted, const std::vector<Explored>& ways, const std::set<int>& ranks,
                                  const std::vector<CatalogueSwitch>& catalogue, Engine& engine);

/// "first fails with: trigger rate + 30 %; bears 128 % of the trigger rate asked for, or 81 % of the memory"
std::string what_if_in_words(const nlohmann::ordered_json& asked);

}  // namespace watershed
