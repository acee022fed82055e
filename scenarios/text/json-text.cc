// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/json-text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

double without_noise(double number) {
    constexpr double kNoise = 4 * std::numeric_limits<double>::epsilon();
    char text[32];
    std::snprintf(text, sizeof text, "%.13g", number);
    const double decimal = std::strtod(text, nullptr);
    return std::abs(number - decimal) <= kNoise * std::abs(number) ? decimal : number;
}

void clean(Json& json) {
    if (json.is_number_float()) json = without_noise(json.get<double>());
    if (json.is_structured())
        for (Json& each : json) clean(each);
}

/// Returns JSON with the shortest decimals that mean the same numbers: those of the library are shortest for nearly
/// all.
std::string with_shortest_numbers(const std::string& json) {
    std::string text;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size();) {
        const std::size_t end = in_string ? i : std::min(json.size(), json.find_first_not_of("+-.0123456789e", i));
        constexpr std::size_t kLong = 17;  // fewer characters are not longer than necessary
        if (end - i >= kLong && json.find_first_of(".e", i) < end) {
            char digits[32];
            const double number = std::strtod(&json[i], nullptr);
            const std::string shortest(digits, std::to_chars(digits, std::end(digits), number).ptr);
            text += shortest + (shortest.find_first_of(".e") == std::string::npos ? ".0" : "");
            i = end;
            continue;
        }
        if (json[i] == '"') in_string = !in_string;
        if (json[i] == '\\') text += json[i++];
        text += json[i++];
    }
    return text;
}

}  // namespace

std::string json_text(Json json, int indent) {
    clean(json);
    return with_shortest_numbers(json.dump(indent));
}

}  // namespace watershed
