// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "model/scenario.h"

namespace watershed {

/// What stands behind the equals sign of a key.
using KeyValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<std::int64_t>>;

/// Without quotes, the members of a list with commas between them.
std::string value_text(const KeyValue& value);

/// One key of a scenario file. The reader, the table in the help and the manual all come from the list of these.
struct ScenarioKey {
    std::string name;            ///< dotted, "switch.buffer.size"
    std::string kind;            ///< what is expected, with an example
    std::string default_value;   ///< as a scenario would state it; empty if there is none
    std::string meaning;
    /// Stores the value. @throws std::invalid_argument that says what was found and what was expected
    std::function<void(Scenario&, const KeyValue&)> set;
    std::string like{};          ///< the key of [switch] that this one is for another switch; empty if it is none
};

const std::vector<ScenarioKey>& scenario_keys();

}  // namespace watershed
