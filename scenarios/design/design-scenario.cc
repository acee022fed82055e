// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/design-scenario.h"

#include <algorithm>
#include <filesystem>

#include "scenarios/reader/reader.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Returns the tables of the scenario that describe a switch of the first tier.
const std::vector<std::string>& own_tables() {
    static const std::vector<std::string> names{"switch.model", "switch.count",  "switch.latency",
                                                "switch.ports", "switch.buffer", "server.interfaces"};
    return names;
}

/// Key of the second tier's model, which a design replaces; all other keys of the table remain valid.
const std::string kSecondModel = "aggregation.model";

/// Keys of the first tier's switch that a design replaces; an arbitrary memory takes the place of its own.
const std::vector<std::string> kFirstMemory{"switch.model", "switch.ports", "switch.buffer", "switch.flow_control"};
const std::string kSomeMemory = "switch.buffer.size=1 frames";

/// Returns the scenario without some keys and tables, from the file or --set, and with further overrides.
Scenario read_bare(const DesignRequirements& wanted, LeftOut& aside, std::vector<std::string> overrides) {
    for (const std::string& each : wanted.overrides)
        if (!sets_one_of(each, aside.names)) overrides.push_back(each);
    return read_scenario(Scope::camera().with_sequences().with_groups().without(aside), wanted.scenario, overrides);
}

}  // namespace

bool sets_one_of(const std::string& override_text, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return begins_with(override_text, name + "=") || begins_with(override_text, name + ".");
    });
}

std::string second_tier_text(const DesignRequirements& wanted, const std::string& name) {
    std::string text = read_toml(wanted.scenario)[kSecondTier][name].value_or(std::string());
    for (const std::string& each : wanted.overrides)
        if (begins_with(each, kSecondTier + "." + name + "=")) text = each.substr(each.find('=') + 1);
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    return text;
}

DesignKeys keys_of(const PlainCamera& camera, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                   const CatalogueSwitch* second) {
    const DesignRequirements& wanted = camera.wanted;
    DesignKeys keys{own_tables(), {}};
    if (second)
        keys.left_out.push_back(kSecondModel);
    else
        keys.left_out.push_back(kSecondTier);
    for (const std::string& each : wanted.overrides)
        if (second || !sets_one_of(each, {kSecondTier})) keys.overrides.push_back(each);
    for (const auto& value : entry.values)
        if (!begins_with(value.key, "switch.buffer.") && value.key != "switch.latency")
            keys.left_out.push_back(value.key);
    keys.overrides.insert(
        keys.overrides.end(),
        {"switch.model=" + stacking.model, "switch.count=" + std::to_string(stacking.switches),
         "switch.uplinks=" + std::to_string(stacking.uplinks), "switch.uplink_selection=" + stacking.selection});
    if (!states(wanted, "group"))  // groups have modules of their own
        keys.overrides.push_back("front_end.modules=" + std::to_string(stacking.modules));
    if (second)
        keys.overrides.insert(keys.overrides.end(),
                              {"aggregation.model=" + stacking.aggregation,
                               "aggregation.uplinks=" + std::to_string(stacking.server_interfaces),
                               "aggregation.uplink_rate=" + to_text(camera.second_tier_rate)});
    return keys;
}

bool states(const DesignRequirements& wanted, const std::string& key) {
    return std::any_of(wanted.overrides.begin(), wanted.overrides.end(),
                       [&](const std::string& each) { return sets_one_of(each, {key}); }) ||
           read_toml(wanted.scenario).at_path(key);
}

namespace {

Scenario read_without_switch(const DesignRequirements& wanted) {
    LeftOut aside{kFirstMemory, {}};
    aside.names.insert(aside.names.end(), {kSecondTier, "server.interfaces"});
    return read_bare(wanted, aside, {kSomeMemory});
}

std::optional<Switch> second_tier_of(const DesignRequirements& wanted) {
    if (!states(wanted, kSecondTier)) return std::nullopt;
    LeftOut aside{kFirstMemory, {}};
    for (const char* key : {"aggregation.model", "aggregation.ports", "aggregation.buffer", "aggregation.flow_control",
                            "server.interfaces"})
        aside.names.emplace_back(key);
    return read_bare(wanted, aside, {kSomeMemory, "aggregation.buffer.size=1 frames"}).aggregation;
}

}  // namespace

PlainCamera::PlainCamera(const DesignRequirements& of)
    : wanted(of),
      scenario(read_without_switch(of)),
      second_tier(second_tier_of(of)),
      second_tier_rate(states(of, "aggregation.uplink_rate") ? second_tier->uplink_rate
                                                             : scenario.network_switch.uplink_rate) {}

std::string second_model_of(const DesignRequirements& wanted) {
    const std::string model = second_tier_text(wanted, "model");
    const std::filesystem::path file(model);  // relative to the scenario's folder
    return ends_with(model, ".toml") && file.is_relative()
               ? (std::filesystem::path(wanted.scenario).parent_path() / file).string()
               : model;
}

Scenario read_camera(const PlainCamera& camera, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                     const CatalogueSwitch* second, std::vector<std::string>* left_out) {
    return read_camera(camera.wanted, keys_of(camera, stacking, entry, second), left_out, nullptr);
}

Scenario read_camera(const DesignRequirements& wanted, const DesignKeys& keys, std::vector<std::string>* left_out,
                     std::vector<AssumedValue>* assumed) {
    LeftOut aside{keys.left_out, {}};
    Scenario scenario = read_scenario(Scope::camera().with_sequences().with_groups().without(aside), wanted.scenario,
                                      keys.overrides, assumed);
    if (left_out) *left_out = aside.found;
    return scenario;
}

}  // namespace watershed
