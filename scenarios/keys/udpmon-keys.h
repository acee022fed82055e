// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/udpmon/udpmon.h"
#include "scenarios/keys/system.h"

namespace watershed {

/// The keys of [udpmon] and the tables in it.
std::vector<ScenarioKey> udpmon_keys();

/// What no single key can tell. @throws InputError that begins with the place of the table
void check_udpmon(const Udpmon& udpmon, const KeyPlace& place);

}  // namespace watershed
