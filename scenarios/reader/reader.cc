// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/reader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <limits>

#include "model/base/frame.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/module-groups.h"
#include "model/network/almost-full.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"

namespace watershed {
namespace {

/// Reads keys into a scenario, wherever they stand.
class KeyReader {
  public:
    KeyReader(Scenario& scenario, NetworkReader& network, TrafficReader& traffic, GroupReader& groups,
              FailureReader& failures, const std::string& file, Places& given)
        : scenario_(scenario),
          network_(network),
          traffic_(traffic),
          groups_(groups),
          failures_(failures),
          file_(file),
          given_(given) {}

    void read_table(const toml::table& table, const std::string& prefix = "") {
        for (const auto& [name, node] : table) {
            const std::string full = prefix + std::string(name.str());
            const unsigned line = name.source().begin.line;
            const std::string place = file_ + ":" + std::to_string(line);
            if (const ScenarioKey* key = find_key(full)) {
                set(full, *key, place, line, node);
            } else if (const auto* inner = node.as_table(); inner && is_table(listed_name(full) + ".")) {
                // A table without keys is nothing, but one with a name of its own was meant to be something.
                if (inner->empty() && listed_name(full) != full)
                    throw InputError(place + ": " + full + ": found no key in this table, expected one of " +
                                     listed(siblings(listed_name(full) + ".")));
                read_table(*inner, full + ".");
            } else {
                unknown_key(place, full);
            }
        }
    }

    /// KEY=VALUE; a value that is no TOML, such as 300 frames, is text.
    void apply_override(const std::string& text) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw InputError("--set " + text + ": expected KEY=VALUE, for example --set switch.uplinks=2");
        const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
        const ScenarioKey* key = find_key(name);
        if (!key) unknown_key("--set", name);
        constexpr unsigned kBehindTheFile = std::numeric_limits<unsigned>::max();
        set(name, *key, "--set", kBehindTheFile, *override_value(value).get("value"));
    }

  private:
    void set(const std::string& name, const ScenarioKey& key, const std::string& place, unsigned line,
             const toml::node& node) {
        read_at(place, name, [&] {
            network_.note(name, value_of(node));
            if (!named_in("traffic.", name).empty())
                traffic_.put_aside({name, &key, value_of(node), place, line});
            else if (!named_in("group.", name).empty())
                groups_.put_aside({name, &key, value_of(node), place, line});
            else if (!named_in("failure.", name).empty())
                failures_.put_aside({name, &key, value_of(node), place, line});
            else if (named_in("node.", name).empty())
                key.set(scenario_, value_of(node));
            else
                network_.put_aside({name, &key, value_of(node), place, line});
        });
        given_[name] = place;
    }

    Scenario& scenario_;
    NetworkReader& network_;
    TrafficReader& traffic_;
    GroupReader& groups_;
    FailureReader& failures_;
    const std::string& file_;
    Places& given_;
};

/// Returns the place of the key, or the file if it was not given.
std::string place_of(const std::string& key, const std::string& file, const Places& given) {
    const auto place = given.find(key);
    return place == given.end() ? file : place->second;
}

/// A key of another system's table would be of no effect.
void check_system(const Scenario& scenario, const std::string& file, const Places& given) {
    const System* own = find_system(scenario.system);
    for (const auto& [key, place] : given)
        if (key != "system" && key != "seed" && find_system(key.substr(0, key.find('.'))) != own)
            throw InputError(place + ": " + key + ": conflicts with system \"" + scenario.system +
                             "\", which does not use it");
    if (!own) return;
    for (const std::string& key : own->required)
        if (given.count(own->name + "." + key) == 0)
            throw InputError(file + ": " + own->name + "." + key + ": missing, expected with system \"" + own->name +
                             "\"");
    if (own->check) own->check(scenario, [&](const std::string& key) { return place_of(key, file, given); });
}

/// A list of payloads in front_end.fragments stands for all that says how large fragments are. By --set it replaces
/// frame.payload of the file.
void check_fragment_list(const FrameFormat& frame, const Places& given) {
    if (frame.fragments.payloads.empty()) return;
    const auto is_set = [&](const std::string& key) { return given.at(key).rfind("--set", 0) == 0; };
    for (const std::string key : {"frame.payload", "frame.payloads", "frame.payload_file"}) {
        if (given.count(key) == 0) continue;
        if (key == "frame.payload" && is_set("front_end.fragments") && !is_set(key)) continue;
        throw InputError(given.at(key) + ": " + key + ": conflicts with the list of payloads in front_end.fragments");
    }
}

}  // namespace

void check_frame(Scenario& scenario, const std::string& file, const Places& given) {
    FrameFormat& frame = scenario.frame;
    const auto conflict = [&](const std::string& key, const std::string& with) {
        if (given.count(key) && given.count(with))
            throw InputError(given.at(key) + ": " + key + ": conflicts with " + with);
    };
    for (const std::string key : {"frame.payloads", "frame.payload_file"}) conflict(key, "frame.payload");
    for (const std::string key : {"frame.payloads", "frame.payload_weights"}) conflict(key, "frame.payload_file");
    check_fragment_list(frame, given);
    if (!frame.weights.empty() && frame.weights.size() != frame.payloads.size())
        throw InputError(given.at("frame.payload_weights") + ": frame.payload_weights: found " +
                         std::to_string(frame.weights.size()) + " weights, expected " +
                         std::to_string(frame.payloads.size()) + ", one for each of frame.payloads");
    for (std::size_t i = 0; i < frame.weights.size(); ++i) frame.payloads[i].weight = frame.weights[i];
    if (!frame.payload_file.empty())
        frame.payloads = read_payloads(named_file(frame.payload_file, "frame.payload_file", file, given));
    const std::string key = !frame.fragments.payloads.empty() ? "front_end.fragments"
                            : !frame.payload_file.empty()     ? "frame.payload_file"
                            : frame.payloads.empty()          ? "frame.payload"
                                                              : "frame.payloads";
    read_at(place_of(key, file, given), key, [&] { FragmentSizes(frame, scenario.seed); });
}

namespace {

/// Builders that take groups in turn need groups, and those that are drawn for each module take no turns. Where all get
/// a frame, there is none to choose.
void check_builders(const Scenario& scenario, const std::string& file, const Places& given) {
    for (const char* key : {"server.assignment", "server.order"})
        if (scenario.builders.copies == Builders::Copies::All && given.count(key))
            throw InputError(given.at(key) + ": " + key +
                             ": has no use here: with server.copies = \"all\" each builder gets all frames");
    if (scenario.builders.order == Builders::Order::Random &&
        scenario.builders.assignment != Builders::Assignment::InTurn)
        throw InputError(place_of("server.assignment", file, given) +
                         ": server.assignment: has no use here: with server.order = \"random\" the builder of each "
                         "module is drawn for each event");
    if (scenario.builders.assignment == Builders::Assignment::ByGroup && scenario.groups.empty())
        throw InputError(place_of("server.assignment", file, given) +
                         ": server.assignment: found \"by-group\", expected tables [group.NAME] with it");
}

/// A pause needs a second frame of an event; of groups one that has it is enough, since all have it of [front_end].
void check_gap(const Scenario& scenario, const std::string& file, const Places& given) {
    const Group* paused = nullptr;
    const std::vector<Group> groups = ModuleGroups(scenario).all();
    for (const Group& group : groups) {
        if (group.front_end.gap == Time{0}) continue;
        if (!group.frame.payloads.empty() || frames_of_fragment(group.frame).size() > 1) return;
        paused = &group;
    }
    if (!paused) return;
    const std::string key = paused->name.empty() ? "front_end.gap" : key_of_group(paused->name, "gap", given);
    throw InputError(place_of(key, file, given) + ": " + key +
                     ": has no use here, expected only with events of several frames (front_end.fragments)");
}

using Triggers = Scope::Triggers;

void read_triggers(Scenario& scenario, const std::string& file, const Places& given, Triggers triggers) {
    const auto has_own = [](const Group& group) { return group.trigger.has_value(); };
    const auto own = std::find_if(scenario.groups.begin(), scenario.groups.end(), has_own);
    if (triggers != Triggers::OfScenario && own != scenario.groups.end())
        throw InputError(file + ": group." + own->name +
                         ".trigger: found a trigger of its own, expected none: this command has bursts of its own");
    if (!scenario.groups.empty() && std::all_of(scenario.groups.begin(), scenario.groups.end(), has_own)) {
        for (const auto& [key, place] : given)
            if (begins_with(key, "trigger."))
                throw InputError(place + ": " + key + ": has no use here, every group has a trigger of its own");
        scenario.trigger.events = 0;  // nobody answers it
    } else if (triggers == Triggers::OfScenario) {
        check_trigger(scenario, file, given);
    } else {
        scenario.trigger = Trigger{};
        scenario.trigger.events = 1;
        if (triggers == Triggers::LineRatePlusBurst) scenario.trigger.pattern = Trigger::Pattern::LineRatePlusBurst;
    }
    if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
        check_line_rate_plus_burst(scenario, file, given);
}

/// The parts of a scenario that a command does not understand.
void refuse_beyond(const Scope& scope, const Scenario& scenario, const std::string& file, const Places& given) {
    const auto refuse = [&](const std::string& found) {
        throw InputError(file + ": " + found + " for this command; run, map and boundary simulate it");
    };
    if (!scope.streams && !scenario.traffic.empty())
        throw InputError(file + ": traffic." + scenario.traffic.front().name +
                         ": found a stream beside the camera, expected none for this command; run, map and boundary "
                         "simulate it, bound and throttle tell what it cannot exceed");
    if (const auto& failures = scenario.network_switch.failures; !scope.failures && !failures.empty())
        refuse("failure." + failures.front().name + ": found a failure, expected none");
    if (!scope.fragments_in_sequence && !scenario.frame.fragments.payloads.empty())
        refuse("front_end.fragments: found a list of payloads, expected a number");
    if (!scope.fragments_in_sequence && scenario.front_end.gap != Time{0})
        refuse("front_end.gap: found a pause, expected none");
    if (scope.triggers != Triggers::OfScenario && !scenario.frame.payloads.empty()) {
        const std::string key = given.count("frame.payloads") ? "frame.payloads" : "frame.payload_file";
        throw InputError(given.at(key) + ": " + key +
                         ": found fragments of several sizes, expected one size for this command");
    }
    const auto refuse_parts = [&](const std::string& key, const std::string& found) {
        throw InputError(place_of(key, file, given) + ": " + found +
                         " for this command; run, map, boundary, risk, size, explore, compare, sensitivity, bound, "
                         "throttle, stagger and draw know them");
    };
    if (!scope.groups && !scenario.groups.empty())
        refuse_parts(key_of_group(scenario.groups.back().name, "modules", given),
                     "group." + scenario.groups.back().name + ": found modules of several kinds, expected one kind");
    if (!scope.groups && scenario.builders.count > 1)
        refuse_parts("server.builders",
                     "server.builders: found " + std::to_string(scenario.builders.count) + ", expected 1");
    if (!scope.copies && scenario.builders.receiving() > 1)
        throw InputError(place_of("server.copies", file, given) +
                         ": server.copies: found \"all\", expected \"one\" for this command; run, boundary, risk, "
                         "sensitivity, compare and draw know copies");
    if (scope.needs_one_switch) expect_one_switch(scenario, file);
    if (scope.needs_end) expect_end_of_triggers(scenario, file);
}

}  // namespace

Scenario read_scenario(const Scope& scope, const std::string& file, const std::vector<std::string>& overrides,
                       std::vector<AssumedValue>* assumed) {
    Scenario scenario;
    Places given;
    toml::table table = read_toml(file);
    if (scope.left_out)
        for (const std::string& name : scope.left_out->names)
            if (take_out(table, name)) scope.left_out->found.push_back(name);
    NetworkReader network(scenario, file, overrides);
    network.apply_models(table);
    TrafficReader traffic(scenario, file);
    GroupReader groups(scenario, file);
    FailureReader failures(scenario);
    KeyReader keys(scenario, network, traffic, groups, failures, file, given);
    keys.read_table(table);
    for (const std::string& override_text : overrides) keys.apply_override(override_text);

    check_system(scenario, file, given);
    if (!scenario.is_camera()) {
        if (!scope.systems) throw InputError(given.at("system") + ": system: expected \"camera\" for this command");
        return scenario;
    }
    network.build_nodes(given);
    failures.build(given);
    groups.build(given);
    check_frame(scenario, file, given);
    check_builders(scenario, file, given);
    check_gap(scenario, file, given);
    check_server(scenario.server, [&](const std::string& key) { return given.count(key) ? given.at(key) : ""; });
    read_triggers(scenario, file, given, scope.triggers);
    traffic.build(given);
    network.check(given);
    traffic.check_switches();
    try {
        AlmostFull::of(scenario);
    } catch (const KeyError& error) {
        throw InputError(place_of(error.key, file, given), error.key, error.why);
    }
    refuse_beyond(scope, scenario, file, given);
    if (assumed) *assumed = network.assumed();
    return scenario;
}

void expect_one_switch(const Scenario& scenario, const std::string& file) {
    const char* key = scenario.network_switch.count > 1 ? "switch.count"
                      : scenario.aggregation            ? "aggregation"
                      : scenario.nodes.empty()          ? nullptr
                                                        : "node";
    if (key) throw InputError(file + ": " + key + ": found several switches, expected a single one for this command");
}

}  // namespace watershed
