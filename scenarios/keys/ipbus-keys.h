// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The keys of [ipbus] and the tables in it, and those of [flashing].
std::vector<ScenarioKey> ipbus_keys();
std::vector<ScenarioKey> flashing_keys();

/// What no single key can tell.
/// @throws InputError that begins with the place of the key
/// @param place  of a key, such as "FILE:LINE"; the file alone for one that was not given
void check_ipbus(const Ipbus& ipbus, const std::function<std::string(const std::string& key)>& place);

}  // namespace watershed
