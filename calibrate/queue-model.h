// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/burst.h"
#include "calibrate/half-plane.h"

/// Closed forms of the loss of one synchronous burst, for the kinds of switch memory that the fit compares.
namespace watershed {

/// A kind of switch memory; depth is the whole memory when shared, one input's own otherwise.
struct QueueModel {
    Buffer::Sharing sharing = Buffer::Sharing::Shared;
    MemorySize::Unit unit = MemorySize::Unit::Frame;
    std::int64_t cell = 0;     ///< bytes, where memory is counted in cells
    std::int64_t header = 0;   ///< bytes stored with each frame in its cells
    bool per_packet = false;   ///< the receiver takes so many frames per second, whatever their size

    /// "shared-frames", "per-input-bytes", "shared-cells-receiver-limited", …
    std::string name() const;
    /// Depth units that one frame of this burst takes.
    std::int64_t cost(const Burst& burst) const {
        return unit == MemorySize::Unit::Frame ? 1 : unit == MemorySize::Unit::Byte ? burst.buffer : ceil_div(burst.buffer + header, cell);
    }
    /// Frames of this burst that fit into the memory (or into one input's part).
    std::int64_t room(const Burst& burst, std::int64_t depth) const { return depth / cost(burst); }
    /// Inputs that fill one memory of the given depth.
    std::int64_t inputs_per_memory(const Burst& burst) const { return sharing == Buffer::Sharing::Shared ? 1 : burst.ports; }
};

/// Frames lost when `room` frames fit and an uplink that is never idle sends `drained` frames between first and last trigger.
/// Exact, save where loss_is_exact() says otherwise; there the true loss is larger. Zero exactly when nothing is lost.
std::int64_t frames_lost(const QueueModel& model, const Burst& burst, std::int64_t room, std::int64_t drained);

/// Queues of single inputs that have lost frames are no longer served in strict turn, and some end the burst with a place free:
/// by how many frames the true loss may exceed the closed form for that reason. 0 for shared memory.
std::int64_t excess_loss(const QueueModel& model, const Burst& burst);

/// The numbers of drained frames (as above) under which this burst ends as it was measured.
struct DrainRange {
    std::int64_t least = 0;
    std::int64_t most = 0;   ///< kNoLimit where any larger number will do
};
constexpr std::int64_t kNoLimit = INT64_MAX;

/// The least room from which the closed form counts the frames lost without reserve. Below it, uplinks may fall idle between events.
std::int64_t least_busy_room(const QueueModel& model, const Burst& burst);

/// Nothing where no service rate explains the burst at this depth.
std::optional<DrainRange> drain_range(const QueueModel& model, const Burst& burst, std::int64_t room);

/// Half-planes in (depth, service rate in bit/s of one uplink) that contain every pair which explains the burst, as far as they
/// hold over the whole of `known`. `all` says whether nothing was left out for that reason.
/// The constants are in frames. With one uplink and depth in frames they are exact (whole depths).
struct BurstBounds {
    std::vector<HalfPlane> sides;
    bool all = true;
    double slack = 0;   ///< frames by which the exact condition may cut deeper than the half-planes do
};
BurstBounds burst_bounds(const QueueModel& model, const Burst& burst, const ConvexPolygon& known);

}  // namespace watershed
