// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "plots/figures/figures.h"

namespace watershed {

/// The watersheds of several designs, each with its risk. Input: a result of watershed compare --json.
void draw_designs(const FigureRequest& request);

/// The same from the result itself.
void draw_designs_of(const nlohmann::ordered_json& result, const std::string& output);

/// @throws InputError unless it is what watershed compare writes
void check_designs(const nlohmann::ordered_json& document, const std::string& file);

}  // namespace watershed
