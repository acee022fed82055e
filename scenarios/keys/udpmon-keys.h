// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The keys of [udpmon] and the tables in it.
std::vector<ScenarioKey> udpmon_keys();

}  // namespace watershed
