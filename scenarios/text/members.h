// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/text/json-file.h"

/// The members of a result, each said once: its JSON, written and read, its columns, and what a document is checked by
/// follow from one table.
namespace watershed {

/// Outputs in which a member is written.
enum Channel : unsigned {
    kInJson = 1,
    kInCsv = 2,
    kToProcesses = 4,  ///< the JSON that processes of one command exchange
    kEverywhere = kInJson | kInCsv | kToProcesses,
    kMayMiss = 8  ///< documents of older versions lack it
};

template <class Owner>
struct Member {
    std::string name;
    std::string unit;
    std::string meaning;
    unsigned channels = kEverywhere;
    std::function<nlohmann::ordered_json(const Owner&)> get;
    std::function<void(Owner&, const nlohmann::ordered_json&)> set{};  ///< none where it follows from other members
};

template <class Owner>
using Members = std::vector<Member<Owner>>;

template <class Value>
nlohmann::ordered_json json_of(const Value& value) {
    return value;
}
/// Null where there is none.
template <class Value>
nlohmann::ordered_json json_of(const std::optional<Value>& value) {
    return value ? json_of(*value) : nlohmann::ordered_json(nullptr);
}
/// Null where it is no finite number.
inline nlohmann::ordered_json json_of(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

template <class Value>
void from_json_value(Value& value, const nlohmann::ordered_json& json) {
    json.get_to(value);
}
template <class Value>
void from_json_value(std::optional<Value>& value, const nlohmann::ordered_json& json) {
    value = json.is_null() ? std::nullopt : std::optional(json.get<Value>());
}

/// @param place  pointer to a member, or a function from an owner, const or not, to a reference
template <class Owner, class Place>
Member<Owner> stored(std::string name, std::string unit, std::string meaning, Place place,
                     unsigned channels = kEverywhere) {
    return {std::move(name),
            std::move(unit),
            std::move(meaning),
            channels,
            [place](const Owner& owner) { return json_of(std::invoke(place, owner)); },
            [place](Owner& owner, const nlohmann::ordered_json& json) {
                from_json_value(std::invoke(place, owner), json);
            }};
}

/// The members of these channels, in the order of the table.
template <class Owner>
nlohmann::ordered_json to_json(const Members<Owner>& members, const Owner& owner, unsigned channels = kInJson) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const Member<Owner>& each : members)
        if (each.channels & channels) json[each.name] = each.get(owner);
    return json;
}

/// @throws MemberError that names the first member that is missing or of another kind
template <class Owner>
void read(const Members<Owner>& members, Owner& owner, const nlohmann::ordered_json& json,
          unsigned channels = kInJson) {
    for (const Member<Owner>& each : members) {
        if (!each.set || !(each.channels & channels)) continue;
        if ((each.channels & kMayMiss) && !json.contains(each.name)) continue;
        const auto value = member<nlohmann::ordered_json>(json, each.name.c_str());
        try {
            each.set(owner, value);
        } catch (const nlohmann::json::exception& error) {
            throw MemberError(each.name + ": " + found_in(error));
        }
    }
}

}  // namespace watershed
