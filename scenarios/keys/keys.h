// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "scenarios/keys/scenario-key.h"

namespace watershed {

/// Every key of a scenario file.
const std::vector<ScenarioKey>& scenario_keys();

}  // namespace watershed
