// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/keys.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "scenarios/keys/key-table.h"
#include "scenarios/keys/system.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

namespace {

std::vector<ScenarioKey> keys_of_all() {
    using namespace key_tables;
    std::string meaning = "What is simulated. \"camera\": modules, a switch and a server.";
    std::vector<std::string> names{"camera"};
    for (const System& system : all_systems()) {
        std::string figures;
        for (const std::string& kind : system.figures) figures += (figures.empty() ? ", drawn by " : ", ") + kind;
        meaning += " \"" + system.name + "\": " + system.help + figures + ".";
        names.push_back(system.name);
    }
    std::vector<Key<Scenario>> all{
        {"system", WATERSHED_AT(Scenario, system),
         meaning +
             " Each system has a table of its name; the camera has the tables from [frame] to [server]. Figures are "
             "kinds of watershed plot.",
         choice(names)},
        {"seed", WATERSHED_AT(Scenario, seed), "All random numbers of a run derive from this seed.",
         from_to(0, kAny.most)},
    };
    std::vector<ScenarioKey> keys = keys_of(
        "", +[](Scenario& scenario) -> Scenario& { return scenario; }, std::move(all));
    keys.reserve(512);
    const auto add = [&](std::vector<ScenarioKey> more) {
        std::move(more.begin(), more.end(), std::back_inserter(keys));
    };
    add(camera_keys());
    for (const System& system : all_systems()) add(system.keys());
    return keys;
}

}  // namespace

const std::vector<ScenarioKey>& scenario_keys() {
    static const std::vector<ScenarioKey> keys = keys_of_all();
    return keys;
}

std::string named_in(const std::string& table, const std::string& key) {
    return begins_with(key, table) ? key.substr(table.size(), key.find('.', table.size()) - table.size()) : "";
}

std::string listed_name(const std::string& name) {
    for (const std::string table : {"node.", "traffic.", "group.", "failure."}) {
        const std::size_t rest = table.size() + named_in(table, name).size() + 1;
        if (rest > table.size() + 1) return table + (rest > name.size() ? "NAME" : "NAME." + name.substr(rest));
    }
    return name;
}

std::string one_of(const std::vector<std::string>& choices) { return "one of \"" + listed(choices, "\", \"") + "\""; }

const System* find_system(const std::string& name) {
    const auto found = std::find_if(all_systems().begin(), all_systems().end(),
                                    [&](const System& system) { return system.name == name; });
    return found == all_systems().end() ? nullptr : &*found;
}

const ScenarioKey* find_key(const std::string& name) {
    static const auto by_name = [] {
        std::unordered_map<std::string_view, const ScenarioKey*> all(scenario_keys().size());
        for (const ScenarioKey& key : scenario_keys()) all.emplace(key.name, &key);
        return all;
    }();
    const auto key = by_name.find(listed_name(name));
    return key == by_name.end() ? nullptr : key->second;
}

bool is_table(const std::string& prefix) {
    const auto& keys = scenario_keys();
    return std::any_of(keys.begin(), keys.end(), [&](const ScenarioKey& key) { return begins_with(key.name, prefix); });
}

std::vector<std::string> siblings(const std::string& prefix) {
    std::vector<std::string> names;
    for (const ScenarioKey& key : scenario_keys()) {
        if (!begins_with(key.name, prefix)) continue;
        const std::string rest = key.name.substr(prefix.size());
        const std::string name = rest.substr(0, rest.find('.'));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

namespace {

/// Keys of this name in other tables than the one where it was found; not in those that users name.
std::vector<std::string> elsewhere(const std::string& name) {
    constexpr std::size_t kMost = 3;  // the name says little where more tables have it
    const std::string end = "." + name;
    std::vector<std::string> keys;
    for (const ScenarioKey& key : scenario_keys())
        if (key.like.empty() && key.name.find("NAME") == std::string::npos && key.name.size() > end.size() &&
            key.name.compare(key.name.size() - end.size(), end.size(), end) == 0)
            keys.push_back(key.name);
    return keys.size() > kMost ? std::vector<std::string>() : keys;
}

/// @param rest  what follows the table `prefix` and is not known there: "bufer.size"
std::vector<std::string> likely_keys(const std::string& prefix, const std::string& rest) {
    const auto end = std::min(rest.find('.'), rest.size());
    std::vector<std::string> keys = likely_names(rest.substr(0, end), siblings(prefix));
    for (std::string& key : keys) {
        key = prefix + key;
        if (find_key(key + rest.substr(end))) key += rest.substr(end);
    }
    return keys.empty() ? elsewhere(rest.substr(rest.rfind('.') + 1)) : keys;
}

}  // namespace

void unknown_key(const std::string& place, const std::string& name) {
    const std::string full = listed_name(name);
    if (is_table(full + ".")) throw InputError(place + ": " + name + ": found a value, expected a table of keys");
    std::string table = full, prefix;
    do {
        const auto dot = table.rfind('.');
        table = dot == std::string::npos ? "" : table.substr(0, dot);
        prefix = table.empty() ? "" : table + ".";
    } while (!is_table(prefix));
    throw InputError(place + ": " + name + ": unknown key, expected " + (prefix.empty() ? "" : "in [" + table + "] ") +
                     "one of " + listed(siblings(prefix)) +
                     did_you_mean(likely_keys(prefix, full.substr(prefix.size()))));
}

}  // namespace watershed
