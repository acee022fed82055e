// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The keys of [server].
std::vector<ScenarioKey> server_keys();

/// @param place_of  where a key was given, or empty
/// @throws InputError where keys of [server] do not fit together
void check_server(const Server& server, const std::function<std::string(const std::string&)>& place_of);

}  // namespace watershed
