// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <toml++/toml.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/network/network.h"
#include "model/scenario.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/port-check.h"
#include "scenarios/reader/assumed-value.h"
#include "scenarios/reader/switch-check.h"

/// The switches of a scenario: the models they name, the nodes of a free graph, and whether all of it makes a network.
namespace watershed {

class Network;

/// A key of a node, kept until [switch], which gives the defaults, has been read.
struct NodeValue {
    std::string name;  ///< "node.left.uplinks"
    const ScenarioKey* key;
    KeyValue value;
    std::string place;
    unsigned line = 0;  ///< line in the file, which orders the nodes
};

/// Values of a model of the catalogue, before the scenario and --set override them. Keys have their names in [switch].
struct SwitchModel {
    std::set<std::string> known{};             ///< keys whose values the model states
    std::set<std::string> unknown{};           ///< keys whose values are unknown
    std::map<std::string, KeyValue> values{};  ///< values of the known keys
};

/// Returns the values of each table that users name in such a table, in the order of the file.
/// @param table  such as "traffic."
std::vector<std::pair<std::string, std::vector<const NodeValue*>>> by_name(std::vector<NodeValue>& values,
                                                                           const std::string& table);

/// Whether a name that users give to a table has letters, digits, - and _ alone.
bool is_plain_name(const std::string& name);

/// Sets the values of a switch that an entry of the catalogue, or its file, states.
/// @throws InputError with the place, for a key that no switch has or a value that it does not take
void set_values(Switch& target, const CatalogueSwitch& entry);

class NetworkReader {
  public:
    NetworkReader(Scenario& scenario, const std::string& file, const std::vector<std::string>& overrides)
        : scenario_(scenario), file_(file), overrides_(overrides) {}

    /// Fills the switches of [switch] and [aggregation] with what their models say.
    void apply_models(const toml::table& table);
    /// Remembers what the scenario or --set says; the last one counts.
    void note(const std::string& key, KeyValue value) { given_values_[key] = std::move(value); }
    void put_aside(NodeValue value) { nodes_.push_back(std::move(value)); }
    /// Builds the nodes, once all else has been read.
    void build_nodes(const Places& given);
    /// @throws InputError if the switches make no network that can be simulated
    void check(const Places& given);
    /// Returns the assumed values, which replace unknown values of models that have a use, and the overridden ones.
    /// @pre check() was called
    const std::vector<AssumedValue>& assumed() const { return assumed_; }

  private:
    SwitchModel apply_model(Switch& target, const std::string& model, const std::string& place,
                            const std::string& key) const;
    std::vector<SwitchTable> tables(const Network& network);
    void note_overridden(const SwitchTable& table, const Places& given);
    void check_ports(const SwitchTable& table, const NeededPorts& needed, const Places& given) const;
    /// Returns the key of modules whose links have this speed; of groups, that of the one with the most of them.
    std::string key_of_most(BitRate speed, const std::string& key, const Places& given) const;

    Scenario& scenario_;
    const std::string& file_;
    const std::vector<std::string>& overrides_;
    std::map<std::string, SwitchModel> models_;     ///< by table
    std::map<std::string, KeyValue> given_values_;  ///< by the key's full name
    std::vector<NodeValue> nodes_;
    std::vector<AssumedValue> assumed_;
};

/// Returns the key that says this of a group: its own, that of the table that makes copies of it, or that of
/// [front_end]. @param key  such as "modules"
std::string key_of_group(const std::string& group, const std::string& key, const Places& given);

/// Reads the groups of modules: tables of a name, in the order of the file. Of a table that makes copies, NAME-1 and so
/// on, tables of these names change one copy each.
class GroupReader {
  public:
    GroupReader(Scenario& scenario, const std::string& file) : scenario_(scenario), file_(file) {}

    /// Keeps a key of a group until all have been read.
    void put_aside(NodeValue value) { values_.push_back(std::move(value)); }
    /// Gives the scenario its groups, once [front_end] and [frame], which give the defaults, have been read. The
    /// modules of [front_end] come first, if their number is given.
    /// @throws InputError if they say too little, or too much
    void build(const Places& given);

  private:
    void add(const std::string& name, const std::string& place, const Places& given);
    Places own_places(const std::string& name, Scenario& one, const Places& given) const;
    /// Returns the names of the tables that describe a group, the last one counts.
    std::vector<std::string> tables_of(const std::string& name) const;

    Scenario& scenario_;
    const std::string& file_;
    std::vector<NodeValue> values_;
    std::map<std::string, int> copies_;  ///< by table that states them
};

/// Reads what fails.
class FailureReader {
  public:
    explicit FailureReader(Scenario& scenario) : scenario_(scenario) {}

    /// Keeps a key of a failure until all have been read.
    void put_aside(NodeValue value) { values_.push_back(std::move(value)); }
    /// Gives the switches the failures of their network, once there are all of them.
    /// @throws InputError if they say too little, or too much
    void build(const Places& given);

  private:
    Scenario& scenario_;
    std::vector<NodeValue> values_;
};

/// Reads the streams beside the camera: tables of a name, in the order of the file.
class TrafficReader {
  public:
    TrafficReader(Scenario& scenario, const std::string& file) : scenario_(scenario), file_(file) {}

    /// Keeps a key of a stream until all have been read.
    void put_aside(NodeValue value) { values_.push_back(std::move(value)); }
    /// Gives the scenario its streams, once its modules are known.
    /// @throws InputError if they say too little, too much, or nothing that can be simulated
    void build(const Places& given);
    /// @throws InputError if they do not go with the switches, once these are known
    void check_switches() const;

  private:
    void check(const TrafficStream& stream, const Places& given) const;
    void check_pattern(const TrafficStream& stream, const Places& given) const;
    std::string place_of(const std::string& key, const Places& given) const;
    /// Returns the place of the first key of a stream.
    std::string place_of_stream(const std::string& name) const;

    Scenario& scenario_;
    const std::string& file_;
    std::vector<NodeValue> values_;
};

}  // namespace watershed
