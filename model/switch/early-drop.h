// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/outcome.h"
#include "model/base/random.h"
#include "model/switch/buffer.h"

namespace watershed {

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
