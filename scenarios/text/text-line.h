// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

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

/// A text of others with blanks for its ends of lines and other control characters: the name of a device must neither
/// look like a row where it stands in a file, nor move a cursor.
inline std::string one_line(std::string text) {
    // The last three are ends of lines to Unicode.
    for (const std::string_view end : {"\u0085", "\u2028", "\u2029"})
        for (std::size_t at = 0; (at = text.find(end, at)) != std::string::npos;) text.replace(at, end.size(), " ");
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    return text;
}

/// "1 burst", "2 bursts"
template <class Count>
std::string how_many(Count number, const std::string& what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Returns an integer in the type that `%lld` prints.
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

/// Lines of as many cells each, in columns two blanks apart. @param to_the_left  of each column; others are aligned
/// right
inline std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& lines,
                                        const std::vector<bool>& to_the_left) {
    std::vector<std::size_t> widths(to_the_left.size());
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    std::vector<std::string> rows;
    for (const auto& line : lines) {
        std::string& row = rows.emplace_back();
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string space(widths[i] - line[i].size(), ' ');
            row += (i == 0 ? "" : "  ") + (to_the_left[i] ? line[i] + space : space + line[i]);
        }
        row.erase(row.find_last_not_of(' ') + 1);
    }
    return rows;
}

inline bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }
inline bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace watershed
