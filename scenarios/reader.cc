// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "scenarios/catalogue.h"
#include "scenarios/ejfat-keys.h"
#include "scenarios/input-error.h"
#include "scenarios/ipbus-keys.h"
#include "scenarios/keys.h"
#include "scenarios/switch-check.h"
#include "scenarios/toml-value.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

/// The keys that were given, each with where it stands: "FILE:LINE" or "--set".
using Places = std::map<std::string, std::string>;

bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

const ScenarioKey* find_key(const std::string& name) {
    const auto& keys = scenario_keys();
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const ScenarioKey& k) { return k.name == name; });
    return key == keys.end() ? nullptr : &*key;
}

/// The keys and tables that may stand in the table `prefix` ("" or "switch.").
std::string siblings(const std::string& prefix) {
    std::vector<std::string> names;
    for (const ScenarioKey& key : scenario_keys()) {
        if (!begins_with(key.name, prefix)) continue;
        const std::string rest = key.name.substr(prefix.size());
        const std::string name = rest.substr(0, rest.find('.'));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

[[noreturn]] void unknown_key(const std::string& place, std::string name) {
    std::string prefix = name;
    do {
        const auto dot = prefix.empty() ? std::string::npos : prefix.find_last_of('.', prefix.size() - 2);
        prefix = dot == std::string::npos ? "" : prefix.substr(0, dot + 1);
    } while (siblings(prefix).empty());
    throw InputError(place + ": " + name + ": unknown key, expected " + (prefix.empty() ? "" : "in [" + prefix.substr(0, prefix.size() - 1) + "] ") + "one of " + siblings(prefix));
}

void set(Scenario& scenario, const ScenarioKey& key, const std::string& place, const toml::node& node, Places& given) {
    try {
        key.set(scenario, value_of(node));
    } catch (const std::invalid_argument& error) {
        throw InputError(place + ": " + key.name + ": " + error.what());
    }
    given[key.name] = place;
}

void read_table(Scenario& scenario, const toml::table& table, const std::string& prefix, const std::string& file, Places& given) {
    for (const auto& [name, node] : table) {
        const std::string full = prefix + std::string(name.str());
        const std::string place = file + ":" + std::to_string(name.source().begin.line);
        if (const ScenarioKey* key = find_key(full)) {
            set(scenario, *key, place, node, given);
        } else if (const auto* inner = node.as_table(); inner && !siblings(full + ".").empty()) {
            read_table(scenario, *inner, full + ".", file, given);
        } else {
            unknown_key(place, full);
        }
    }
}

/// KEY=VALUE; a value that is no TOML, such as 300 frames, is text.
void apply_override(Scenario& scenario, const std::string& text, Places& given) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw InputError("--set " + text + ": expected KEY=VALUE, for example --set switch.uplinks=2");
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    const ScenarioKey* key = find_key(name);
    if (!key) unknown_key("--set", name);
    const toml::value<std::string> as_text(value);
    try {
        const toml::table parsed = toml::parse("value = " + value + "\n");
        if (parsed.size() == 1 && parsed.contains("value")) {
            set(scenario, *key, "--set", *parsed.get("value"), given);
            return;
        }
    } catch (const toml::parse_error&) {
        // text without quotes
    }
    set(scenario, *key, "--set", as_text, given);
}

struct PatternKeys {
    Trigger::Pattern pattern;
    const char* name;
    std::vector<std::string> required;
    std::vector<std::string> allowed;
};

const PatternKeys& pattern_keys(Trigger::Pattern pattern) {
    static const std::vector<PatternKeys> all{
        {Trigger::Pattern::Burst, "burst", {"separation", "events"}, {}},
        {Trigger::Pattern::Periodic, "periodic", {"rate"}, {"events", "duration"}},
        {Trigger::Pattern::Bursts, "bursts", {"separation", "events", "bursts", "period"}, {}},
        {Trigger::Pattern::Poisson, "poisson", {"rate"}, {"events", "duration"}},
        {Trigger::Pattern::File, "file", {"file"}, {}},
        {Trigger::Pattern::LineRatePlusBurst, "line-rate-plus-burst", {"events"}, {}},
    };
    return *std::find_if(all.begin(), all.end(), [&](const PatternKeys& keys) { return keys.pattern == pattern; });
}

void check_trigger(Scenario& scenario, const std::string& file, const Places& given) {
    Trigger& trigger = scenario.trigger;
    const PatternKeys& keys = pattern_keys(trigger.pattern);
    const std::string pattern = "pattern \"" + std::string(keys.name) + "\"";
    const auto is_given = [&](const std::string& key) { return given.count("trigger." + key) != 0; };
    const auto contains = [](const std::vector<std::string>& list, const std::string& key) { return std::find(list.begin(), list.end(), key) != list.end(); };

    for (const std::string& key : keys.required)
        if (!is_given(key)) throw InputError(file + ": trigger." + key + ": missing, expected with " + pattern);
    for (const auto& [name, place] : given) {
        if (!begins_with(name, "trigger.")) continue;
        const std::string key = name.substr(8);
        if (key != "pattern" && key != "dead_time" && !contains(keys.required, key) && !contains(keys.allowed, key))
            throw InputError(place + ": " + name + ": conflicts with " + pattern + ", which does not use it");
    }
    if (contains(keys.allowed, "duration")) {
        if (!is_given("events") && !is_given("duration"))
            throw InputError(file + ": trigger.events: missing, expected trigger.events or trigger.duration with " + pattern);
        if (trigger.pattern == Trigger::Pattern::Poisson && !is_given("dead_time")) trigger.dead_time = Time{2'000'000};
    }

    const Wide burst = Wide{trigger.separation.count()} * (trigger.events.value_or(1) - 1);
    if (trigger.pattern == Trigger::Pattern::Bursts && trigger.bursts > 1 && Wide{trigger.period.count()} < burst)
        throw InputError(given.at("trigger.period") + ": trigger.period: found \"" + to_text(trigger.period) + "\", expected at least the length of one burst");
    // Half of what a Time holds, so that queues have room behind the last trigger.
    constexpr Wide kLongest = std::numeric_limits<std::int64_t>::max() / 2;
    Wide length = burst;
    if (trigger.pattern == Trigger::Pattern::Bursts) length += Wide{trigger.period.count()} * (trigger.bursts - 1);
    if (is_given("rate") && trigger.events) length = Wide{*trigger.events} * (Wide{1'000'000'000'000'000'000} / trigger.rate.count + trigger.dead_time.count());
    if (trigger.duration) length = trigger.events ? std::min(length, Wide{trigger.duration->count()}) : Wide{trigger.duration->count()};
    if (length > kLongest) throw InputError(file + ": trigger: the triggers last longer than 53 days, expected less");

    if (trigger.pattern == Trigger::Pattern::File) {
        std::filesystem::path times(trigger.file);
        if (times.is_relative() && given.at("trigger.file") != "--set") times = std::filesystem::path(file).parent_path() / times;
        trigger.times = read_trigger_times(times.string());
    }
}

/// Two ports and one output, all of one speed unless the scenario says otherwise.
void check_line_rate_plus_burst(Scenario& scenario, const Places& given) {
    const auto need = [&](const std::string& key, auto& value, auto expected, const std::string& text) {
        if (given.count(key) == 0) value = expected;
        if (value != expected) throw InputError(given.at(key) + ": " + key + ": conflicts with pattern \"line-rate-plus-burst\", expected " + text);
    };
    need("front_end.modules", scenario.front_end.modules, 2, "2");
    need("switch.uplinks", scenario.network_switch.uplinks, 1, "1");
    need("front_end.fifo", scenario.front_end.fifo, std::optional<std::int64_t>{}, "\"unlimited\"");
    need("trigger.dead_time", scenario.trigger.dead_time, Time{0}, "\"0 us\"");
    if (given.count("switch.uplink_rate") == 0) scenario.network_switch.uplink_rate = scenario.front_end.link_rate;
}

/// What the switch model says, before the scenario and --set have their word.
struct FromModel {
    std::set<std::string> known;
    std::set<std::string> unknown;
};

/// The model that the scenario or, if it does, --set names; with where it does so.
std::pair<std::string, std::string> named_model(const toml::table& table, const std::string& file, const std::vector<std::string>& overrides) {
    std::pair<std::string, std::string> named;
    if (const auto model = table["switch"]["model"]; const auto* text = model.as_string())
        named = {text->get(), file + ":" + std::to_string(text->source().begin.line)};
    const std::string set_model = "switch.model=";
    for (const std::string& override_text : overrides)
        if (begins_with(override_text, set_model)) {
            std::string value = override_text.substr(set_model.size());
            if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
            named = {value, "--set"};
        }
    return named;
}

FromModel apply_model(Scenario& scenario, const toml::table& table, const std::string& file, const std::vector<std::string>& overrides) {
    FromModel from;
    const auto [model, place] = named_model(table, file, overrides);
    if (model.empty()) return from;
    CatalogueSwitch entry;
    try {
        entry = read_catalogue_switch(model, std::filesystem::path(file).parent_path().string());
    } catch (const InputError& error) {
        throw InputError(place + ": switch.model: " + error.what());
    }
    for (const CatalogueSwitch::Value& value : entry.values) {
        const ScenarioKey* key = find_key(value.key);
        if (!key || value.key == "switch.model") unknown_key(value.place, value.key);
        if (!value.value) {
            from.unknown.insert(value.key);
            continue;
        }
        try {
            key->set(scenario, *value.value);
        } catch (const std::invalid_argument& error) {
            throw InputError(value.place + ": " + value.key + ": " + error.what());
        }
        from.known.insert(value.key);
    }
    for (const auto& ports : entry.ports) scenario.network_switch.ports += ports.count;
    return from;
}

void check_model(const Scenario& scenario, const std::string& file, const Places& given, const FromModel& from) {
    const std::string& model = scenario.network_switch.model;
    for (const auto& key : from.unknown) {
        if (given.count(key) == 0 && must_be_known(key, scenario.network_switch)) throw InputError(file + ": " + key + ": unknown for switch.model \"" + model + "\", expected in the scenario");
    }
    const int ports = scenario.network_switch.ports, taken = scenario.front_end.modules + scenario.network_switch.uplinks;
    if (ports > 0 && taken > ports) {
        const auto place = given.find("front_end.modules");
        throw InputError((place == given.end() ? file : place->second) + ": front_end.modules: found " + std::to_string(scenario.front_end.modules) + " beside " +
                         std::to_string(scenario.network_switch.uplinks) + " uplinks, expected no more than the " + std::to_string(ports) + " ports of switch.model \"" +
                         model + "\"");
    }
}

/// What stands in the place of what is unknown and would have had a use.
std::vector<AssumedValue> assumed_values(const Scenario& scenario, const Places& given, const FromModel& from) {
    std::vector<AssumedValue> assumed;
    for (const std::string& key : from.unknown)
        if (given.count(key) == 0 && has_use(key, scenario.network_switch)) assumed.push_back({key, assumed_value(key), scenario.network_switch.model});
    return assumed;
}

/// The tables that are a system's own; a camera has all others.
struct SystemTable {
    System system;
    std::string name;
    std::vector<std::string> required;
};

const std::vector<SystemTable>& system_tables() {
    static const std::vector<SystemTable> all{
        {System::Udpmon, "udpmon", {"payload", "spacing"}},
        {System::Ipbus, "ipbus", {"units", "block"}},
        {System::Flashing, "flashing", {"workers"}},
        {System::Ejfat, "ejfat", {"source.event_size", "source.bit_rate"}},
    };
    return all;
}

/// Where the key stands, or the file if it was not given.
std::string place_of(const std::string& key, const std::string& file, const Places& given) {
    const auto place = given.find(key);
    return place == given.end() ? file : place->second;
}

void check_udpmon(const Udpmon& udpmon, const std::string& file) {
    const Time longest = *std::max_element(udpmon.spacings.begin(), udpmon.spacings.end());
    if (Wide{longest.count()} * udpmon.packets > std::numeric_limits<std::int64_t>::max() / 2)
        throw InputError(file + ": udpmon.packets: found " + std::to_string(udpmon.packets) + " packets " + to_text(longest) + " apart, expected less than 53 days");
}

/// A key of another system's table would be of no effect.
void check_system(const Scenario& scenario, const std::string& file, const Places& given) {
    const auto table_of = [](const std::string& key) {
        return std::find_if(system_tables().begin(), system_tables().end(), [&](const SystemTable& table) { return begins_with(key, table.name + "."); });
    };
    const auto own = std::find_if(system_tables().begin(), system_tables().end(), [&](const SystemTable& table) { return table.system == scenario.system; });
    const std::string name = own == system_tables().end() ? "camera" : own->name;
    for (const auto& [key, place] : given)
        if (key != "system" && key != "seed" && table_of(key) != own) throw InputError(place + ": " + key + ": conflicts with system \"" + name + "\", which does not use it");
    if (own == system_tables().end()) return;
    for (const std::string& key : own->required)
        if (given.count(name + "." + key) == 0) throw InputError(file + ": " + name + "." + key + ": missing, expected with system \"" + name + "\"");
    if (scenario.system == System::Udpmon) check_udpmon(scenario.udpmon, file);
    if (scenario.system == System::Ipbus) check_ipbus(scenario.ipbus, [&](const std::string& key) { return place_of(key, file, given); });
    if (scenario.system == System::Ejfat) check_ejfat(scenario.ejfat, [&](const std::string& key) { return place_of(key, file, given); });
}

enum class Triggers { OfScenario, OneBurst, LineRatePlusBurst };

void read_triggers(Scenario& scenario, const std::string& file, const Places& given, Triggers triggers) {
    if (triggers == Triggers::OfScenario) {
        check_trigger(scenario, file, given);
    } else {
        scenario.trigger = Trigger{};
        scenario.trigger.events = 1;
        if (triggers == Triggers::LineRatePlusBurst) scenario.trigger.pattern = Trigger::Pattern::LineRatePlusBurst;
    }
    if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) check_line_rate_plus_burst(scenario, given);
}

Scenario read(const std::string& file, const std::vector<std::string>& overrides, Triggers triggers, std::vector<AssumedValue>* assumed) {
    Scenario scenario;
    Places given;
    const toml::table table = read_toml(file);
    const FromModel from_model = apply_model(scenario, table, file, overrides);
    read_table(scenario, table, "", file, given);
    for (const std::string& override_text : overrides) apply_override(scenario, override_text, given);

    check_system(scenario, file, given);
    if (scenario.system != System::Camera) {
        if (triggers != Triggers::OfScenario) throw InputError(given.at("system") + ": system: found another than \"camera\", which this command expects");
        return scenario;
    }
    check_model(scenario, file, given, from_model);
    if (given.count("switch.buffer.size") + from_model.known.count("switch.buffer.size") == 0)
        throw InputError(file + ": switch.buffer.size: missing, expected an amount of memory such as \"308000 frames\" or \"330 MB\"");
    try {
        frames_of_fragment(scenario.frame);
    } catch (const std::invalid_argument& error) {
        const auto place = given.find("frame.payload");
        throw InputError((place == given.end() ? file : place->second) + ": frame.payload: " + error.what());
    }
    read_triggers(scenario, file, given, triggers);
    check_switch(scenario, file, given, from_model.known);
    if (assumed) *assumed = assumed_values(scenario, given, from_model);
    return scenario;
}

}  // namespace

Scenario read_system(const std::string& file, const std::vector<std::string>& overrides, std::vector<AssumedValue>* assumed) {
    return read(file, overrides, Triggers::OfScenario, assumed);
}

Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides, std::vector<AssumedValue>* assumed) {
    Scenario scenario = read_system(file, overrides, assumed);
    if (scenario.system != System::Camera) throw InputError(file + ": system: found another than \"camera\", which this command expects");
    return scenario;
}

Scenario read_apparatus(const std::string& file, const std::vector<std::string>& overrides, std::vector<AssumedValue>* assumed) {
    return read(file, overrides, Triggers::OneBurst, assumed);
}

Scenario read_line_rate_plus_burst(const std::string& file, const std::vector<std::string>& overrides, std::vector<AssumedValue>* assumed) {
    return read(file, overrides, Triggers::LineRatePlusBurst, assumed);
}

std::vector<Time> read_trigger_times(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    std::vector<Time> times;
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
        text.erase(std::min(text.find('#'), text.size()));
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        text.erase(text.find_last_not_of(" \t\r") + 1);
        const std::string place = file + ":" + std::to_string(line) + ": ";
        try {
            times.push_back(parse_time(text));
        } catch (const std::invalid_argument& error) {
            throw InputError(place + error.what());
        }
        if (times.back().count() > std::numeric_limits<std::int64_t>::max() / 2) throw InputError(place + "found \"" + text + "\", expected less than 53 days");
        if (times.size() > 1 && times.back() < times[times.size() - 2])
            throw InputError(place + "found \"" + text + "\", expected a time not before the one above it");
    }
    if (times.empty()) throw InputError(file + ": expected at least one trigger time");
    return times;
}

}  // namespace watershed
