// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <map>
#include <set>

#include "model/frontend/event-train.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// Returns the name of the table of which a group may be a copy: "a" for "a-12", or "a-07", which is none; empty for
/// other names.
std::string table_of_copy(const std::string& name) {
    const std::size_t dash = name.rfind('-');
    const bool is_numbered = dash != std::string::npos && dash + 1 < name.size() &&
                             name.find_first_not_of("0123456789", dash + 1) == std::string::npos;
    return is_numbered ? name.substr(0, dash) : "";
}

/// ": telescope-1 to telescope-60"; empty for a table that makes no copies.
std::string copies_of(const std::string& table, int made) {
    return made == 1 ? "" : ": " + table + "-1 to " + table + "-" + std::to_string(made);
}

}  // namespace

std::string key_of_group(const std::string& group, const std::string& key, const Places& given) {
    for (const std::string& name : {group, table_of_copy(group)})
        if (given.count("group." + name + "." + key) != 0) return "group." + name + "." + key;
    return "front_end." + key;
}

std::vector<std::string> GroupReader::tables_of(const std::string& name) const {
    const std::string table = table_of_copy(name);
    return copies_.count(table) == 0 ? std::vector{name} : std::vector{table, name};
}

/// The keys that count for a group: its own, under the names that they have in the tables of modules of one kind, and
/// those of [front_end] and [frame] that it does not replace.
Places GroupReader::own_places(const std::string& name, Scenario& one, const Places& given) const {
    Places places;
    for (const auto& [key, place] : given)
        if (begins_with(key, "frame.") || begins_with(key, "front_end.")) places[key] = place;
    const std::vector<std::string> tables = tables_of(name);
    const auto has = [&](const char* key) {
        return std::any_of(tables.begin(), tables.end(),
                           [&](const std::string& table) { return given.count("group." + table + "." + key) != 0; });
    };
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
    for (const std::string& table : tables)
        for (const auto& [key, place] : given)
            if (begins_with(key, "group." + table + "."))
                places[find_key(key)->like.empty() ? key : find_key(key)->like] = place;
    return places;
}

void GroupReader::add(const std::string& name, const std::string& place, const Places& given) {
    Scenario one;
    one.seed = scenario_.seed;
    Group& group = one.groups.emplace_back();
    group.name = name;
    group.frame = scenario_.frame;
    group.front_end = scenario_.front_end;
    for (const std::string& table : tables_of(name))
        for (const NodeValue& each : values_)
            if (named_in("group.", each.name) == table)
                read_at(each.place, each.name, [&] { each.key->set(one, each.value); });
    one.frame = group.frame;
    one.front_end = group.front_end;
    if (group.trigger) one.trigger = *group.trigger;
    const Places places = own_places(name, one, given);
    if (group.trigger && group.trigger->pattern == Trigger::Pattern::LineRatePlusBurst)
        throw InputError(places.at("trigger.pattern"), "group." + name + ".trigger.pattern",
                         "found \"line-rate-plus-burst\", which describes two modules alone");
    if (places.count("front_end.modules") == 0) {
        std::string near;  // a table whose copies may be meant
        for (const auto& [table, made] : copies_)
            if (begins_with(name, table) && made > 1 && tables_of(name).size() == 1)
                near = ", or a copy" + copies_of(table, made);
        throw InputError(place + ": group." + tables_of(name).front() +
                         ".modules: missing, expected the number of modules of the group" + near);
    }
    try {
        check_frame(one, file_, places);
        if (group.trigger) check_trigger(one, file_, places);
    } catch (const InputError& error) {
        std::string text = error.what();
        const std::size_t of_trigger = text.find(": trigger");
        if (of_trigger == std::string::npos) throw InputError(text + ", in [group." + name + "]");
        text.insert(of_trigger + 2, "group." + name + ".");
        if (places.count("trigger.pattern") == 0)
            text += "; the trigger of a group takes nothing from [trigger], not its pattern either";
        throw InputError(text);
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
    std::map<std::string, std::string> place_of_copies;
    for (const NodeValue& value : values_)
        if (value.key->name == "group.NAME.copies") {
            Scenario one;
            read_at(value.place, value.name, [&] { value.key->set(one, value.value); });
            copies_[named_in("group.", value.name)] = one.of<GroupCopies>().number;
            place_of_copies[named_in("group.", value.name)] = value.place;
        }
    const auto first = given.find("front_end.modules");
    if (first != given.end()) add("front_end", first->second, given);
    std::set<std::string> read;
    for (const NodeValue& value : values_) {
        const std::string name = named_in("group.", value.name);
        if (!is_plain_name(name) || name == "front_end")
            throw InputError(value.place + ": group." + name +
                             ": expected a name of letters, digits, - and _, other than \"front_end\"");
        if (!read.insert(name).second) continue;
        const auto copies = copies_.find(name);
        if (const std::vector<std::string> tables = tables_of(name); tables.size() > 1) {
            const int made = copies_.at(tables.front());
            const std::string number = name.substr(tables.front().size() + 1);
            if (copies != copies_.end() || made == 1 || number.size() > 4 || number.front() == '0' ||
                std::stoi(number) > made)
                throw InputError((copies == copies_.end() ? value.place : place_of_copies.at(name)) + ": group." +
                                 name + ": found the name of a copy, expected one of the " + std::to_string(made) +
                                 " that [group." + tables.front() + "] makes" + copies_of(tables.front(), made) +
                                 ", without `copies`");
            continue;
        }
        if (copies == copies_.end() || copies->second == 1)
            add(name, value.place, given);
        else
            for (int i = 1; i <= copies->second; ++i) add(name + "-" + std::to_string(i), value.place, given);
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
