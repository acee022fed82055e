// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace watershed {

/// Published numbers beside simulated ones, as `watershed validate` writes them: for each system a table for each
/// basis, and how many of each basis got which verdict.
std::string compared_page(const nlohmann::ordered_json& result);

/// @throws InputError if it is not what `watershed validate --json` writes
void check_comparison(const nlohmann::ordered_json& result, const std::string& file);

}  // namespace watershed
