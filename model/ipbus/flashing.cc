// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/flashing.h"

#include <algorithm>

namespace watershed {
double worker_speed(const Flashing& flashing, std::int64_t workers) {
    const double threads = static_cast<double>(workers) * as_number(flashing.threads_per_worker);
    const double there = flashing.processor.cores * flashing.processor.threads_per_core;
    const double surplus = std::max(0.0, threads - there) / there;
    return processor_capacity(flashing.processor, threads) / threads /
           (1 + as_number(flashing.switching_loss) * surplus);
}

FlashingResult flash(const Flashing& flashing, std::int64_t workers) {
    // Workers that begin together end together, since all go at the same speed; so the queue is worked off in rounds.
    double duration = in_seconds(flashing.flash_time);
    for (std::int64_t left = flashing.units; left > 0; left -= workers)
        duration += in_seconds(flashing.load_time) / worker_speed(flashing, std::min(workers, left));
    const auto units = static_cast<double>(flashing.units);
    return {workers, flashing.units, duration, duration * static_cast<double>(workers) / units, units / duration * 60};
}

}  // namespace watershed
