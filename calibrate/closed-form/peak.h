// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "calibrate/closed-form/queue-model.h"

/// What a counter of the memory tells of a burst: the most that was in use. It is the whole memory's, or the sum over
/// the memories of inputs or outputs.
namespace watershed {

/// Units of the counter that a frame of this burst takes: bytes, the whole cells of a memory in cells; a counter of
/// cells counts frames where the memory is none in cells.
inline std::int64_t counter_cost(const QueueModel& model, const Burst& burst) {
    const bool cells = model.unit == MemorySize::Unit::Cell;
    if (burst.peak && burst.peak->cells) return cells ? model.cost(burst) : 1;
    return cells ? model.cost(burst) * model.cell : burst.buffer;
}

/// Frames that were in use at once, at least; no more than were sent. 0 where no counter was read.
inline std::int64_t frames_in_use(const QueueModel& model, const Burst& burst) {
    if (!burst.peak) return 0;
    const std::int64_t least = std::max<std::int64_t>(0, burst.peak->amount - burst.peak->resolution);
    return std::min(burst.fragments(), ceil_div(least, counter_cost(model, burst)));
}

/// The least room of each memory with which so many frames can be in use.
inline std::int64_t least_room(const QueueModel& model, const Burst& burst) {
    return ceil_div(frames_in_use(model, burst), model.memories(burst));
}

}  // namespace watershed
