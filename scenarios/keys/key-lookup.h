// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The key of this name, or null.
const ScenarioKey* find_key(const std::string& name);

/// The keys and tables that may stand in the table `prefix` ("" or "switch."), with commas; empty if there is no such
/// table.
std::string siblings(const std::string& prefix);

/// @throws InputError that says which keys may stand there
[[noreturn]] void unknown_key(const std::string& place, const std::string& name);

}  // namespace watershed
