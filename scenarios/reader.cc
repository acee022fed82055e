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
#include <sstream>
#include <stdexcept>

#include "scenarios/input-error.h"
#include "scenarios/keys.h"
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

KeyValue value_of(const toml::node& node) {
    if (const auto* b = node.as_boolean()) return b->get();
    if (const auto* i = node.as_integer()) return i->get();
    if (const auto* d = node.as_floating_point()) return d->get();
    if (const auto* s = node.as_string()) return s->get();
    if (const auto* array = node.as_array()) {
        std::vector<std::string> list;
        for (const toml::node& element : *array) {
            const auto* s = element.as_string();
            if (!s) throw std::invalid_argument("found a list with a member that is not text, expected values with units in quotes");
            list.push_back(s->get());
        }
        return list;
    }
    throw std::invalid_argument("found a date or time of day, expected another kind of value");
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

Scenario read(const std::string& file, const std::vector<std::string>& overrides, bool with_trigger) {
    std::ifstream in(file);
    std::stringstream text;
    if (in) text << in.rdbuf();
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));

    Scenario scenario;
    Places given;
    try {
        read_table(scenario, toml::parse(text.str(), file), "", file, given);
    } catch (const toml::parse_error& error) {
        throw InputError(file + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
    }
    for (const std::string& override_text : overrides) apply_override(scenario, override_text, given);

    if (given.count("switch.buffer.size") == 0)
        throw InputError(file + ": switch.buffer.size: missing, expected an amount of memory such as \"308000 frames\" or \"330 MB\"");
    try {
        frames_of_fragment(scenario.frame);
    } catch (const std::invalid_argument& error) {
        const auto place = given.find("frame.payload");
        throw InputError((place == given.end() ? file : place->second) + ": frame.payload: " + error.what());
    }
    if (with_trigger) {
        check_trigger(scenario, file, given);
    } else {
        scenario.trigger = Trigger{};
        scenario.trigger.events = 1;
    }
    return scenario;
}

}  // namespace

Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides) { return read(file, overrides, true); }

Scenario read_apparatus(const std::string& file, const std::vector<std::string>& overrides) { return read(file, overrides, false); }

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
