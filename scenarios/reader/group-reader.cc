// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "model/frontend/event-train.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

/// The keys that count for a group: its own, under the names that they have in the tables of modules of one kind, and
/// those of [front_end] and [frame] that it does not replace.
Places GroupReader::own_places(const std::string& name, Scenario& one, const Places& given) const {
    Places places;
    for (const auto& [key, place] : given)
        if (begins_with(key, "frame.") || begins_with(key, "front_end.")) places[key] = place;
    const std::string table = "group." + name + ".";
    const auto has = [&](const char* key) { return given.count(table + key) != 0; };
    // Another size of the fragments replaces all that says how large they are.
    if (has("payload") || has("payloads") || has("payload_file") || has("fragments")) {
        if (!has("fragments")) one.frame.fragments.payloads.clear();
        if (!has("payloads")) one.frame.payloads.clear();
        if (!has("payload_weights")) one.frame.weights.clear();
        if (!has("payload_file")) one.frame.payload_file.clear();
        for (const char* key : {"frame.payload", "frame.payloads", "frame.payload_weights", "frame.payload_file"})
            places.erase(key);
        if (!has("fragments")) places.erase("front_end.fragments");
    }
    for (const auto& [key, place] : given)
        if (begins_with(key, table)) places[find_key(key)->like.empty() ? key : find_key(key)->like] = place;
    return places;
}

void GroupReader::add(const std::string& name, const std::string& place, const Places& given) {
    Scenario one;
    one.seed = scenario_.seed;
    Group& group = one.groups.emplace_back();
    group.name = name;
    group.frame = scenario_.frame;
    group.front_end = scenario_.front_end;
    for (const NodeValue& each : values_)
        if (named_in("group.", each.name) == name)
            read_at(each.place, each.name, [&] { each.key->set(one, each.value); });
    one.frame = group.frame;
    one.front_end = group.front_end;
    if (group.trigger) one.trigger = *group.trigger;
    if (group.trigger && group.trigger->pattern == Trigger::Pattern::LineRatePlusBurst)
        throw InputError(given.at("group." + name + ".trigger.pattern") + ": group." + name +
                         ".trigger.pattern: found \"line-rate-plus-burst\", which describes two modules alone");
    const Places places = own_places(name, one, given);
    if (places.count("front_end.modules") == 0)
        throw InputError(place + ": group." + name + ".modules: missing, expected the number of modules of the group");
    try {
        check_frame(one, file_, places);
        if (group.trigger) check_trigger(one, file_, places);
    } catch (const InputError& error) {
        throw InputError(std::string(error.what()) + ", in [group." + name + "]");
    }
    group.frame = one.frame;
    if (group.trigger) group.trigger = one.trigger;
    int before = 0;
    for (const Group& each : scenario_.groups) before += each.front_end.modules;
    scenario_.groups.push_back(placed_after(before, group));
}

void GroupReader::build(const Places& given) {
    if (values_.empty()) return;
    std::stable_sort(values_.begin(), values_.end(),
                     [](const NodeValue& a, const NodeValue& b) { return a.line < b.line; });
    const auto first = given.find("front_end.modules");
    if (first != given.end()) add("front_end", first->second, given);
    for (const NodeValue& value : values_) {
        const std::string name = named_in("group.", value.name);
        if (!is_plain_name(name) || name == "front_end")
            throw InputError(value.place + ": group." + name +
                             ": expected a name of letters, digits, - and _, other than \"front_end\"");
        if (std::any_of(scenario_.groups.begin(), scenario_.groups.end(),
                        [&](const Group& group) { return group.name == name; }))
            continue;
        add(name, value.place, given);
        constexpr std::size_t kMostGroups = 1000;
        if (scenario_.groups.size() > kMostGroups)
            throw InputError(value.place + ": group." + name + ": expected at most 1000 groups");
    }
    if (scenario_.trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
        throw InputError(given.at("trigger.pattern") +
                         ": trigger.pattern: \"line-rate-plus-burst\" conflicts with [group.NAME]: it describes two "
                         "modules alone");
    int modules = 0;
    for (const Group& group : scenario_.groups) modules += group.front_end.modules;
    if (modules > 65535)
        throw InputError(file_ + ": group.NAME.modules: found " + std::to_string(modules) +
                         " modules in all groups, expected at most 65535");
    scenario_.front_end.modules = modules;
}

}  // namespace watershed
