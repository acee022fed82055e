// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace watershed {

/// Prints a document as files hold it. A number that lies within the rounding of a few operations beside a decimal of
/// 13 digits is printed as that: 0.168, not 0.16799999999999998.
/// @param indent  spaces of each level
std::string json_text(nlohmann::ordered_json json, int indent = 2);

}  // namespace watershed
