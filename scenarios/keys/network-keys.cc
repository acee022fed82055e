// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/network-keys.h"

#include "model/switch/switch-fields.h"
#include "scenarios/keys/field-key.h"
#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/traffic-keys.h"

namespace watershed {

using namespace key_setters;

namespace {

constexpr const char* kNode = "node.";
constexpr const char* kAnyNode = "node.NAME.";

/// The keys of a switch, which stand in that table. @param of  from the scenario to the switch
std::vector<ScenarioKey> keys_of_switch(const std::string& table, Switch& (*of)(Scenario&)) {
    std::vector<ScenarioKey> keys;
    keys.reserve(switch_fields().size());
    for (const SwitchField& field : switch_fields()) keys.push_back(field_keys::key_of(field, table, of));
    return keys;
}

/// The same for a switch that is like [switch]. @param meaning  which switch that is
std::vector<ScenarioKey> keys_as_of_switch(const std::string& table, const std::string& meaning,
                                           Switch& (*of)(Scenario&)) {
    std::vector<ScenarioKey> keys = keys_of_switch(table, of);
    for (ScenarioKey& key : keys) {
        key.like = "switch." + key.name.substr(table.size());
        key.meaning = "As " + key.like + ", for " + meaning + ".";
    }
    return keys;
}

Node& last_node(Scenario& scenario) {
    if (scenario.nodes.empty()) scenario.nodes.emplace_back();
    return scenario.nodes.back();
}

}  // namespace

std::vector<ScenarioKey> switch_keys() {
    return keys_of_switch("switch.", [](Scenario& scenario) -> Switch& { return scenario.network_switch; });
}

std::vector<ScenarioKey> network_keys() {
    std::vector<ScenarioKey> keys =
        keys_as_of_switch("aggregation.", "the second tier", [](Scenario& scenario) -> Switch& {
            if (!scenario.aggregation) scenario.aggregation.emplace();
            return *scenario.aggregation;
        });
    keys.push_back(
        {"node.NAME.modules", "integer", "",
         "Number of modules at this node of a free graph, the next ones in the order of the scenario; none by default.",
         count(
             [](Scenario & scenario) -> auto& { return last_node(scenario).modules; }, 0, 65535)});
    keys.push_back({"node.NAME.to", "list of names", "",
                    "Where the uplinks of this node lead, in turn: names of other nodes or \"server\"; one uplink each "
                    "unless `uplinks` gives more, and [\"server\"] by default.",
                    list(
                        [](Scenario & scenario) -> auto& { return last_node(scenario).to; },
                        [](const std::string& value) { return value; })});
    keys.push_back({"node.NAME.rates", "list of bit rates", "",
                    "Bit rates of the uplinks of this node, in turn; uplink_rate for all by default.",
                    list(
                        [](Scenario & scenario) -> auto& { return last_node(scenario).rates; }, parse_bit_rate)});
    for (ScenarioKey& key : keys_as_of_switch(kAnyNode, "this node of a free graph", [](Scenario& scenario) -> Switch& {
             return last_node(scenario).network_switch;
         })) {
        if (key.name == "node.NAME.count") continue;
        key.default_value.clear();  // it is that of [switch]
        keys.push_back(std::move(key));
    }
    return keys;
}

std::string node_of(const std::string& name) {
    const std::string start = kNode;
    if (name.compare(0, start.size(), start) != 0) return {};
    return name.substr(start.size(), name.find('.', start.size()) - start.size());
}

std::string listed_name(const std::string& name) {
    for (const auto& [table, named] : {std::pair<std::string, std::string>(kNode, node_of(name)),
                                       std::pair<std::string, std::string>("traffic.", stream_of(name))}) {
        if (named.empty()) continue;
        const std::size_t rest = table.size() + named.size() + 1;
        return table + (rest > name.size() ? "NAME" : "NAME." + name.substr(rest));
    }
    return name;
}

}  // namespace watershed
