// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

/// Returns the words of HTML with a bar for the tags between them; figures are left out.
inline std::string barred(const std::string& html) {
    std::string words;
    for (std::size_t i = 0; i < html.size(); ++i) {
        if (html[i] == '<') {
            const std::string end = html.compare(i, 4, "<svg") == 0 ? "</svg>" : ">";
            i = html.find(end, i) + end.size() - 1;
        }
        const bool between = html[i] == '>' || html[i] == '\n';
        if (!between) words += html[i];
        if (between && (words.empty() || words.back() != '|')) words += '|';
    }
    return words;
}
