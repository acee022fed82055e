// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/html.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/text/input-error.h"

namespace watershed {

std::string escaped(const std::string& text) {
    std::string html;
    for (const char c : text) {
        if (c == '&')
            html += "&amp;";
        else if (c == '<')
            html += "&lt;";
        else if (c == '>')
            html += "&gt;";
        else if (c == '"')
            html += "&quot;";
        else
            html += c;
    }
    return html;
}

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw InputError(file + ": cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string svg_element(const std::string& text, const std::string& file) {
    const auto begin = text.find("<svg");
    if (begin == std::string::npos) throw InputError(file + ": expected an SVG figure");
    if (text.find("<script") != std::string::npos)
        throw InputError(file + ": has a script in it, expected a figure of watershed plot");
    return text.substr(begin);
}

std::string figure(const std::string& svg, const std::string& caption) {
    return "<figure>\n" + svg + "\n<figcaption>" + escaped(caption) + "</figcaption>\n</figure>\n";
}

std::string number(const nlohmann::ordered_json& value, const char* format, double scale) {
    if (value.is_null()) return "–";
    char text[48];
    std::snprintf(text, sizeof text, format, value.get<double>() * scale);
    return text;
}

}  // namespace watershed
