// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/switch/buffer.h"

namespace watershed {

/// Whether random early detection wants a frame that finds so much in its queue: none below `from`, all at `to` and
/// above, and between them with a probability that rises from 0 to that just below `to`.
inline bool goes_early(std::int64_t held, std::int64_t from, std::int64_t to, Ratio probability, std::uint64_t lot) {
    if (to == 0 || held < from) return false;
    if (held >= to) return true;
    // lot / 2^32 < probability * (held - from) / (to - from), in whole numbers
    const Wide chance = Wide{probability.numerator} * (held - from);
    return Wide{lot >> 32} * probability.denominator * (to - from) < (chance << 32);
}

/// The random bits by which random early detection decides on a frame; 0 where there is none.
/// @param number  of the switch, from 0: each switch on a frame's way draws anew
inline std::uint64_t early_drop_lot(const Buffer& buffer, std::uint64_t seed, const FrameId& frame, int number = 0) {
    if (buffer.wred_to.amount == 0) return 0;
    const std::uint64_t place =
        static_cast<std::uint64_t>(number) << 48 | static_cast<std::uint64_t>(frame.module) << 32 |
        static_cast<std::uint64_t>(frame.stream) << 20 | static_cast<std::uint64_t>(frame.frame);
    return random_bits(seed, Stream::EarlyDrop, static_cast<std::uint64_t>(frame.event), place);
}

}  // namespace watershed
