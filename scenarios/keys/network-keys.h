// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The keys of [switch] and the tables in it.
std::vector<ScenarioKey> switch_keys();

/// The keys of [aggregation], [node.NAME] and [server]. A node's act on the last of the scenario's nodes, whatever its
/// name.
std::vector<ScenarioKey> network_keys();

/// The key as the list has it: "node.left.to" is "node.NAME.to" there.
std::string listed_name(const std::string& name);

/// Of a key or table of a node its name, "left" in "node.left.to"; otherwise empty.
std::string node_of(const std::string& name);

}  // namespace watershed
