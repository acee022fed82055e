// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/scenario.h"

namespace watershed {

/// What a run takes in place of a value that nobody knows of a real switch.
struct AssumedValue {
    std::string key;     ///< of a scenario, "switch.latency"
    std::string value;   ///< as a scenario would state it; "none" where the switch is taken to have no such thing
    std::string model;   ///< switch.model
};

/// Whether a run needs this key of its switch, so that nothing can be assumed in its place.
bool must_be_known(const std::string& key, const Switch& network_switch);

/// What is taken in place of an unknown value of this key, the key's default.
std::string assumed_value(const std::string& key);

/// One line about one value. @return "switch.latency = 0 us, unknown for dell-s60"
std::string to_text(const AssumedValue& assumed);

/// The same for all of them as lines of comment: "# assumed: …"
std::string comment(const std::vector<AssumedValue>& assumed);

}  // namespace watershed
