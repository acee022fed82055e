// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "scenarios/catalogue/catalogue.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

std::string without_blanks(const std::string& text) {
    std::string rest;
    for (const unsigned char c : text)
        if (std::isspace(c) == 0) rest += static_cast<char>(std::tolower(c));
    return rest;
}

bool is_number(const std::string& word) { return word.find_first_not_of("0123456789.") == std::string::npos; }

struct Sought {
    std::string text;                   ///< in small letters, without blanks
    std::optional<std::int64_t> bytes;  ///< amount, if it is a size
};

/// As people write them, with letters of any size.
std::optional<std::string> unit_of_size(const std::string& word) {
    static const std::map<std::string, std::string> kUnits{{"b", "B"},     {"kb", "kB"},   {"mb", "MB"},  {"gb", "GB"},
                                                           {"kib", "KiB"}, {"mib", "MiB"}, {"gib", "GiB"}};
    const auto unit = kUnits.find(word);
    return unit == kUnits.end() ? std::nullopt : std::make_optional(unit->second);
}

Sought sought(const std::string& word) {
    Sought one{without_blanks(word), std::nullopt};
    const auto unit = std::min(one.text.find_first_not_of("0123456789."), one.text.size());
    const auto named = unit_of_size(one.text.substr(unit));
    if (unit == 0 || !named) return one;
    try {
        one.bytes = parse_bytes(one.text.substr(0, unit) + " " + *named).count;
    } catch (const std::invalid_argument&) {
        // "1.2.3 MB" is text
    }
    return one;
}

/// An amount and its unit may be two words.
std::vector<Sought> all_sought(const std::vector<std::string>& words) {
    std::vector<std::string> joined;
    for (const std::string& word : words)
        if (!joined.empty() && is_number(joined.back()) && unit_of_size(without_blanks(word)))
            joined.back() += word;
        else if (!without_blanks(word).empty())
            joined.push_back(word);
    std::vector<Sought> all;
    for (const std::string& word : joined) all.push_back(sought(word));
    return all;
}

/// Nothing where the memory is counted in frames, or in cells of unknown size.
std::optional<double> memory_of(const CatalogueSwitch& entry) {
    const auto text = [&](const char* key) -> std::optional<std::string> {
        const CatalogueSwitch::Value* value = entry.find(key);
        return value && value->value ? std::make_optional(value_text(*value->value)) : std::nullopt;
    };
    const auto size = text("switch.buffer.size"), cell = text("switch.buffer.cell");
    try {
        const MemorySize memory = parse_memory_size(size.value_or(""));
        if (memory.unit == MemorySize::Unit::Byte) return static_cast<double>(memory.amount);
        if (memory.unit == MemorySize::Unit::Cell && cell)
            return static_cast<double>(memory.amount) * static_cast<double>(parse_bytes(*cell).count);
    } catch (const std::invalid_argument&) {
        // the reader of scenarios says what is wrong
    }
    return std::nullopt;
}

/// Makers write 12 MB for 12 MiB, and for less where some of it is kept back.
bool is_about(double bytes, std::int64_t wanted) {
    constexpr double kNear = 0.05;
    return std::abs(bytes / static_cast<double>(wanted) - 1) < kNear;
}

/// A number must not be the end of a longer one: "6mb" is not in "16 MB".
bool occurs(const std::string& word, const std::string& text) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if (at == 0 || !is_number(word.substr(0, 1)) || !is_number(text.substr(at - 1, 1))) return true;
    return false;
}

std::vector<std::string> all_that_is_said(const CatalogueSwitch& entry) {
    std::vector<std::string> texts{entry.id, entry.name, entry.note};
    for (const auto& ports : entry.ports)
        texts.insert(texts.end(),
                     {std::to_string(ports.count) + " x " + to_text(ports.speed), ports.standing, ports.source});
    for (const auto& value : entry.values)
        texts.insert(texts.end(),
                     {value.key, value.value ? value_text(*value.value) : "unknown", value.standing, value.source});
    for (std::string& text : texts) text = without_blanks(text);
    return texts;
}

}  // namespace

std::vector<CatalogueSwitch> switches_with(const std::vector<std::string>& words,
                                           const std::vector<CatalogueSwitch>& catalogue) {
    const std::vector<Sought> all = all_sought(words);
    std::vector<CatalogueSwitch> found;
    for (const CatalogueSwitch& entry : catalogue) {
        const std::vector<std::string> texts = all_that_is_said(entry);
        const auto memory = memory_of(entry);
        const auto is_said = [&](const Sought& word) {
            return (word.bytes && memory && is_about(*memory, *word.bytes)) ||
                   std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return occurs(word.text, text); });
        };
        if (std::all_of(all.begin(), all.end(), is_said)) found.push_back(entry);
    }
    return found;
}

}  // namespace watershed
