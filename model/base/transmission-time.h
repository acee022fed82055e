// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/quantities.h"

namespace watershed {

/// How long a frame lasts on a link: picoseconds as a fraction in lowest terms.
struct TransmissionTime {
    Wide numerator = 0;
    Wide denominator = 1;

    static TransmissionTime of(Bytes wire, BitRate rate, ClockTolerance tolerance = {}) {
        constexpr std::int64_t kBillion = 1'000'000'000;
        const Wide numerator = Wide{wire.count} * 8 * 1'000'000'000'000 * kBillion;
        const Wide denominator = Wide{rate.count} * (kBillion + tolerance.count);
        const Wide divisor = common_divisor(numerator, denominator);
        return {numerator / divisor, denominator / divisor};
    }

    /// The whole picoseconds in it, and in it rounded up.
    Wide floor() const { return numerator / denominator; }
    Wide ceil() const { return ceil_div(numerator, denominator); }
};

}  // namespace watershed
