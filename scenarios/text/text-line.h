// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace watershed {

/// As printf() takes it.
template <class Value>
auto printed(const Value& value) {
    if constexpr (std::is_same_v<Value, std::string>)
        return value.c_str();
    else if constexpr (std::is_same_v<Value, std::int64_t>)
        return static_cast<long long>(value);
    else
        return value;
}

/// A line of a report, written as printf does, of at most 299 characters; blanks at its end are left out. Texts may be
/// std::string.
template <class... Values>
std::string text_line(const char* format, const Values&... values) {
    char text[300];
    std::snprintf(text, sizeof text, format, printed(values)...);
    std::string line = text;
    const bool ends = !line.empty() && line.back() == '\n';
    line.erase(line.find_last_not_of(" \n") + 1);
    return ends ? line + '\n' : line;
}

/// What `%lld` prints.
inline long long integer(std::int64_t value) { return value; }

/// The texts in a row, each as `text_of` gives it.
template <class Texts, class TextOf>
std::string listed(const Texts& texts, TextOf text_of, const char* separator = ", ") {
    std::string list;
    for (const auto& each : texts) list += (list.empty() ? "" : separator) + std::string(text_of(each));
    return list;
}
template <class Texts>
std::string listed(const Texts& texts, const char* separator = ", ") {
    return listed(
        texts, [](const std::string& text) { return text; }, separator);
}

inline bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace watershed
