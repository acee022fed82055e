// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/base/field.h"
#include "model/base/frame.h"
#include "model/base/timestamp.h"
#include "model/frontend/senders.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/port-check.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

/// Tables of keys, one for each struct that a table of a scenario fills: name, member, meaning. Kind, default and the
/// way to read a value follow from the member; a KeyForm says what these do not tell.
namespace watershed::key_tables {

/// Limits and texts of a key's value, as far as its type does not determine them.
struct KeyForm {
    std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();  ///< limits in the type's unit, included
    std::string limits{};                  ///< limits in words; empty: those of the type
    std::string example{};                 ///< example of a value; empty: the default
    std::string kind{};                    ///< expected value in words, with an example
    std::optional<std::string> initial{};  ///< default
    std::string absent{};                  ///< word for an absent value: "unlimited"
    std::vector<std::string> choices{};    ///< words, in the order of the enumerators
    std::int64_t step = 1;                 ///< sizes must be multiples of this
    bool below_most = false;               ///< true: `most` is not included
    bool may_be_cells = true;

    template <class Member, class Value>
    KeyForm with(Member KeyForm::*at, Value value) const {
        KeyForm form = *this;
        form.*at = std::move(value);
        return form;
    }
    KeyForm like(std::string of_value, std::optional<std::string> by_default = {}) const {
        return with(&KeyForm::example, std::move(of_value)).with(&KeyForm::initial, std::move(by_default));
    }
    KeyForm written(std::string how, std::optional<std::string> by_default = {}) const {
        return with(&KeyForm::kind, std::move(how)).with(&KeyForm::initial, std::move(by_default));
    }
    KeyForm shown_as(std::string by_default) const { return with(&KeyForm::initial, std::move(by_default)); }
    /// The default unless told otherwise: no value, for which a word stands. @param how  as of written()
    KeyForm or_word(std::string word, std::string how) const {
        return with(&KeyForm::absent, std::move(word)).with(&KeyForm::kind, std::move(how));
    }
};

/// Both included. @param words  empty for a plain number
KeyForm from_to(std::int64_t least, std::int64_t most, std::string words = {});
KeyForm choice(std::vector<std::string> choices);
inline const KeyForm kAny{};
inline const KeyForm kSomeTime = from_to(1, kAny.most, "more than 0 s"),
                     kSomeBytes = from_to(1, kAny.most, "more than 0 B"),
                     kDelay = from_to(0, kLongestDelay.count(), "at most 10 days");
/// Largest value of a counted number.
inline constexpr std::int64_t kMost = 1'000'000'000'000;

// So that a key's place reads as the owner's member.
#define WATERSHED_AT(Owner, member) \
    +[](Owner & owner) -> auto& {   \
        return owner.member;        \
    }

/// @throws std::invalid_argument
[[noreturn]] void refuse(const KeyValue& value, const std::string& expected);
/// Returns a value as text for a parser. A number without unit becomes text, too, so that the parser's error names the
/// unit.
/// @throws std::invalid_argument for another kind of value
std::string text_to_parse(const KeyValue& value);
/// Returns the index of a word among the choices. @throws std::invalid_argument if there is no such word
std::size_t chosen(const KeyValue& value, const std::vector<std::string>& choices);
bool flag_in(const KeyValue& value);
std::int64_t count_in(const KeyValue& value, const KeyForm& form);
std::vector<std::int64_t> integers_in(const KeyValue& value, const KeyForm& form);
/// A number, which may be written as an integer, a decimal fraction, or text such as "1/2".
Ratio ratio_in(const KeyValue& value, const KeyForm& form);
/// A number of fragments, or a list of their payloads.
FragmentList fragments_in(const KeyValue& value, const KeyForm& form);
std::int64_t frames_in(const KeyValue& value, const KeyForm& form);
ResumeLevel parse_resume(const std::string& value);
/// An entry of a gate control list: "650 us: 0-3,6".
GateEntry parse_gate_entry(const std::string& value);

template <class Value>
constexpr bool is_optional = false;
template <class Value>
constexpr bool is_optional<std::optional<Value>> = true;
template <class Value>
constexpr bool is_list = false;
template <class Value>
constexpr bool is_list<std::vector<Value>> = !std::is_same_v<Value, PortGroup>;

template <class Value>
bool is_within(const Value& value, const KeyForm& form) {
    std::int64_t count = form.least;
    if constexpr (std::is_same_v<Value, Time>) count = value.count();
    if constexpr (std::is_same_v<Value, Bytes> || std::is_same_v<Value, ClockTolerance>) count = value.count;
    if constexpr (std::is_same_v<Value, MemorySize>) return form.may_be_cells || value.unit != MemorySize::Unit::Cell;
    if constexpr (std::is_same_v<Value, Ratio>)
        return value.numerator >= form.least && as_number(value) <= static_cast<double>(form.most) &&
               !(form.below_most && as_number(value) == static_cast<double>(form.most));
    return count >= form.least && count <= form.most && count % form.step == 0;
}

template <class Value>
Value parsed(const std::string& text) {
    using std::is_same_v;
    if constexpr (is_same_v<Value, Time>) return parse_time(text);
    if constexpr (is_same_v<Value, Bytes>) return parse_bytes(text);
    if constexpr (is_same_v<Value, BitRate>) return parse_bit_rate(text);
    if constexpr (is_same_v<Value, Frequency>) return parse_frequency(text);
    if constexpr (is_same_v<Value, ClockTolerance>) return parse_clock_tolerance(text);
    if constexpr (is_same_v<Value, MemorySize>) return parse_memory_size(text);
    if constexpr (is_same_v<Value, Ratio>) return parse_ratio(text);
    if constexpr (is_same_v<Value, ResumeLevel>) return parse_resume(text);
    if constexpr (is_same_v<Value, TriggerRule>) return parse_trigger_rule(text);
    if constexpr (is_same_v<Value, GateEntry>) return parse_gate_entry(text);
    if constexpr (is_same_v<Value, std::vector<PortGroup>>) return parse_ports(text);
    if constexpr (is_same_v<Value, std::string>) return text;
}

/// @throws std::invalid_argument that says what was found and what was expected
template <class Value>
Value read_text(const std::string& text, const KeyForm& form) {
    if constexpr (is_optional<Value>) {
        if (text == form.absent) return std::nullopt;
        return read_text<typename Value::value_type>(text, form);
    } else if constexpr (std::is_same_v<Value, PayloadShare>) {
        return {read_text<Bytes>(text, form), 1};
    } else {
        Value value = parsed<Value>(text);
        if (!form.limits.empty() && !is_within(value, form))
            throw std::invalid_argument("found \"" + text + "\", expected " + form.limits);
        return value;
    }
}

template <class Element, class Parse>
std::vector<Element> list_in(const KeyValue& value, const Parse& parse) {
    const auto* written = std::get_if<std::vector<std::string>>(&value);
    if (!written) refuse(value, "a list of values with units in quotes");
    if (written->empty() && !std::is_same_v<Element, TriggerRule>)
        refuse(value, "at least one value with its unit in quotes");
    std::vector<Element> list;
    for (const std::string& element : *written) list.push_back(parse(element));
    return list;
}

/// @throws std::invalid_argument that says what was found and what was expected
template <class Value>
Value value_in(const KeyValue& value, const KeyForm& form) {
    using std::is_same_v;
    if constexpr (is_optional<Value>) {
        using Inner = typename Value::value_type;
        if constexpr (is_optional<Inner>) return value_in<Inner>(value, form);
        if (!form.absent.empty() && value == KeyValue(form.absent)) return std::nullopt;
        if constexpr (is_same_v<Inner, std::int64_t>)
            if (!form.absent.empty()) return frames_in(value, form);
        if constexpr (!is_optional<Inner>) return value_in<Inner>(value, form);
    } else if constexpr (std::is_enum_v<Value>) {
        return static_cast<Value>(chosen(value, form.choices));
    } else if constexpr (is_same_v<Value, bool>) {
        return flag_in(value);
    } else if constexpr (std::is_integral_v<Value>) {
        return static_cast<Value>(count_in(value, form));
    } else if constexpr (is_same_v<Value, Ratio>) {
        return ratio_in(value, form);
    } else if constexpr (is_same_v<Value, FragmentList>) {
        return fragments_in(value, form);
    } else if constexpr (is_same_v<Value, std::vector<std::int64_t>>) {
        return integers_in(value, form);
    } else if constexpr (is_list<Value>) {
        using Element = typename Value::value_type;
        return list_in<Element>(value, [&](const std::string& text) { return read_text<Element>(text, form); });
    } else {
        if (!form.choices.empty()) chosen(value, form.choices);
        return read_text<Value>(text_to_parse(value), form);
    }
}

/// Returns a description of the values of a type. @param example  example of a value; may be empty
template <class Value>
std::string kind_of(const std::string& example) {
    using std::is_same_v;
    const auto or_else = [&](const char* usual) { return "\"" + (example.empty() ? usual : example) + "\""; };
    if constexpr (is_optional<Value>) return kind_of<typename Value::value_type>(example);
    if constexpr (is_same_v<Value, bool>) return "true or false";
    if constexpr (std::is_integral_v<Value>) return "integer";
    if constexpr (is_same_v<Value, BitRate>) return "bit rate " + or_else("10 Gb/s");
    if constexpr (is_same_v<Value, Time>) return "time " + or_else("3 us");
    if constexpr (is_same_v<Value, Bytes>) return "size " + or_else("64 B");
    if constexpr (is_same_v<Value, Frequency>) return "rate \"8 kHz\"";
    if constexpr (is_same_v<Value, ClockTolerance>) return "\"50 ppm\"";
    if constexpr (is_same_v<Value, MemorySize>) return "amount of memory";
    if constexpr (is_same_v<Value, Ratio>) return "number, 8 or \"1/8\"";
    if constexpr (is_same_v<Value, ResumeLevel>) return "\"50 %\" or an amount";
    if constexpr (is_same_v<Value, FragmentList>) return "integer or list of sizes";
    if constexpr (is_same_v<Value, std::vector<Time>>) return "list of times";
    if constexpr (is_same_v<Value, std::vector<ClockTolerance>>) return "list of \"20 ppm\"";
    if constexpr (is_same_v<Value, std::vector<PayloadShare>>) return "list of sizes";
    if constexpr (is_same_v<Value, std::vector<std::int64_t>>) return "list of integers";
    if constexpr (is_same_v<Value, std::vector<Frequency>>) return "list of \"1 kHz\"";
    if constexpr (is_same_v<Value, std::vector<Ratio>>) return "list of \"1/2\"";
    if constexpr (is_same_v<Value, std::vector<MemorySize>>) return "list of amounts of memory";
    if constexpr (is_same_v<Value, std::vector<BitRate>>) return "list of bit rates";
    if constexpr (is_same_v<Value, std::vector<Bytes>>) return "list of sizes";
    if constexpr (is_same_v<Value, std::vector<TriggerRule>>) return "list of rules";
    return "text";
}

/// The limits of one value, in words: those of the form, or of the type.
template <class Value>
std::string limits_of(const KeyForm& form) {
    if constexpr (is_optional<Value>) return form.absent.empty() ? limits_of<typename Value::value_type>(form) : "";
    using std::is_same_v;
    if constexpr (std::is_integral_v<Value> || is_same_v<Value, FragmentList> ||
                  is_same_v<Value, std::vector<std::int64_t>>)
        return is_same_v<Value, bool> ? "" : std::to_string(form.least) + " to " + std::to_string(form.most);
    if constexpr (is_list<Value>) return "";
    constexpr bool positive = is_same_v<Value, BitRate> || is_same_v<Value, Frequency> || is_same_v<Value, MemorySize>;
    return positive && form.limits.empty() ? "more than 0" : form.limits;
}

/// The default of a member, as a scenario would state it, without quotes; empty where nothing is said. A list, a memory
/// and a factor have none.
template <class Value>
std::string default_of(const Value& value, const KeyForm& form) {
    using std::is_same_v;
    if constexpr (is_optional<Value>)
        return value ? default_of(*value, form) : form.absent;
    else if constexpr (std::is_enum_v<Value>)
        return form.choices[static_cast<std::size_t>(value)];
    else if constexpr (is_same_v<Value, bool>)
        return value ? "true" : "false";
    else if constexpr (std::is_integral_v<Value>)
        return std::to_string(value);
    else if constexpr (is_same_v<Value, std::string>)
        return value;
    else if constexpr (is_same_v<Value, FragmentList>)
        return std::to_string(value.number);
    else if constexpr (is_same_v<Value, Time>)
        return value == Time{0} ? "0 us" : to_text(value);
    else if constexpr (is_same_v<Value, ClockTolerance>)
        return value.count == 0 ? "0 ppm" : to_text(value);
    else if constexpr (is_same_v<Value, Bytes>)  // a frame's sizes are told in bytes
        return value.count < 10'000 ? std::to_string(value.count) + " B" : to_text(value);
    else if constexpr (is_same_v<Value, BitRate> || is_same_v<Value, Frequency> ||
                       is_same_v<Value, std::vector<PortGroup>>)
        return to_text(value);
    else
        return "";
}

/// A key of the table that an Owner is made from.
template <class Owner>
struct Key {
    template <class Value>
    Key(std::string name, Value& (*place)(Owner&), std::string meaning, const KeyForm& form = {})
        : Key(std::move(name), place, std::move(meaning), form,
              [kept = std::make_shared<const KeyForm>(form)](const KeyValue& value) {
                  return value_in<Value>(value, *kept);
              }) {
        key.limits = limits_of<Value>(form);
    }
    /// @param read  from a KeyValue to a value, in place of what the type says
    template <class Value, class Read>
    Key(std::string name, Value& (*place)(Owner&), std::string meaning, const KeyForm& form, Read read)
        : set([place, read](Owner& owner, const KeyValue& value) { place(owner) = read(value); }) {
        Owner initial{};
        key.name = std::move(name);
        key.meaning = std::move(meaning);
        key.default_value = form.initial ? *form.initial : default_of(place(initial), form);
        const bool is_example = form.example.empty() && key.default_value.compare(0, 2, "0 ") != 0;
        key.kind = form.kind.empty() ? kind_of<Value>(is_example ? key.default_value : form.example) : form.kind;
        key.limits = form.limits;
        key.choices = form.choices;
    }

    Key(ScenarioKey described, std::function<void(Owner&, const KeyValue&)> setter)
        : key(std::move(described)), set(std::move(setter)) {}

    ScenarioKey key;
    std::function<void(Owner&, const KeyValue&)> set;
};

/// The keys of a table. @param table  "switch." or empty, @param at  from the scenario to what the table fills
template <class Owner>
std::vector<ScenarioKey> keys_of(const std::string& table, Owner& (*at)(Scenario&), std::vector<Key<Owner>> all) {
    std::vector<ScenarioKey> keys;
    keys.reserve(all.size());
    for (Key<Owner>& each : all) {
        ScenarioKey& key = keys.emplace_back(std::move(each.key));
        key.name = table + key.name;
        key.set = [at, set = std::move(each.set)](Scenario& scenario, const KeyValue& value) {
            set(at(scenario), value);
        };
    }
    return keys;
}

/// The keys of a system beside the camera.
template <class Owner>
std::vector<ScenarioKey> system_keys(const std::string& table, std::vector<Key<Owner>> all) {
    return keys_of<Owner>(
        table, +[](Scenario& scenario) -> Owner& { return scenario.of<Owner>(); }, std::move(all));
}

/// The key of a field of the model.
template <class Owner, class... Own>
Key<Owner> key_of(const Field<Owner, Own...>& field) {
    KeyForm form{field.least, field.most, field.limits, {}, field.kind, field.initial};
    form.may_be_cells = field.may_be_cells;
    if (field.unlimited) form = form.like("16 frames").or_word("unlimited", "\"unlimited\" or \"16 frames\"");
    return std::visit(
        [&](const auto& place) {
            if constexpr (std::is_same_v<std::decay_t<decltype(place)>, FieldChoice<Owner>>) {
                const std::vector<std::string> names(place.names.begin(), place.names.end() - field.unwritten);
                ScenarioKey key{field.name, field.kind.empty() ? "text" : field.kind, {}, field.meaning};
                key.default_value = field.initial.value_or(place.names[static_cast<std::size_t>(place.get(Owner{}))]);
                key.choices = names;
                return Key<Owner>(key, [place, names](Owner& owner, const KeyValue& value) {
                    place.set(owner, static_cast<int>(chosen(value, names)));
                });
            } else {
                using Value = std::decay_t<decltype(place(std::declval<Owner&>()))>;
                constexpr bool is_time = std::is_same_v<Value, Time> || std::is_same_v<Value, std::optional<Time>>;
                if ((is_time || std::is_same_v<Value, std::vector<Time>>)&&form.limits.empty())
                    form.most = kDelay.most, form.limits = kDelay.limits;
                if (is_time) form.example = "3 us";
                return Key<Owner>(field.name, place, field.meaning, form);
            }
        },
        field.place);
}

}  // namespace watershed::key_tables
