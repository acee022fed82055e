// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "model/base/field.h"
#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/port-check.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/text/text-line.h"

/// How a scenario writes the fields of the model.
namespace watershed::field_keys {

inline ResumeLevel parse_resume(const std::string& value) {
    if (value.find('%') == std::string::npos) return parse_memory_size(value);
    const Ratio part = parse_ratio(value);
    if (part.numerator > part.denominator)
        throw std::invalid_argument("found \"" + value + "\", expected at most 100 %");
    return part;
}

/// What a value of this type looks like.
/// @param example  where there is one
template <class Value>
std::string form_of(const std::string& example = {}) {
    using std::is_same_v;
    if constexpr (is_same_v<Value, bool>) return "true or false";
    if constexpr (is_same_v<Value, int> || is_same_v<Value, std::int64_t>) return "integer";
    if constexpr (is_same_v<Value, BitRate>) return "bit rate \"" + (example.empty() ? "10 Gb/s" : example) + "\"";
    if constexpr (is_same_v<Value, Frequency>) return "rate \"8 kHz\"";
    if constexpr (is_same_v<Value, ClockTolerance>) return "\"50 ppm\"";
    if constexpr (is_same_v<Value, std::vector<Time>>) return "list of times";
    if constexpr (is_same_v<Value, std::vector<ClockTolerance>>) return "list of \"20 ppm\"";
    if constexpr (is_same_v<Value, std::vector<PayloadShare>>) return "list of sizes";
    if constexpr (is_same_v<Value, FragmentList>) return "integer or list of sizes";
    if constexpr (is_same_v<Value, Time>) return "time \"3 us\"";
    if constexpr (is_same_v<Value, Bytes>) return "size \"" + (example.empty() ? "64 B" : example) + "\"";
    if constexpr (is_same_v<Value, MemorySize>) return "amount of memory";
    if constexpr (is_same_v<Value, Ratio>) return "number, 8 or \"1/8\"";
    if constexpr (is_same_v<Value, ResumeLevel>) return "\"50 %\" or an amount";
    if constexpr (is_same_v<Value, std::vector<std::int64_t>>) return "list of integers";
    if constexpr (is_same_v<Value, std::vector<Ratio>>) return "list of \"1/2\"";
    if constexpr (is_same_v<Value, std::vector<MemorySize>>) return "list of amounts of memory";
    if constexpr (is_same_v<Value, std::vector<BitRate>>) return "list of bit rates";
    if constexpr (is_same_v<Value, std::vector<Bytes>>) return "list of sizes";
    if constexpr (is_same_v<Value, std::vector<TriggerRule>>) return "list of rules";
    return "text";
}

template <class AField>
auto tolerance_within(const AField& field) {
    return key_setters::between(parse_clock_tolerance, ClockTolerance{field.least}, ClockTolerance{field.most},
                                field.limits);
}

/// "unlimited", or a number of frames.
inline std::optional<std::int64_t> parse_frames(const std::string& value) {
    if (value == "unlimited") return std::nullopt;
    const MemorySize size = parse_memory_size(value);
    if (size.unit != MemorySize::Unit::Frame)
        throw std::invalid_argument("found \"" + value +
                                    "\", expected \"unlimited\" or an amount such as \"16 frames\"");
    return size.amount;
}

/// A number of fragments, or a list of their payloads.
template <class Place>
KeyRule fragments(Place place, std::int64_t least, std::int64_t most) {
    using namespace key_setters;
    const std::string limits = std::to_string(least) + " to " + std::to_string(most);
    return {[=](Scenario& scenario, const KeyValue& value) {
                const auto* list = std::get_if<std::vector<std::string>>(&value);
                const auto* number = std::get_if<std::int64_t>(&value);
                const std::int64_t found = list ? static_cast<std::int64_t>(list->size()) : number ? *number : 0;
                if (found < least || found > most)
                    refuse(value, "an integer from " + limits + ", or a list of so many payloads such as \"1400 B\"");
                if (!list) {
                    place(scenario) = FragmentList(static_cast<int>(found));
                    return;
                }
                const auto parse = between(parse_bytes, Bytes{1}, Bytes{1'000'000'000}, "1 B to 1 GB");
                std::vector<Bytes> payloads;
                for (const std::string& each : *list) payloads.push_back(parse(each));
                place(scenario) = FragmentList(std::move(payloads));
            },
            limits};
}

template <class T>
struct Bare {
    using type = T;
};
template <class T>
struct Bare<std::optional<T>> {
    using type = T;
};

/// The rule of a key. @param place  from the scenario to the value
template <class AField, class Place, class Value>
KeyRule rule_of(const AField& field, Place place, const Value*) {
    using std::is_same_v;
    using namespace key_setters;
    const std::int64_t least = field.least, most = field.most;
    if constexpr (is_same_v<Value, bool>) return flag(place);
    if constexpr (is_same_v<Value, int> || is_same_v<Value, std::int64_t>) return count(place, least, most);
    if constexpr (is_same_v<Value, BitRate>) return text(place, parse_bit_rate);
    if constexpr (is_same_v<Value, Frequency>) return text(place, parse_frequency);
    if constexpr (is_same_v<Value, Time>)
        return field.limits.empty() ? text(place, parse_delay)
                                    : text(place, between(parse_time, Time{least}, Time{most}, field.limits));
    if constexpr (is_same_v<Value, std::vector<Time>>) return list(place, parse_delay);
    if constexpr (is_same_v<Value, ClockTolerance>) return text(place, tolerance_within(field));
    if constexpr (is_same_v<Value, std::vector<ClockTolerance>>) return list(place, tolerance_within(field));
    if constexpr (is_same_v<Value, std::vector<PayloadShare>>)
        return list(place, [=](const std::string& value) {
            return PayloadShare{between(parse_bytes, Bytes{least}, Bytes{most}, field.limits)(value), 1};
        });
    if constexpr (is_same_v<Value, FragmentList>) return fragments(place, least, most);
    if constexpr (is_same_v<Value, Bytes>)
        return field.limits.empty() ? text(place, parse_bytes)
                                    : text(place, between(parse_bytes, Bytes{least}, Bytes{most}, field.limits));
    if constexpr (is_same_v<Value, MemorySize>) {
        const auto in_cells = [](MemorySize size) { return size.unit == MemorySize::Unit::Cell; };
        if (field.may_be_cells) return text(place, parse_memory_size);
        return text(place, limited(parse_memory_size, std::not_fn(in_cells), field.limits));
    }
    if constexpr (is_same_v<Value, Ratio>) {
        KeyRule rule = ratio(place);
        if (field.limits.empty()) return rule;
        rule.limits = field.limits;
        rule.set = [=, set = rule.set](Scenario& scenario, const KeyValue& value) {
            Scenario tried;
            set(tried, value);
            const std::optional<Ratio> found{place(tried)};
            if (as_number(*found) > static_cast<double>(most)) refuse(value, field.limits);
            set(scenario, value);
        };
        return rule;
    }
    if constexpr (is_same_v<Value, ResumeLevel>) return text(place, parse_resume);
    if constexpr (is_same_v<Value, std::string>) return text(place, [](const std::string& value) { return value; });
    if constexpr (is_same_v<Value, std::vector<PortGroup>>) return text(place, parse_ports);
    if constexpr (is_same_v<Value, std::vector<std::int64_t>>) return integers(place, least, most);
    if constexpr (is_same_v<Value, std::vector<TriggerRule>>) return list(place, parse_trigger_rule);
    if constexpr (is_same_v<Value, std::vector<Ratio>>) return list(place, parse_ratio);
    if constexpr (is_same_v<Value, std::vector<MemorySize>>) return list(place, parse_memory_size);
    if constexpr (is_same_v<Value, std::vector<BitRate>>) return list(place, parse_bit_rate);
    if constexpr (is_same_v<Value, std::vector<Bytes>>)
        return list(place, between(parse_bytes, Bytes{least}, Bytes{most}, field.limits));
}

/// As a scenario would state it, without quotes; empty where nothing is said.
inline std::string stated(bool value) { return value ? "true" : "false"; }
inline std::string stated(int value) { return std::to_string(value); }
inline std::string stated(std::int64_t value) { return std::to_string(value); }
inline std::string stated(const std::string& text) { return text; }
inline std::string stated(Ratio ratio) {
    return std::to_string(ratio.numerator) + "/" + std::to_string(ratio.denominator);
}
inline std::string stated(const ResumeLevel& level) {
    if (const auto* size = std::get_if<MemorySize>(&level)) return to_text(*size);
    std::ostringstream percent;
    percent << 100 * as_number(std::get<Ratio>(level)) << " %";
    return percent.str();
}
inline std::string stated(Time time) { return time == Time{0} ? "0 us" : to_text(time); }
inline std::string stated(ClockTolerance tolerance) { return tolerance.count == 0 ? "0 ppm" : to_text(tolerance); }
/// A frame's sizes are told in bytes.
inline std::string stated(Bytes bytes) {
    return bytes.count < 10'000 ? std::to_string(bytes.count) + " B" : to_text(bytes);
}
template <class Quantity>
std::string stated(const Quantity& value) {
    return to_text(value);
}
inline std::string stated(const FragmentList& fragments) {
    if (fragments.payloads.empty()) return std::to_string(fragments.number);
    return listed(fragments.payloads, [](Bytes each) { return stated(each); });
}
inline std::string stated(const PayloadShare& share) { return to_text(share.payload); }
inline std::string stated(const std::vector<PortGroup>& ports) { return to_text(ports); }
template <class T>
std::string stated(const std::vector<T>& list) {
    return listed(list, [](const T& each) { return stated(each); });
}
template <class T>
std::string stated(const std::optional<T>& value) {
    return value ? stated(*value) : "";
}

/// What a field has, as a scenario would state it.
template <class Owner, class... Own>
std::string stated(const Field<Owner, Own...>& field, const Owner& owner) {
    return std::visit(
        [&](const auto& place) {
            if constexpr (std::is_same_v<std::decay_t<decltype(place)>, FieldChoice<Owner>>)
                return place.names[static_cast<std::size_t>(place.get(owner))];
            else
                return stated(place(const_cast<Owner&>(owner)));
        },
        field.place);
}

/// @param table  "switch." or empty, @param at  from the scenario to the struct that has the field
template <class Owner, class... Own>
ScenarioKey key_of(const Field<Owner, Own...>& field, const std::string& table, Owner& (*at)(Scenario&)) {
    ScenarioKey key;
    key.name = table + field.name;
    key.meaning = field.meaning;
    std::visit(
        [&](const auto& place) {
            using Place = std::decay_t<decltype(place)>;
            Owner initial{};
            if constexpr (std::is_same_v<Place, FieldChoice<Owner>>) {
                key.kind = "text";
                key.default_value = stated(field, initial);
                const std::vector<std::string> names(place.names.begin(),
                                                     place.names.end() - static_cast<std::ptrdiff_t>(field.unwritten));
                key.rule = {[place, at, names](Scenario& scenario, const KeyValue& value) {
                                const auto* written = std::get_if<std::string>(&value);
                                const auto named =
                                    written ? std::find(names.begin(), names.end(), *written) : names.end();
                                if (named == names.end()) key_setters::refuse_choice(value, names);
                                place.set(at(scenario), static_cast<int>(named - names.begin()));
                            },
                            {},
                            names};
            } else {
                using Value = std::decay_t<decltype(place(initial))>;
                using Plain = typename Bare<Value>::type;
                // No memory and no factor are no values: where they have a use, they must be given.
                if constexpr (!std::is_same_v<Plain, MemorySize> && !std::is_same_v<Plain, Ratio>)
                    key.default_value = stated(place(initial));
                const bool is_example = key.default_value.compare(0, 2, "0 ") != 0;
                key.kind = form_of<Plain>(is_example ? key.default_value : "");
                key.rule = rule_of(
                    field, [ place, at ](Scenario & scenario) -> auto& { return place(at(scenario)); },
                    static_cast<const Plain*>(nullptr));
                if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
                    if (field.unlimited)
                        key.rule = key_setters::text(
                            [ place, at ](Scenario & scenario) -> auto& { return place(at(scenario)); }, parse_frames);
            }
        },
        field.place);
    if (field.unlimited) key.kind = "\"unlimited\" or \"16 frames\"", key.default_value = "unlimited";
    if (!field.kind.empty()) key.kind = field.kind;
    if (field.initial) key.default_value = *field.initial;
    return key;
}

}  // namespace watershed::field_keys
