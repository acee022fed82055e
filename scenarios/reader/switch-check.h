// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <set>
#include <string>

namespace watershed {

struct Switch;

/// A switch of a scenario, and the table that describes it.
struct SwitchTable {
    std::string name;  ///< "switch", "aggregation" or "node.NAME"
    Switch& settings;
    int number = 0;  ///< in the network
    int inputs = 0;
    std::set<std::string>
        known{};  ///< keys that came from a switch model, or for a node from [switch]; by their names in [switch]
    std::set<std::string> unknown{};  ///< keys that the model says are unknown

    /// A key of [switch], or a message about it, for this table.
    std::string named(std::string text) const;
};

/// The keys that were given, each with where it stands: "FILE:LINE" or "--set".
using Places = std::map<std::string, std::string>;

/// Whether this key of a switch has a meaning beside its others.
bool has_use(const std::string& key, const Switch& network_switch);

/// Checks what the keys of a switch mean together, once all are read. Of the keys that the scenario did not give for
/// this switch itself, those without a use are forgotten.
/// @throws InputError with place, key, what was found and what was expected
void check_switch(const SwitchTable& table, const std::string& file, const Places& given);

}  // namespace watershed
