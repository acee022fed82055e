// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace watershed {

/// A line of a report, written as printf does, of at most 299 characters; blanks at its end are left out.
template <class... Values>
std::string text_line(const char* format, Values... values) {
    char text[300];
    std::snprintf(text, sizeof text, format, values...);
    std::string line = text;
    const bool ends = !line.empty() && line.back() == '\n';
    line.erase(line.find_last_not_of(" \n") + 1);
    return ends ? line + '\n' : line;
}

/// What `%lld` prints.
inline long long integer(std::int64_t value) { return value; }

inline bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace watershed
