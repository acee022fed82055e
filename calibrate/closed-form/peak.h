// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/queue-model.h"

/// What a counter of the memory tells of a burst: the most that was in use. It is the whole memory's, or the sum over
/// the memories of inputs or outputs.
namespace watershed {

/// Units of the counter that a frame of this burst takes: bytes, the whole cells of a memory in cells; a counter of
/// cells counts frames where the memory is none in cells.
std::int64_t counter_cost(const QueueModel& model, const Burst& burst);

/// Frames that were in use at once, at least; no more than were sent. 0 where no counter was read.
std::int64_t frames_in_use(const QueueModel& model, const Burst& burst);

/// The least room of each memory with which so many frames can be in use.
std::int64_t least_room(const QueueModel& model, const Burst& burst);

}  // namespace watershed
