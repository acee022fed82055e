// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/reader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "model/frontend/fragment-sizes.h"
#include "model/network/almost-full.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/network-keys.h"
#include "scenarios/keys/server-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/keys/traffic-keys.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/reader/profile-files.h"
#include "scenarios/reader/traffic-reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Reads keys into a scenario, wherever they stand.
class KeyReader {
  public:
    KeyReader(Scenario& scenario, NetworkReader& network, TrafficReader& traffic, const std::string& file,
              Places& given)
        : scenario_(scenario), network_(network), traffic_(traffic), file_(file), given_(given) {}

    void read_table(const toml::table& table, const std::string& prefix = "") {
        for (const auto& [name, node] : table) {
            const std::string full = prefix + std::string(name.str());
            const unsigned line = name.source().begin.line;
            const std::string place = file_ + ":" + std::to_string(line);
            if (const ScenarioKey* key = find_key(full)) {
                set(full, *key, place, line, node);
            } else if (is_table(listed_name(full) + ".")) {
                const auto* inner = node.as_table();
                if (!inner) throw InputError(place + ": " + full + ": found a value, expected a table");
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
        if (!key && is_table(listed_name(name) + "."))
            throw InputError("--set: " + name + ": found \"" + value + "\", but it is a table: expected a key of it");
        if (!key) unknown_key("--set", name);
        constexpr unsigned kBehindTheFile = std::numeric_limits<unsigned>::max();
        set(name, *key, "--set", kBehindTheFile, *override_value(value).get("value"));
    }

  private:
    void set(const std::string& name, const ScenarioKey& key, const std::string& place, unsigned line,
             const toml::node& node) {
        read_at(place, name, [&] {
            network_.note(name, value_of(node));
            if (!stream_of(name).empty())
                traffic_.put_aside({name, &key, value_of(node), place, line});
            else if (node_of(name).empty())
                key.set(scenario_, value_of(node));
            else
                network_.put_aside({name, &key, value_of(node), place, line});
        });
        given_[name] = place;
    }

    Scenario& scenario_;
    NetworkReader& network_;
    TrafficReader& traffic_;
    const std::string& file_;
    Places& given_;
};

struct PatternKeys {
    Trigger::Pattern pattern;
    const char* name;
    std::vector<std::string> required;
    std::vector<std::string> allowed;
};

const PatternKeys& pattern_keys(Trigger::Pattern pattern) {
    static const std::vector<PatternKeys> all{
        {Trigger::Pattern::Burst, "burst", {"separation", "events"}, {}},
        {Trigger::Pattern::Periodic,
         "periodic",
         {"rate"},
         {"rules", "events", "duration", "burst.events", "burst.separation", "burst.rate", "burst.period"}},
        {Trigger::Pattern::Bursts, "bursts", {"separation", "events", "bursts", "period"}, {}},
        {Trigger::Pattern::Poisson,
         "poisson",
         {"rate"},
         {"rules", "events", "duration", "burst.events", "burst.separation", "burst.rate", "burst.period"}},
        {Trigger::Pattern::File, "file", {"file"}, {"rules"}},
        {Trigger::Pattern::Profile,
         "profile",
         {"file"},
         {"rules", "events", "duration", "regular", "largest_step", "burst.events", "burst.separation", "burst.rate",
          "burst.period"}},
        {Trigger::Pattern::LineRatePlusBurst, "line-rate-plus-burst", {"events"}, {}},
    };
    return *std::find_if(all.begin(), all.end(), [&](const PatternKeys& keys) { return keys.pattern == pattern; });
}

/// Whether triggers come for ever, unless a key says otherwise, and none does.
bool needs_end(const Trigger& trigger) {
    const auto& required = pattern_keys(trigger.pattern).required;
    const bool for_ever = std::find(required.begin(), required.end(), "rate") != required.end();
    return for_ever && !trigger.events && !trigger.duration;
}

/// Bursts on top have events, a separation, and either a rate or a period.
void check_extra_bursts(const ExtraBursts& burst, const std::string& file, const Places& given) {
    const auto is_given = [&](const std::string& key) { return given.count("trigger.burst." + key) != 0; };
    const std::vector<std::string> keys{"events", "separation", "rate", "period"};
    if (std::none_of(keys.begin(), keys.end(), is_given)) return;
    for (const std::string key : {"events", "separation"})
        if (!is_given(key))
            throw InputError(file + ": trigger.burst." + key +
                             ": missing, expected with bursts on top of other triggers");
    if (is_given("rate") == is_given("period"))
        throw InputError((is_given("rate") ? given.at("trigger.burst.period") : file) + ": trigger.burst.period: " +
                         (is_given("rate") ? "conflicts with" : "missing, expected this or") + " trigger.burst.rate");
    constexpr Wide kLongest = std::numeric_limits<std::int64_t>::max() / 2;
    const Wide length = Wide{burst.separation.count()} * (burst.events - 1);
    if (length > kLongest)
        throw InputError(given.at("trigger.burst.events") +
                         ": trigger.burst.events: found a burst of more than 53 days, expected less");
    if (is_given("period") && Wide{burst.period.count()} < length)
        throw InputError(given.at("trigger.burst.period") + ": trigger.burst.period: found \"" + to_text(burst.period) +
                         "\", expected at least the length of one burst");
}

/// The file that a key names, relative to the scenario unless --set names it.
std::string named_file(const std::string& name, const std::string& key, const std::string& file, const Places& given) {
    const std::filesystem::path path(name);
    return path.is_relative() && given.at(key) != "--set" ? (std::filesystem::path(file).parent_path() / path).string()
                                                          : name;
}

void check_trigger(Scenario& scenario, const std::string& file, const Places& given) {
    Trigger& trigger = scenario.trigger;
    const PatternKeys& keys = pattern_keys(trigger.pattern);
    const std::string pattern = "pattern \"" + std::string(keys.name) + "\"";
    const auto is_given = [&](const std::string& key) { return given.count("trigger." + key) != 0; };
    const auto contains = [](const std::vector<std::string>& list, const std::string& key) {
        return std::find(list.begin(), list.end(), key) != list.end();
    };
    const auto is_set = [&](const std::string& key) { return is_given(key) && given.at("trigger." + key) == "--set"; };
    // Trigger times by --set replace the triggers of the file.
    const bool replaced = trigger.pattern == Trigger::Pattern::File && is_set("pattern") && is_set("file");
    if (replaced) {
        Trigger times;
        times.pattern = trigger.pattern;
        times.file = trigger.file;
        times.dead_time = trigger.dead_time;
        if (is_set("rules")) times.rules = trigger.rules;
        trigger = times;
    }

    for (const std::string& key : keys.required)
        if (!is_given(key)) throw InputError(file + ": trigger." + key + ": missing, expected with " + pattern);
    for (const auto& [name, place] : given) {
        if (!begins_with(name, "trigger.") || (replaced && place != "--set")) continue;
        const std::string key = name.substr(8);
        if (key != "pattern" && key != "dead_time" && !contains(keys.required, key) && !contains(keys.allowed, key))
            throw InputError(place + ": " + name + ": conflicts with " + pattern + ", which does not use it");
    }
    if (contains(keys.allowed, "duration")) {
        const bool profile = trigger.pattern == Trigger::Pattern::Profile;
        const bool random = trigger.pattern == Trigger::Pattern::Poisson || (profile && !trigger.regular);
        if (random && !is_given("dead_time")) trigger.dead_time = Time{2'000'000};
        check_extra_bursts(trigger.burst, file, given);
    }

    const Wide burst = Wide{trigger.separation.count()} * (trigger.events.value_or(1) - 1);
    if (trigger.pattern == Trigger::Pattern::Bursts && trigger.bursts > 1 && Wide{trigger.period.count()} < burst)
        throw InputError(given.at("trigger.period") + ": trigger.period: found \"" + to_text(trigger.period) +
                         "\", expected at least the length of one burst");
    // Half of what a Time holds, so that queues have room behind the last trigger.
    constexpr Wide kLongest = std::numeric_limits<std::int64_t>::max() / 2;
    Wide length = burst;
    if (trigger.pattern == Trigger::Pattern::Bursts) length += Wide{trigger.period.count()} * (trigger.bursts - 1);
    if (is_given("rate") && trigger.events)
        length =
            Wide{*trigger.events} * (Wide{1'000'000'000'000'000'000} / trigger.rate.count + trigger.dead_time.count());
    if (trigger.duration)
        length = trigger.events ? std::min(length, Wide{trigger.duration->count()}) : Wide{trigger.duration->count()};
    if (length > kLongest) throw InputError(file + ": trigger: found triggers over more than 53 days, expected less");

    if (trigger.pattern == Trigger::Pattern::File)
        trigger.times = read_trigger_times(named_file(trigger.file, "trigger.file", file, given));
    if (trigger.pattern == Trigger::Pattern::Profile) {
        trigger.profile =
            read_rate_profile(named_file(trigger.file, "trigger.file", file, given), trigger.largest_step);
        if (trigger.duration && *trigger.duration > trigger.profile.back().time)
            throw InputError(given.at("trigger.duration") + ": trigger.duration: found \"" +
                             to_text(*trigger.duration) + "\", expected at most " +
                             to_text(trigger.profile.back().time) + ", the end of trigger.file");
    }
}

/// Two ports and one output, all of one speed unless the scenario says otherwise.
void check_line_rate_plus_burst(Scenario& scenario, const std::string& file, const Places& given) {
    const auto need = [&](const std::string& key, auto& value, auto expected, const std::string& text) {
        if (given.count(key) == 0) value = expected;
        if (value != expected)
            throw InputError(given.at(key) + ": " + key +
                             ": conflicts with pattern \"line-rate-plus-burst\", expected " + text);
    };
    need("front_end.modules", scenario.front_end.modules, 2, "2");
    need("switch.uplinks", scenario.network_switch.uplinks, 1, "1");
    need("switch.count", scenario.network_switch.count, 1, "1");
    if (scenario.aggregation || !scenario.nodes.empty())
        throw InputError(file +
                         ": trigger.pattern: \"line-rate-plus-burst\" conflicts with [aggregation] and [node.NAME], "
                         "expected a single switch");
    need("front_end.fifo", scenario.front_end.fifo, std::optional<std::int64_t>{}, "\"unlimited\"");
    need("front_end.gap", scenario.front_end.gap, Time{0}, "\"0 us\"");
    need("trigger.dead_time", scenario.trigger.dead_time, Time{0}, "\"0 us\"");
    if (given.count("switch.uplink_rate") == 0) scenario.network_switch.uplink_rate = scenario.front_end.link_rate;
}

/// Where the key stands, or the file if it was not given.
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

/// The payloads of fragments, and whether they fit into frames.
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

enum class Triggers { OfScenario, OneBurst, LineRatePlusBurst };

void read_triggers(Scenario& scenario, const std::string& file, const Places& given, Triggers triggers) {
    if (triggers == Triggers::OfScenario) {
        check_trigger(scenario, file, given);
    } else {
        scenario.trigger = Trigger{};
        scenario.trigger.events = 1;
        if (triggers == Triggers::LineRatePlusBurst) scenario.trigger.pattern = Trigger::Pattern::LineRatePlusBurst;
    }
    if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
        check_line_rate_plus_burst(scenario, file, given);
}

Scenario read(const std::string& file, const std::vector<std::string>& overrides, Triggers triggers,
              std::vector<AssumedValue>* assumed, LeftOut* left_out = nullptr) {
    Scenario scenario;
    Places given;
    toml::table table = read_toml(file);
    if (left_out)
        for (const std::string& name : left_out->names)
            if (take_out(table, name)) left_out->found.push_back(name);
    NetworkReader network(scenario, file, overrides);
    network.apply_models(table);
    TrafficReader traffic(scenario, file);
    KeyReader keys(scenario, network, traffic, file, given);
    keys.read_table(table);
    for (const std::string& override_text : overrides) keys.apply_override(override_text);

    check_system(scenario, file, given);
    if (!scenario.is_camera()) {
        if (triggers != Triggers::OfScenario)
            throw InputError(given.at("system") + ": system: expected \"camera\" for this command");
        return scenario;
    }
    network.build_nodes(given);
    check_frame(scenario, file, given);
    if (triggers != Triggers::OfScenario && !scenario.frame.payloads.empty())
        throw InputError(given.at(given.count("frame.payloads") ? "frame.payloads" : "frame.payload_file") + ": " +
                         (given.count("frame.payloads") ? "frame.payloads" : "frame.payload_file") +
                         ": found fragments of several sizes, expected one size for this command");
    check_server(scenario.server, [&](const std::string& key) { return given.count(key) ? given.at(key) : ""; });
    read_triggers(scenario, file, given, triggers);
    traffic.build(given);
    network.check(given);
    traffic.check_switches();
    try {
        AlmostFull::of(scenario);
    } catch (const KeyError& error) {
        throw InputError(place_of(error.key, file, given), error.key, error.why);
    }
    if (assumed) *assumed = network.assumed();
    return scenario;
}

/// For those who calculate with fragments that are alike and come without a pause.
Scenario alike(Scenario scenario, const std::string& file) {
    const auto refuse = [&](const std::string& found) {
        throw InputError(file + ": " + found + " for this command; run, map and boundary simulate it");
    };
    if (!scenario.frame.fragments.payloads.empty())
        refuse("front_end.fragments: found a list of payloads, expected a number");
    if (scenario.front_end.gap != Time{0}) refuse("front_end.gap: found a pause, expected none");
    return scenario;
}

/// For those who calculate with a camera that has the switch to itself.
Scenario alone(Scenario scenario, const std::string& file, FragmentForm fragments) {
    if (!scenario.traffic.empty())
        throw InputError(file + ": traffic." + scenario.traffic.front().name +
                         ": found a stream beside the camera, expected none for this command; run, map and boundary "
                         "simulate it, bound and throttle tell what it cannot exceed");
    return fragments == FragmentForm::Alike ? alike(std::move(scenario), file) : scenario;
}

}  // namespace

Scenario read_system(const std::string& file, const std::vector<std::string>& overrides,
                     std::vector<AssumedValue>* assumed) {
    return read(file, overrides, Triggers::OfScenario, assumed);
}

Scenario read_scenario_with_traffic(const std::string& file, const std::vector<std::string>& overrides,
                                    std::vector<AssumedValue>* assumed) {
    Scenario scenario = read_system(file, overrides, assumed);
    if (!scenario.is_camera()) throw InputError(file + ": system: expected \"camera\" for this command");
    return scenario;
}

Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides,
                       std::vector<AssumedValue>* assumed, FragmentForm fragments) {
    return alone(read_scenario_with_traffic(file, overrides, assumed), file, fragments);
}

Scenario read_scenario_without(LeftOut& left_out, const std::string& file, const std::vector<std::string>& overrides,
                               std::vector<AssumedValue>* assumed) {
    Scenario scenario = read(file, overrides, Triggers::OfScenario, assumed, &left_out);
    if (!scenario.is_camera()) throw InputError(file + ": system: expected \"camera\" for this command");
    return alone(scenario, file, FragmentForm::InSequence);
}

Scenario read_apparatus(const std::string& file, const std::vector<std::string>& overrides,
                        std::vector<AssumedValue>* assumed, FragmentForm fragments) {
    return alone(read(file, overrides, Triggers::OneBurst, assumed), file, fragments);
}

Scenario read_apparatus_with_traffic(const std::string& file, const std::vector<std::string>& overrides,
                                     std::vector<AssumedValue>* assumed) {
    return read(file, overrides, Triggers::OneBurst, assumed);
}

Scenario read_line_rate_plus_burst(const std::string& file, const std::vector<std::string>& overrides,
                                   std::vector<AssumedValue>* assumed) {
    return alike(read(file, overrides, Triggers::LineRatePlusBurst, assumed), file);
}

void expect_one_switch(const Scenario& scenario, const std::string& file) {
    const char* key = scenario.network_switch.count > 1 ? "switch.count"
                      : scenario.aggregation            ? "aggregation"
                      : scenario.nodes.empty()          ? nullptr
                                                        : "node";
    if (key) throw InputError(file + ": " + key + ": found several switches, expected a single one for this command");
}

Scenario with_an_end(Scenario scenario) {
    constexpr std::int64_t kEvents = 100'000;
    if (scenario.is_camera() && needs_end(scenario.trigger)) scenario.trigger.events = kEvents;
    return scenario;
}

void expect_end_of_triggers(const Scenario& scenario, const std::string& file) {
    if (needs_end(scenario.trigger))
        throw InputError(file +
                         ": trigger.events: missing, expected trigger.events or trigger.duration with pattern \"" +
                         pattern_keys(scenario.trigger.pattern).name + "\" for this command");
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
        const std::string place = file + ":" + std::to_string(line);
        times.push_back(read_at(place, [&] { return parse_time(text); }));
        if (times.back().count() > std::numeric_limits<std::int64_t>::max() / 2)
            throw InputError(place + ": found \"" + text + "\", expected less than 53 days");
        if (times.size() > 1 && times.back() < times[times.size() - 2])
            throw InputError(place + ": found \"" + text + "\", expected a time not before the one above it");
    }
    if (times.empty()) throw InputError(file + ": expected at least one trigger time");
    return times;
}

}  // namespace watershed
