// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/assumed-value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/keys/keys.h"
#include "scenarios/text/csv.h"

namespace watershed {

bool must_be_known(const std::string& key, const Switch& network_switch) {
    if (key == "switch.buffer.size" || key == "switch.buffer.sharing") return true;
    if (key == "switch.buffer.alpha") return network_switch.buffer.sharing->has_alpha;
    return network_switch.buffer.dram && (key == "switch.buffer.dram_from" || key == "switch.buffer.dram_rate");
}

std::string assumed_value(const std::string& key) {
    const auto& keys = scenario_keys();
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const ScenarioKey& k) { return k.name == key; });
    return found == keys.end() || found->default_value.empty() ? "none" : found->default_value;
}

std::string to_text(const AssumedValue& assumed) {
    if (assumed.overridden.empty())
        return "assumed: " + assumed.key + " = " + assumed.value + ", unknown for " + assumed.model;
    return "overridden: " + assumed.key + " = " + assumed.overridden + " of " + assumed.model + ", by " +
           assumed.value + " of " + assumed.by;
}

void to_json(nlohmann::ordered_json& json, const AssumedValue& assumed) {
    json = {{"key", assumed.key}, {"value", assumed.value}};
    if (!assumed.overridden.empty()) json["by"] = assumed.by;
    json["model"] = assumed.model;
    if (!assumed.overridden.empty()) json["value_of_model"] = assumed.overridden;
}

void from_json(const nlohmann::ordered_json& json, AssumedValue& assumed) {
    assumed = {json.at("key"), json.at("value"), json.at("model"), json.value("value_of_model", ""),
               json.value("by", "")};
}

std::string comment(const std::vector<AssumedValue>& assumed) {
    std::string lines;
    for (const AssumedValue& each : assumed) lines += comment_line(to_text(each));
    return lines;
}

void add_assumed(nlohmann::ordered_json& json, const std::vector<AssumedValue>& assumed) {
    json["assumed"] = nlohmann::ordered_json::array();
    json["overridden"] = nlohmann::ordered_json::array();
    for (const AssumedValue& each : assumed) json[each.overridden.empty() ? "assumed" : "overridden"].push_back(each);
}

}  // namespace watershed
