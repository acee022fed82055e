// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

std::vector<ScenarioKey> ping_keys();

}  // namespace watershed
