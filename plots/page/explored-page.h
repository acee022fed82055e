// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace watershed {

/// The part of the report about a result of `watershed explore --json`: its table, and figures of the Pareto front, of
/// the watersheds of the ways on it, and of the first way's topology. The last needs the scenario; where that cannot be
/// read, the page says so.
/// @param file  where the result came from
std::string explored_page(const nlohmann::ordered_json& result, const std::string& file);

}  // namespace watershed
