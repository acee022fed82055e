// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "model/base/quantities.h"

/// What bounds the frames that wait for one congested output: memory, descriptors, and a small FIFO at the input.
namespace watershed {

/// How a switch stores the frames of one output.
struct AbsorptionModel {
    MemorySize::Unit unit = MemorySize::Unit::Byte;  ///< of the memory: bytes or cells
    std::int64_t cell = 1;                           ///< bytes
    std::int64_t header = 0;                         ///< bytes stored with each frame
    std::optional<std::int64_t> depth;               ///< in bytes or cells; nothing where memory never was the limit
    std::optional<std::int64_t> descriptors;         ///< frames
    std::int64_t input_fifo = 0;                     ///< bytes of the burst that wait in front of a full memory
    bool release_at_start = false;                   ///< the frame on its way out takes no room any more

    std::int64_t cost(std::int64_t frame) const { return ceil_div(frame + header, cell); }
    /// Whether descriptors run out before the memory does.
    bool by_descriptors(std::int64_t frame) const {
        return descriptors && (!depth || *descriptors <= *depth / cost(frame));
    }
    /// Frames that a full memory holds. Some limit must be there.
    std::int64_t held(std::int64_t frame) const { return by_descriptors(frame) ? *descriptors : *depth / cost(frame); }
    /// Frames on the way out that take no room.
    std::int64_t leaving() const { return release_at_start ? 1 : 0; }
    /// Frames that have come and not left when the memory is full.
    std::int64_t room(std::int64_t frame) const { return held(frame) + leaving(); }
    std::int64_t in_fifo(std::int64_t frame) const { return input_fifo / frame; }

    /// "shared-cells", "shared-bytes-descriptors", …; "shared-frames" where descriptors are the only limit.
    std::string name() const;
};

/// How a burst beside a stream at line rate fills the queue.
class StreamAndBurst {
  public:
    /// @throws std::invalid_argument if the output is as fast as both inputs, so that nothing is ever lost
    StreamAndBurst(BitRate link, BitRate uplink);

    /// Frames that wait at the end of a burst of this length: two arrive in each slot, and from the second slot on the
    /// output sends.
    std::int64_t waiting(std::int64_t burst) const {
        return 2 * burst - static_cast<std::int64_t>(Wide{burst - 1} * uplink_ / link_);
    }
    /// The longest burst that room for so many frames takes.
    std::int64_t longest(std::int64_t room) const;
    /// Frames of the stream, and the burst's last, that are lost until a full queue of `room` has fallen to `resume`.
    static std::int64_t drops(std::int64_t room, std::int64_t resume) {
        return std::max<std::int64_t>(1, room - resume);
    }

  private:
    std::int64_t link_;
    std::int64_t uplink_;
};

}  // namespace watershed
