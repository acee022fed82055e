// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/json-text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
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

}  // namespace

std::string json_text(Json json, int indent) {
    clean(json);
    return json.dump(indent);
}

}  // namespace watershed
