// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace watershed {

struct Switch;

/// Value of a real switch that a run assumes because it is unknown, or that the scenario overrides.
struct AssumedValue {
    std::string key;           ///< key of a scenario, "switch.latency"
    std::string value;         ///< value as in a scenario; "none" if the switch is assumed to have no such thing
    std::string model;         ///< switch.model
    std::string overridden{};  ///< value of the model that is overridden; empty if it has none
    std::string by{};          ///< origin of the override: the scenario's file or "--set"
};

/// Returns true if a run cannot assume a value for this key of its switch.
bool must_be_known(const std::string& key, const Switch& network_switch);

/// Returns the assumed value of a key: its default.
std::string assumed_value(const std::string& key);

/// One line about one value. @return "assumed: switch.latency = 0 us, unknown for dell-s60" or
/// "overridden: switch.buffer.size = 1.25 GB of dell-s60, by 2 MB of camera.toml"
std::string to_text(const AssumedValue& assumed);

/// "key", "value" and "model", and of what is overridden "by" and "value_of_model".
void to_json(nlohmann::ordered_json& json, const AssumedValue& assumed);
void from_json(const nlohmann::ordered_json& json, AssumedValue& assumed);

/// Returns one line per value, as comments.
std::string comment(const std::vector<AssumedValue>& assumed);

/// Adds all values as the members "assumed" and "overridden".
void add_assumed(nlohmann::ordered_json& json, const std::vector<AssumedValue>& assumed);

}  // namespace watershed
