// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/fit-options.h"

#include <stdexcept>

#include "scenarios/text/units.h"

namespace watershed {

KnownNoise parse_noise(std::string_view text) {
    constexpr std::string_view kFrames = "frames";
    const bool frames = text.size() >= kFrames.size() && text.substr(text.size() - kFrames.size()) == kFrames;
    std::string_view number = frames ? text.substr(0, text.size() - kFrames.size()) : text;
    while (!number.empty() && number.back() == ' ') number.remove_suffix(1);
    const bool percent = !number.empty() && number.back() == '%';
    try {
        const double value = as_number(parse_ratio(number));
        if (frames != percent || value == 0) return {value, value, !frames};
    } catch (const std::invalid_argument&) {
    }
    throw std::invalid_argument(
        "found \"" + std::string(text) +
        "\", expected a part of a burst's length such as \"2 %\", a number of lost frames such as \"3 frames\", or 0");
}

}  // namespace watershed
