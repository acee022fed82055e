// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/base/time-limit.h"
#include "scenarios/keys/keys.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/units.h"

/// How the kinds of value are read: each function makes the rule of a key whose value is the member of a scenario that
/// it is given.
namespace watershed::key_setters {

inline std::string shown(const KeyValue& value) {
    struct {
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(std::int64_t i) const { return std::to_string(i); }
        std::string operator()(double d) const {
            const std::string number = plain_number(d);
            return number + (number.find_first_of(".eni") == std::string::npos ? ".0" : "");
        }
        std::string operator()(const std::string& s) const { return '"' + s + '"'; }
        std::string operator()(const std::vector<std::string>& list) const {
            return "a list of " + std::to_string(list.size()) + " values";
        }
        std::string operator()(const std::vector<std::int64_t>& list) const {
            return "a list of " + std::to_string(list.size()) + " integers";
        }
    } show;
    return std::visit(show, value);
}

[[noreturn]] inline void refuse(const KeyValue& value, const std::string& expected) {
    throw std::invalid_argument("found " + shown(value) + ", expected " + expected);
}

/// A way to read text, and the limits of what it takes.
template <class Parse, class Holds>
struct Limited {
    Parse parse;
    Holds holds;
    std::string limits;

    auto operator()(const std::string& value) const {
        const auto result = parse(value);
        if (!holds(result)) throw std::invalid_argument("found \"" + value + "\", expected " + limits);
        return result;
    }
};
template <class Parse, class Holds>
Limited<Parse, Holds> limited(Parse parse, Holds holds, std::string limits) {
    return {parse, holds, std::move(limits)};
}
/// Both ends included.
template <class Parse, class Value>
auto between(Parse parse, Value least, Value most, std::string limits) {
    return limited(
        parse, [=](const Value& value) { return !(value < least) && !(most < value); }, std::move(limits));
}
/// Of a number that is counted.
inline constexpr std::int64_t kMost = 1'000'000'000'000;

inline const auto parse_some_bytes = limited(
    parse_bytes, [](Bytes bytes) { return bytes.count > 0; }, "more than 0 B");
inline const auto parse_some_time = limited(
    parse_time, [](Time time) { return time > Time{0}; }, "more than 0 s");
inline const auto parse_delay = between(parse_time, Time{0}, kLongestDelay, "at most 10 days");

template <class Parse, class Holds>
std::string limits_of(const Limited<Parse, Holds>& limited) {
    return limited.limits;
}
/// Of the functions of units.h, and of those that take a word beside what these read.
template <class Parse>
std::string limits_of(const Parse&) {
    using Value = std::invoke_result_t<Parse, const std::string&>;
    constexpr bool positive =
        std::is_same_v<Value, BitRate> || std::is_same_v<Value, Frequency> || std::is_same_v<Value, MemorySize>;
    return positive ? "more than 0" : "";
}

/// "one of "shared", "per-input""
inline std::string one_of(const std::vector<std::string>& choices) {
    std::string text;
    for (const std::string& choice : choices) text += (text.empty() ? "one of \"" : ", \"") + choice + '"';
    return text;
}

/// @throws std::invalid_argument for what is none of these words
[[noreturn]] inline void refuse_choice(const KeyValue& value, const std::vector<std::string>& choices) {
    const auto* word = std::get_if<std::string>(&value);
    refuse(value, one_of(choices) + did_you_mean(word ? *word : "", choices));
}

/// Where in a scenario a value is kept: a function from the scenario to a reference.
template <class Place, class Value = std::decay_t<std::invoke_result_t<Place, Scenario&>>>
KeyRule count(Place place, std::int64_t least, std::int64_t most) {
    const std::string limits = std::to_string(least) + " to " + std::to_string(most);
    return {[=](Scenario& scenario, const KeyValue& value) {
                const auto* number = std::get_if<std::int64_t>(&value);
                if (!number || *number < least || *number > most) refuse(value, "an integer from " + limits);
                if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
                    place(scenario) = *number;
                else if constexpr (std::is_same_v<Value, std::optional<int>>)
                    place(scenario) = static_cast<int>(*number);
                else
                    place(scenario) = static_cast<Value>(*number);
            },
            limits};
}

/// A value written as text, read by one of the functions of units.h.
template <class Place, class Parse>
KeyRule text(Place place, Parse parse) {
    return {[=](Scenario& scenario, const KeyValue& value) {
                const auto* written = std::get_if<std::string>(&value);
                // A number without its unit is text to the parser, which then says what unit it wants.
                place(scenario) =
                    parse(written ? *written
                          : std::holds_alternative<std::int64_t>(value)
                              ? shown(value)
                              : throw std::invalid_argument("found " + shown(value) +
                                                            ", expected a value with its unit in quotes"));
            },
            limits_of(parse)};
}

template <class Place, class Parse>
KeyRule list(Place place, Parse parse) {
    return {[=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<std::vector<std::string>>(&value);
        using Element = typename std::decay_t<decltype(place(scenario))>::value_type;
        constexpr bool kNoneIsFine = std::is_same_v<Element, TriggerRule>;
        if (!written) refuse(value, "a list of values with units in quotes");
        if (written->empty() && !kNoneIsFine) refuse(value, "at least one value with its unit in quotes");
        place(scenario).clear();
        for (const std::string& element : *written) place(scenario).push_back(parse(element));
    }};
}

template <class Place, class Value = std::decay_t<std::invoke_result_t<Place, Scenario&>>>
KeyRule choice(Place place, std::vector<std::pair<std::string, Value>> names) {
    std::vector<std::string> choices;
    for (const auto& named : names) choices.push_back(named.first);
    return {[=](Scenario& scenario, const KeyValue& value) {
                const auto* written = std::get_if<std::string>(&value);
                const auto named = std::find_if(names.begin(), names.end(),
                                                [&](const auto& each) { return written && each.first == *written; });
                if (named == names.end()) refuse_choice(value, choices);
                place(scenario) = named->second;
            },
            {},
            choices};
}

template <class Place>
KeyRule flag(Place place) {
    return {[=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<bool>(&value);
        if (!written) refuse(value, "true or false");
        place(scenario) = *written;
    }};
}

template <class Place>
KeyRule integers(Place place, std::int64_t least, std::int64_t most) {
    const std::string limits = std::to_string(least) + " to " + std::to_string(most);
    return {[=](Scenario& scenario, const KeyValue& value) {
                const auto* written = std::get_if<std::vector<std::int64_t>>(&value);
                if (!written || written->empty()) refuse(value, "a list of integers from " + limits);
                for (const std::int64_t each : *written)
                    if (each < least || each > most)
                        throw std::invalid_argument("found " + std::to_string(each) + " in " + shown(value) +
                                                    ", expected integers from " + limits);
                place(scenario) = *written;
            },
            limits};
}

/// A number, which may be written as an integer, a decimal fraction, or text such as "1/2".
template <class Place>
KeyRule ratio(Place place) {
    return {[=](Scenario& scenario, const KeyValue& value) {
        std::ostringstream written;  // a decimal fraction is meant as it is written, and so many digits give that back
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
    }};
}

// So that a key's place reads as the scenario's member.
#define WATERSHED_PLACE(member) \
    [](Scenario & scenario) -> auto& { return scenario.member; }

}  // namespace watershed::key_setters
