// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/loss.h"

namespace watershed {

/// Header at the beginning of each event fragment's payload, in network byte order:
///
///     0        2        4        8        12       14      16
///     | magic  | version|  run   | event  | module | frame |
struct EventHeader {
    static constexpr std::uint32_t kSize = 16;
    static constexpr std::uint16_t kMagic = 0x5753;  ///< "WS"
    static constexpr std::uint16_t kStreamMagic =
        0x5754;  ///< "WT": a frame of a stream beside the camera, its number in place of the event, then the stream's
    static constexpr std::uint16_t kVersion = 1;
    static constexpr std::uint32_t kEventOffset = 8;
    /// Numbers as large as the fields hold.
    static constexpr std::int64_t kLargestEvent = 0xffffffff;
    static constexpr int kLargestModule = 0xffff;

    std::uint32_t run = 0;
    FrameId frame;

    /// The header of a fragment in `kSize` bytes, or nothing if they are not one of this version.
    static std::optional<EventHeader> parse(const std::uint8_t* bytes);
    /// Parses the header of a fragment, or of a frame of a stream.
    static std::optional<EventHeader> parse_any(const std::uint8_t* bytes);
    /// Writes the header as parse() reads it.
    void write(std::uint8_t* bytes) const;
};

}  // namespace watershed
