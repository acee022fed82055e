// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/keys/keys.h"
#include "scenarios/text/units.h"

/// How the kinds of value are read: each function makes a setter for the member of a scenario that it is given.
namespace watershed::key_setters {

inline std::string shown(const KeyValue& value) {
    struct {
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(std::int64_t i) const { return std::to_string(i); }
        std::string operator()(double d) const { return std::to_string(d); }
        std::string operator()(const std::string& s) const { return '"' + s + '"'; }
        std::string operator()(const std::vector<std::string>& list) const { return "a list of " + std::to_string(list.size()) + " values"; }
        std::string operator()(const std::vector<std::int64_t>& list) const { return "a list of " + std::to_string(list.size()) + " integers"; }
    } show;
    return std::visit(show, value);
}

/// More than no bytes.
inline Bytes parse_some_bytes(const std::string& value) {
    const Bytes bytes = parse_bytes(value);
    if (bytes.count == 0) throw std::invalid_argument("found \"" + value + "\", expected more than 0 B");
    return bytes;
}

/// More than no time.
inline Time parse_some_time(const std::string& value) {
    const Time time = parse_time(value);
    if (time == Time{0}) throw std::invalid_argument("found \"" + value + "\", expected a time of more than 0");
    return time;
}

[[noreturn]] inline void refuse(const KeyValue& value, const std::string& expected) { throw std::invalid_argument("found " + shown(value) + ", expected " + expected); }

using Setter = std::function<void(Scenario&, const KeyValue&)>;

/// Where in a scenario a value is kept: a function from the scenario to a reference.
template <class Place, class Value = std::decay_t<std::invoke_result_t<Place, Scenario&>>>
Setter count(Place place, std::int64_t least, std::int64_t most) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (!number || *number < least || *number > most)
            refuse(value, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
        if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
            place(scenario) = *number;
        else if constexpr (std::is_same_v<Value, std::optional<int>>)
            place(scenario) = static_cast<int>(*number);
        else
            place(scenario) = static_cast<Value>(*number);
    };
}

/// A value written as text, read by one of the functions of units.h.
template <class Place, class Parse>
Setter text(Place place, Parse parse) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<std::string>(&value);
        // A number without its unit is text to the parser, which then says what unit it wants.
        place(scenario) = parse(written ? *written : std::holds_alternative<std::int64_t>(value) ? shown(value) : throw std::invalid_argument(
            "found " + shown(value) + ", expected a value with its unit in quotes"));
    };
}

template <class Place, class Parse>
Setter list(Place place, Parse parse) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<std::vector<std::string>>(&value);
        if (!written || written->empty()) refuse(value, "a list of values with units in quotes");
        place(scenario).clear();
        for (const std::string& element : *written) place(scenario).push_back(parse(element));
    };
}

template <class Place, class Value = std::decay_t<std::invoke_result_t<Place, Scenario&>>>
Setter choice(Place place, std::vector<std::pair<std::string, Value>> names) {
    return [=](Scenario& scenario, const KeyValue& value) {
        std::string expected;
        for (const auto& [name, meaning] : names) {
            if (const auto* written = std::get_if<std::string>(&value); written && *written == name) {
                place(scenario) = meaning;
                return;
            }
            expected += (expected.empty() ? "\"" : ", \"") + name + '"';
        }
        refuse(value, "one of " + expected);
    };
}

template <class Place>
Setter flag(Place place) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<bool>(&value);
        if (!written) refuse(value, "true or false");
        place(scenario) = *written;
    };
}

template <class Place>
Setter integers(Place place, std::int64_t least, std::int64_t most) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<std::vector<std::int64_t>>(&value);
        if (!written || written->empty() || std::any_of(written->begin(), written->end(), [=](std::int64_t i) { return i < least || i > most; }))
            refuse(value, "a list of integers from " + std::to_string(least) + " to " + std::to_string(most));
        place(scenario) = *written;
    };
}

/// A number, which may be written as an integer, a decimal fraction, or text such as "1/2".
template <class Place>
Setter ratio(Place place) {
    return [=](Scenario& scenario, const KeyValue& value) {
        std::ostringstream written;   // a decimal fraction is meant as it is written, and so many digits give that back
        written.precision(15);
        if (const auto* s = std::get_if<std::string>(&value))
            written << *s;
        else if (const auto* i = std::get_if<std::int64_t>(&value))
            written << *i;
        else if (const auto* d = std::get_if<double>(&value))
            written << *d;
        else
            refuse(value, "a number such as 8, 0.5 or \"1/2\"");
        place(scenario) = parse_ratio(written.str());
    };
}

// So that a key's place reads as the scenario's member.
#define WATERSHED_PLACE(member) [](Scenario& scenario) -> auto& { return scenario.member; }

}  // namespace watershed::key_setters
