// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/text/key-value.h"

namespace watershed {

/// What a key takes, and where a scenario keeps it.
struct KeyRule {
    /// Stores the value. @throws std::invalid_argument that says what was found and what was expected
    std::function<void(Scenario&, const KeyValue&)> set;
    std::string limits{};  ///< of the value: "1 to 65535", "576 B to 65535 B", "more than 0"; empty if there are none
                           ///< beside its kind
    std::vector<std::string> choices{};  ///< the values there are, where that is a list
};

/// One key of a scenario file. The reader, the table in the help and the manual all come from the list of these.
struct ScenarioKey {
    std::string name;           ///< dotted, "switch.buffer.size"
    std::string kind;           ///< what is expected, with an example
    std::string default_value;  ///< as a scenario would state it; empty if there is none
    std::string meaning;
    KeyRule rule;
    std::string like{};  ///< the key of [switch] that this one is for another switch; empty if it is none

    void set(Scenario& scenario, const KeyValue& value) const { rule.set(scenario, value); }
};

/// Every key of a scenario file.
const std::vector<ScenarioKey>& scenario_keys();

/// The key of this name, or null.
const ScenarioKey* find_key(const std::string& name);

/// Whether keys begin with `prefix` ("" or "switch.").
bool is_table(const std::string& prefix);

/// The keys and tables that may stand in that table.
std::vector<std::string> siblings(const std::string& prefix);

/// @throws InputError that says which keys may stand there, and which was likely meant
[[noreturn]] void unknown_key(const std::string& place, const std::string& name);

}  // namespace watershed
