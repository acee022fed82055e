// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/ipbus/ipbus.h"
#include "scenarios/keys/system.h"

namespace watershed {

/// The keys of [ipbus] and the tables in it, and those of [flashing].
std::vector<ScenarioKey> ipbus_keys();
std::vector<ScenarioKey> flashing_keys();

/// What no single key can tell.
/// @throws InputError that begins with the place of the key
void check_ipbus(const Ipbus& ipbus, const KeyPlace& place);

}  // namespace watershed
