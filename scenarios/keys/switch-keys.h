// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The keys of [switch] and the tables in it.
std::vector<ScenarioKey> switch_keys();

}  // namespace watershed
