// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>
#include <string>

#include "model/base/quantities.h"

/// How far simulated time reaches. A Time holds 106 days. Triggers end within 53 of them, delays last 10 at most, a
/// frame 6 on a link, and a link on which frames leave later than kLastDeparture ends the run: so no sum of these ever
/// wraps.
namespace watershed {

constexpr Time kDay{std::int64_t{86'400} * 1'000'000'000'000};
constexpr Time kLongestDelay = kDay * 10;
constexpr Time kLongestSlot = kDay * 6;
constexpr Time kLastDeparture = kDay * 90;

/// A link is so slow, or so much waits for it, that simulated time does not reach to the end.
struct TimeExceeded : std::runtime_error {
    explicit TimeExceeded(BitRate of_link, const std::string& key = {})
        : std::runtime_error((key.empty() ? "" : key + ": ") + "a link of " + std::to_string(of_link.count) +
                             " b/s would still send what waits for it after 90 days, expected a faster link, less "
                             "traffic or less memory"),
          rate(of_link) {}
    BitRate rate;
};

}  // namespace watershed
