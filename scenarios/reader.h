// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/scenario.h"

namespace watershed {

/// Reads and checks a scenario file.
/// @param overrides "KEY=VALUE" with dotted keys, as --set gives them; they win over the file
/// @throws InputError with file, line, key, what was found and what was expected
Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides = {});

}  // namespace watershed
