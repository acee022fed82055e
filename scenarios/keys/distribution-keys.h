// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/roce/distribution.h"
#include "scenarios/keys/system.h"

namespace watershed {

/// The keys of [distribution] and the tables in it.
std::vector<ScenarioKey> distribution_keys();

/// What no single key can tell.
/// @throws InputError that begins with the place of the key
void check_distribution(const Distribution& distribution, const KeyPlace& place);

}  // namespace watershed
