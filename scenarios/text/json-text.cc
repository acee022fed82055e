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
std::string with_shortest_numbers(std::string json) {
    constexpr std::size_t kLong = 17;  // fewer characters are not longer than necessary; so many have a point
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::string text;
    std::size_t copied = 0, read = 0, end = 0;
    bool in_string = false;  // at `read`
    for (std::size_t point = json.find('.'); point != std::string::npos; point = json.find('.', end)) {
        std::size_t begin = point;
        while (begin > 0 && (is_digit(json[begin - 1]) || json[begin - 1] == '-')) --begin;
        for (end = point + 1; is_digit(json[end]) || json[end] == 'e' || json[end] == '-' || json[end] == '+';) ++end;
        if (end - begin < kLong) continue;
        for (; read < begin; ++read)
            if (in_string && json[read] == '\\')
                ++read;
            else if (json[read] == '"')
                in_string = !in_string;
        if (in_string) continue;
        char digits[32];
        const double number = std::strtod(&json[begin], nullptr);
        const std::string shortest(digits, std::to_chars(digits, std::end(digits), number).ptr);
        text.append(json, copied, begin - copied);
        text += shortest + (shortest.find_first_of(".e") == std::string::npos ? ".0" : "");
        copied = end;
    }
    return copied == 0 ? json : text.append(json, copied, std::string::npos);
}

}  // namespace

std::string json_text(Json json, int indent) {
    clean(json);
    return with_shortest_numbers(json.dump(indent));
}

}  // namespace watershed
