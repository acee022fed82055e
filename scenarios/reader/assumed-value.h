// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace watershed {

struct Switch;

/// What a run takes of a real switch in place of a value that nobody knows, or of one that the scenario overrides.
struct AssumedValue {
    std::string key;           ///< of a scenario, "switch.latency"
    std::string value;         ///< as a scenario would state it; "none" where the switch is taken to have no such thing
    std::string model;         ///< switch.model
    std::string overridden{};  ///< the value of the model that does not hold; empty where it has none
    std::string by{};          ///< what overrides it, the scenario's file or "--set"
};

/// Whether a run needs this key of its switch, so that nothing can be assumed in its place.
bool must_be_known(const std::string& key, const Switch& network_switch);

/// What is taken in place of an unknown value of this key, the key's default.
std::string assumed_value(const std::string& key);

/// One line about one value. @return "assumed: switch.latency = 0 us, unknown for dell-s60" or
/// "overridden: switch.buffer.size = 1.25 GB of dell-s60, by 2 MB of camera.toml"
std::string to_text(const AssumedValue& assumed);

/// "key", "value" and "model", and of what is overridden "by" and "value_of_model".
void to_json(nlohmann::ordered_json& json, const AssumedValue& assumed);
void from_json(const nlohmann::ordered_json& json, AssumedValue& assumed);

/// The same for all of them as lines of comment.
std::string comment(const std::vector<AssumedValue>& assumed);

/// All of them as the members "assumed" and "overridden".
void add_assumed(nlohmann::ordered_json& json, const std::vector<AssumedValue>& assumed);

}  // namespace watershed
