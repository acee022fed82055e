// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace watershed {

/// The titles of curves in a gnuplot script that its SVG lacks: gnuplot leaves out without a word what has no room in
/// its legend.
inline std::vector<std::string> titles_not_drawn(const std::string& script, const std::string& svg) {
    std::vector<std::string> missing;
    const std::regex title(" title '([^']*)'");
    for (auto match = std::sregex_iterator(script.begin(), script.end(), title); match != std::sregex_iterator();
         ++match) {
        std::string text;
        for (const char c : (*match)[1].str())
            text += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
        if (!text.empty() && svg.find(text) == std::string::npos) missing.push_back(text);
    }
    return missing;
}

}  // namespace watershed
