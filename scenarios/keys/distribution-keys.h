// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The keys of [distribution] and the tables in it.
std::vector<ScenarioKey> distribution_keys();

/// What no single key can tell.
/// @throws InputError that begins with the place of the key
/// @param place  of a key, such as "FILE:LINE"; the file alone for one that was not given
void check_distribution(const Distribution& distribution, const std::function<std::string(const std::string& key)>& place);

}  // namespace watershed
