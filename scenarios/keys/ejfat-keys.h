// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/ejfat/ejfat.h"
#include "scenarios/keys/system.h"

namespace watershed {

/// The keys of [ejfat] and the tables in it.
std::vector<ScenarioKey> ejfat_keys();

/// What no single key can tell.
/// @throws InputError that begins with the place of the key
void check_ejfat(const Ejfat& ejfat, const KeyPlace& place);

}  // namespace watershed
