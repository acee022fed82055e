// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/peak.h"

#include <algorithm>

namespace watershed {

std::int64_t counter_cost(const QueueModel& model, const Burst& burst) {
    const bool cells = model.unit == MemorySize::Unit::Cell;
    if (burst.peak && burst.peak->cells) return cells ? model.cost(burst) : 1;
    return cells ? model.cost(burst) * model.cell : burst.buffer;
}

std::int64_t frames_in_use(const QueueModel& model, const Burst& burst) {
    if (!burst.peak) return 0;
    const std::int64_t least = std::max<std::int64_t>(0, burst.peak->amount - burst.peak->resolution);
    return std::min(burst.fragments(), ceil_div(least, counter_cost(model, burst)));
}

std::int64_t least_room(const QueueModel& model, const Burst& burst) {
    return ceil_div(frames_in_use(model, burst), model.memories(burst));
}

}  // namespace watershed
