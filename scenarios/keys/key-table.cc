// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/key-table.h"

#include <algorithm>
#include <sstream>

#include "model/switch/gate-control-list.h"
#include "scenarios/text/did-you-mean.h"

namespace watershed::key_tables {
namespace {

std::string shown(const KeyValue& value) {
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

std::string range_of(const KeyForm& form) { return std::to_string(form.least) + " to " + std::to_string(form.most); }

bool is_in_range(std::int64_t number, const KeyForm& form) { return number >= form.least && number <= form.most; }

}  // namespace

KeyForm from_to(std::int64_t least, std::int64_t most, std::string words) {
    KeyForm form;
    form.least = least;
    form.most = most;
    form.limits = words.empty() ? range_of(form) : std::move(words);
    return form;
}

KeyForm choice(std::vector<std::string> choices) {
    KeyForm form;
    form.choices = std::move(choices);
    return form;
}

void refuse(const KeyValue& value, const std::string& expected) {
    throw std::invalid_argument("found " + shown(value) + ", expected " + expected);
}

std::string text_to_parse(const KeyValue& value) {
    if (const auto* written = std::get_if<std::string>(&value)) return *written;
    if (!std::holds_alternative<std::int64_t>(value)) refuse(value, "a value with its unit in quotes");
    return shown(value);
}

std::size_t chosen(const KeyValue& value, const std::vector<std::string>& choices) {
    const auto* word = std::get_if<std::string>(&value);
    const auto found = word ? std::find(choices.begin(), choices.end(), *word) : choices.end();
    if (found == choices.end()) refuse(value, one_of(choices) + did_you_mean(word ? *word : "", choices));
    return static_cast<std::size_t>(found - choices.begin());
}

bool flag_in(const KeyValue& value) {
    if (!std::holds_alternative<bool>(value)) refuse(value, "true or false");
    return std::get<bool>(value);
}

std::int64_t count_in(const KeyValue& value, const KeyForm& form) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (!number || !is_in_range(*number, form)) refuse(value, "an integer from " + range_of(form));
    return *number;
}

std::vector<std::int64_t> integers_in(const KeyValue& value, const KeyForm& form) {
    const auto* written = std::get_if<std::vector<std::int64_t>>(&value);
    if (!written || written->empty()) refuse(value, "a list of integers from " + range_of(form));
    for (const std::int64_t each : *written)
        if (!is_in_range(each, form))
            throw std::invalid_argument("found " + std::to_string(each) + " in " + shown(value) +
                                        ", expected integers from " + range_of(form));
    return *written;
}

Ratio ratio_in(const KeyValue& value, const KeyForm& form) {
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
    const Ratio ratio = parse_ratio(written.str());
    if (!form.limits.empty() && !is_within(ratio, form)) refuse(value, form.limits);
    return ratio;
}

FragmentList fragments_in(const KeyValue& value, const KeyForm& form) {
    const auto* list = std::get_if<std::vector<std::string>>(&value);
    const auto* number = std::get_if<std::int64_t>(&value);
    const std::int64_t found = list ? static_cast<std::int64_t>(list->size()) : number ? *number : 0;
    if (!is_in_range(found, form))
        refuse(value, "an integer from " + range_of(form) + ", or a list of so many payloads such as \"1400 B\"");
    if (!list) return FragmentList(static_cast<int>(found));
    const KeyForm payload = from_to(1, 1'000'000'000, "1 B to 1 GB");
    return FragmentList(
        list_in<Bytes>(value, [&](const std::string& text) { return read_text<Bytes>(text, payload); }));
}

std::int64_t frames_in(const KeyValue& value, const KeyForm& form) {
    const std::string text = text_to_parse(value);
    const MemorySize size = parse_memory_size(text);
    if (size.unit != MemorySize::Unit::Frame || size.amount > form.most)
        throw std::invalid_argument("found \"" + text + "\", expected \"" + form.absent + "\" or an amount such as \"" +
                                    form.example + "\"");
    return size.amount;
}

GateEntry parse_gate_entry(const std::string& value) {
    const auto colon = value.find(':');
    const auto classes = colon == std::string::npos ? std::nullopt : read_classes(value.substr(colon + 1));
    if (!classes)
        throw std::invalid_argument("found \"" + value +
                                    "\", expected a time and classes from 0 to 7 such as \"300 us: 7\", \"650 us: "
                                    "0-3,6\" or \"50 us:\"");
    return {parse_time(value.substr(0, colon)), *classes};
}

ResumeLevel parse_resume(const std::string& value) {
    if (value.find('%') == std::string::npos) return parse_memory_size(value);
    const Ratio part = parse_ratio(value);
    if (part.numerator > part.denominator)
        throw std::invalid_argument("found \"" + value + "\", expected at most 100 %");
    return part;
}

}  // namespace watershed::key_tables
