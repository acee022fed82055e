// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdio>
#include <string>

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

}  // namespace watershed
