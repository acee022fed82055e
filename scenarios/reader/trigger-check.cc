// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <limits>
#include <vector>

#include "model/scenario.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

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
void check_extra_bursts(const SuperposedBursts& burst, const std::string& file, const Places& given) {
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

}  // namespace

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

Scenario with_an_end(Scenario scenario) {
    constexpr std::int64_t kEvents = 100'000;
    if (scenario.is_camera() && needs_end(scenario.trigger)) scenario.trigger.events = kEvents;
    for (Group& group : scenario.groups)
        if (group.trigger && needs_end(*group.trigger)) group.trigger->events = kEvents;
    return scenario;
}

void expect_end_of_triggers(const Scenario& scenario, const std::string& file) {
    const auto expect_end = [&](const Trigger& trigger, const std::string& table) {
        if (needs_end(trigger))
            throw InputError(file + ": " + table + ".events: missing, expected " + table + ".events or " + table +
                             ".duration with pattern \"" + pattern_keys(trigger.pattern).name + "\" for this command");
    };
    expect_end(scenario.trigger, "trigger");
    for (const Group& group : scenario.groups)
        if (group.trigger) expect_end(*group.trigger, "group." + group.name + ".trigger");
}

}  // namespace watershed
