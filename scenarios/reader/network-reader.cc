// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/network-reader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "model/base/unsupported-key.h"
#include "model/network/failures.h"
#include "model/network/network-load.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/keys/keys.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

std::string without_quotes(const std::string& value) {
    const bool quoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
    return quoted ? value.substr(1, value.size() - 2) : value;
}

/// The model that a table or, if it does, --set names; with where it does so.
std::pair<std::string, std::string> named_model(const toml::table& table, const std::string& name,
                                                const std::string& file, const std::vector<std::string>& overrides) {
    std::pair<std::string, std::string> named;
    if (const auto model = table[name]["model"]; const auto* text = model.as_string())
        named = {text->get(), file + ":" + std::to_string(text->source().begin.line)};
    const std::string set_model = name + ".model=";
    for (const std::string& override_text : overrides)
        if (begins_with(override_text, set_model))
            named = {without_quotes(override_text.substr(set_model.size())), "--set"};
    return named;
}

void check_name(const std::string& node, const std::string& place) {
    if (node == "server" || !is_plain_name(node))
        throw InputError(place + ": node." + node +
                         ": expected a name of letters, digits, - and _, other than \"server\"");
}

}  // namespace

bool is_plain_name(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(),
                                        [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

void set_values(Switch& target, const CatalogueSwitch& entry) {
    Scenario values;
    values.network_switch = target;
    for (const CatalogueSwitch::Value& value : entry.values) {
        const ScenarioKey* key = find_key(value.key);
        if (!key || !begins_with(value.key, "switch.") || value.key == "switch.model")
            unknown_key(value.place, value.key);
        if (value.value) read_at(value.place, value.key, [&] { key->set(values, *value.value); });
    }
    target = values.network_switch;
}

SwitchModel NetworkReader::apply_model(Switch& target, const std::string& model, const std::string& place,
                                       const std::string& key_of_model) const {
    SwitchModel from;
    CatalogueSwitch entry;
    try {
        entry = read_catalogue_switch(model, std::filesystem::path(file_).parent_path().string());
    } catch (const InputError& error) {
        throw InputError(place, key_of_model, error.what());
    }
    set_values(target, entry);
    for (const CatalogueSwitch::Value& value : entry.values) {
        (value.value ? from.known : from.unknown).insert(value.key);
        if (value.value) from.values.emplace(value.key, *value.value);
    }
    target.ports.clear();
    for (const auto& ports : entry.ports) target.ports.push_back({ports.speed, ports.count});
    if (!entry.ports.empty()) from.values.emplace("switch.ports", to_text(target.ports));
    return from;
}

void NetworkReader::apply_models(const toml::table& table) {
    if (table.contains("aggregation")) scenario_.aggregation.emplace();
    for (const std::string name : {"switch", "aggregation"}) {
        const auto [model, place] = named_model(table, name, file_, overrides_);
        if (model.empty()) continue;
        if (name == "aggregation" && !scenario_.aggregation) scenario_.aggregation.emplace();
        models_[name] = apply_model(name == "switch" ? scenario_.network_switch : *scenario_.aggregation, model, place,
                                    name + ".model");
    }
}

void NetworkReader::build_nodes(const Places& given) {
    std::stable_sort(nodes_.begin(), nodes_.end(),
                     [](const NodeValue& a, const NodeValue& b) { return a.line < b.line; });
    for (const NodeValue& value : nodes_) {
        const std::string name = named_in("node.", value.name);
        if (std::any_of(scenario_.nodes.begin(), scenario_.nodes.end(),
                        [&](const Node& node) { return node.name == name; }))
            continue;
        check_name(name, value.place);
        Scenario one;
        one.nodes = {{name, 0, {"server"}, {}, scenario_.network_switch}};
        Node& node = one.nodes.front();
        SwitchModel& model = models_["node." + name];
        const auto apply = [&](bool models) {
            for (const NodeValue& each : nodes_)
                if (named_in("node.", each.name) == name && (each.key->name == "node.NAME.model") == models) {
                    read_at(each.place, each.name, [&] { each.key->set(one, each.value); });
                    if (models)
                        model = apply_model(node.network_switch, node.network_switch.model, each.place, each.name);
                }
        };
        apply(true);
        node.network_switch.uplinks = 0;  // unless it is given, that of its destinations
        apply(false);
        const auto destinations = static_cast<int>(node.to.size());
        if (node.network_switch.uplinks == 0) node.network_switch.uplinks = destinations;
        if (node.network_switch.uplinks < destinations)
            throw InputError(given.at("node." + name + ".uplinks"), "node." + name + ".uplinks",
                             "found " + std::to_string(node.network_switch.uplinks) +
                                 ", expected at least one for each of the " + std::to_string(destinations) +
                                 " names in node." + name + ".to");
        // Values of [switch] count for the node like values of a model.
        for (const auto& [key, place] : given)
            if (begins_with(key, "switch.")) {
                model.known.insert(key);
                model.unknown.erase(key);
            }
        model.known.insert(models_["switch"].known.begin(), models_["switch"].known.end());
        scenario_.nodes.push_back(node);
    }
    if (scenario_.nodes.empty()) return;
    for (const auto& [key, place] : given)
        if (begins_with(key, "aggregation.") || key == "switch.count")
            throw InputError(place, key, "conflicts with [node.NAME], which describe all switches");
    if (given.count("front_end.modules") != 0) return;
    scenario_.front_end.modules = 0;
    for (const Node& node : scenario_.nodes) scenario_.front_end.modules += node.modules;
    if (scenario_.front_end.modules < 1 || scenario_.front_end.modules > 65535)
        throw InputError(file_ + ": node.NAME.modules: found " + std::to_string(scenario_.front_end.modules) +
                         " modules in all, expected 1 to 65535");
}

std::vector<std::pair<std::string, std::vector<const NodeValue*>>> by_name(std::vector<NodeValue>& values,
                                                                           const std::string& table) {
    std::stable_sort(values.begin(), values.end(),
                     [](const NodeValue& a, const NodeValue& b) { return a.line < b.line; });
    std::vector<std::pair<std::string, std::vector<const NodeValue*>>> tables;
    for (const NodeValue& value : values) {
        const std::string name = named_in(table, value.name);
        auto own = std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.first == name; });
        if (own == tables.end()) own = tables.insert(own, {name, {}});
        own->second.push_back(&value);
    }
    return tables;
}

void FailureReader::build(const Places& given) {
    std::vector<Failure> failures;
    for (const auto& [name, own] : by_name(values_, "failure.")) {
        const std::string key = "failure." + name;
        const std::string& place = own.front()->place;
        if (!is_plain_name(name)) throw InputError(place, key, "expected a name of letters, digits, - and _");
        Scenario one;
        for (const NodeValue* each : own) read_at(each->place, each->name, [&] { each->key->set(one, each->value); });
        Failure& failure = one.network_switch.failures.front();
        failure.name = name;
        const auto where = [&](const std::string& of) {
            const auto found = given.find(key + of);
            return found == given.end() ? place : found->second;
        };
        if (failure.link.empty() == failure.at_switch.empty())
            throw InputError(where(".switch"), key,
                             std::string(failure.link.empty() ? "found neither" : "found both") +
                                 ", expected `link` or `switch`, what fails");
        if (given.count(key + ".at") == 0)
            throw InputError(place, key + ".at", "missing, expected when it fails, such as \"1 ms\"");
        if (failure.until && *failure.until <= failure.at)
            throw InputError(where(".until"), key + ".until",
                             "found \"" + to_text(*failure.until) + "\", expected more than " + key + ".at");
        failures.push_back(failure);
    }
    scenario_.network_switch.failures = failures;
    if (scenario_.aggregation) scenario_.aggregation->failures = failures;
    for (Node& node : scenario_.nodes) node.network_switch.failures = failures;
}

std::vector<SwitchTable> NetworkReader::tables(const Network& network) {
    std::vector<SwitchTable> tables;
    const auto add = [&](const std::string& name, Switch& settings, int number) {
        tables.push_back({name, settings, number, network.switches()[static_cast<std::size_t>(number)].all_inputs(),
                          models_[name].known, models_[name].unknown});
    };
    if (scenario_.nodes.empty()) {
        add("switch", scenario_.network_switch, 0);  // the first one has most
        if (scenario_.aggregation) add("aggregation", *scenario_.aggregation, scenario_.network_switch.count);
    }
    for (Node& node : scenario_.nodes) {
        const auto& switches = network.switches();
        const auto self = std::find_if(switches.begin(), switches.end(),
                                       [&](const Network::Switch& s) { return s.name == node.name; });
        add("node." + node.name, node.network_switch, static_cast<int>(self - switches.begin()));
    }
    return tables;
}

std::string NetworkReader::key_of_most(BitRate speed, const std::string& key, const Places& given) const {
    const Group* most = nullptr;
    for (const Group& group : scenario_.groups)
        if (group.front_end.link_rate == speed && (!most || group.front_end.modules > most->front_end.modules))
            most = &group;
    return most ? key_of_group(most->name, key, given) : "front_end." + key;
}

void NetworkReader::check_ports(const SwitchTable& table, const NeededPorts& needed, const Places& given) const {
    Breakouts breakouts;
    if (const std::string& name = table.settings.model; !name.empty())
        breakouts = read_catalogue_switch(name, std::filesystem::path(file_).parent_path().string()).breakouts;
    const PortFit fit = fit_ports(table.settings.ports, needed, breakouts);
    if (fit.fits == PortFit::Fit::Yes) return;
    // The error names the key that needs most ports of this speed.
    const NeededPorts::OfSpeed& wanted = needed.speeds.at(fit.speed);
    const bool first_tier = table.name == "switch", second_tier = table.name == "aggregation";
    std::string key, found;
    if (wanted.uplinks > wanted.inputs) {
        key = table.name + (fit.has == 0 ? ".uplink_rate" : ".uplinks");
        found = std::to_string(wanted.uplinks) + " uplinks of " + to_text(fit.speed);
    } else {
        if (fit.has == 0)
            key = second_tier ? "switch.uplink_rate" : key_of_most(fit.speed, "link_rate", given);
        else
            key = first_tier    ? key_of_most(fit.speed, "modules", given)
                  : second_tier ? "aggregation.count"
                                : table.name + ".modules";
        found = std::to_string(wanted.inputs);
        if (first_tier && scenario_.network_switch.count > 1)
            found = std::to_string(scenario_.front_end.modules) + " over " +
                    std::to_string(scenario_.network_switch.count) + " switches, " + found + " on one";
        else if (!first_tier || fit.has == 0 || !scenario_.groups.empty())
            found += " inputs";
        if (fit.has == 0) found += " of " + to_text(fit.speed);
        if (wanted.uplinks > 0) found += " beside " + std::to_string(wanted.uplinks) + " uplinks";
    }
    const auto ports = given.find(table.name + ".ports"), place = given.find(key),
               model = given.find(table.name + ".model");
    const std::string of =
        ports != given.end() ? table.name + ".ports" : table.name + ".model \"" + table.settings.model + "\"";
    const bool maybe = fit.fits == PortFit::Fit::Unknown;
    throw InputError(
        (place != given.end()   ? place->second
         : ports != given.end() ? ports->second
         : model != given.end() ? model->second
                                : file_),
        key,
        "found " + found + ", expected " +
            (fit.has == 0 ? "a speed of the ports"
                          : "no more than the " + std::to_string(fit.has) + " ports of " + to_text(fit.speed)) +
            " of " + of + ", which has " + to_text(table.settings.ports) +
            (maybe ? "; if its faster ports run at that speed, say so with " : "; another number is given with ") +
            table.name + ".ports");
}

void NetworkReader::note_overridden(const SwitchTable& table, const Places& given) {
    for (const auto& [key, of_model] : models_[table.name].values) {
        const std::string name = table.named(key);
        const auto value = given_values_.find(name);
        if (value == given_values_.end() || value->second == of_model) continue;
        // The file without its line, so that a remark above it changes no header.
        assumed_.push_back({name, value_text(value->second), table.settings.model, value_text(of_model),
                            given.at(name) == "--set" ? "--set" : file_});
    }
}

void NetworkReader::check(const Places& given) {
    try {
        const Network network(scenario_);
        NetworkFailures(network, scenario_);
        std::vector<NeededPorts> needed;  // by switch, if some table states ports
        for (const SwitchTable& table : tables(network)) {
            if (!table.settings.ports.empty()) {
                if (needed.empty()) needed = needed_ports(scenario_, network);
                check_ports(table, needed[static_cast<std::size_t>(table.number)], given);
            }
            check_switch(table, file_, given);
            for (const std::string& key : table.unknown)
                if (given.count(table.named(key)) == 0 && has_use(key, table.settings))
                    assumed_.push_back({table.named(key), assumed_value(key), table.settings.model});
            note_overridden(table, given);
        }
        check_gates(scenario_, network);
    } catch (const KeyError& error) {
        const auto place = given.find(error.key);
        throw InputError(place == given.end() ? file_ : place->second, error.key, error.why);
    }
}

}  // namespace watershed
