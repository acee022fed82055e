// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/server-pool.h"

#include <algorithm>
#include <stdexcept>

namespace watershed {

ServerPool::ServerPool(const Processor& processor) : cores_(processor.cores), gain_(processor.sibling_gain) {
    if (processor.cores < 1 || processor.threads_per_core < 1)
        throw std::invalid_argument("a server needs at least one core and one thread on it");
    if (gain_.numerator < 0 || gain_.numerator > gain_.denominator)
        throw std::invalid_argument("a second thread at most doubles what a core does");
    free_.assign(static_cast<std::size_t>(processor.cores) * static_cast<std::size_t>(processor.threads_per_core),
                 Time{0});
}

Time ServerPool::serve(Time now, Time work) {
    Time& thread = *std::min_element(free_.begin(), free_.end());
    const Time begin = std::max(thread, now);
    const auto others = std::count_if(free_.begin(), free_.end(), [&](Time free) { return free > begin; });
    const Time duration = slowed_down(work, others + 1);
    thread = begin + duration;
    given_ += duration;
    return thread;
}

Time ServerPool::busy(Time now) const {
    // The jobs of a thread that end after now follow each other without a gap.
    Time worked = given_;
    for (const Time free : free_) worked -= std::max(Time{0}, free - now);
    return worked;
}

Time ServerPool::done() const { return *std::max_element(free_.begin(), free_.end()); }

Time ServerPool::slowed_down(Time work, std::int64_t busy_threads) const {
    if (busy_threads <= cores_) return work;
    const Wide share = Wide{cores_} * gain_.denominator + Wide{busy_threads - cores_} * gain_.numerator;
    return Time{static_cast<std::int64_t>(ceil_div(Wide{work.count()} * busy_threads * gain_.denominator, share))};
}

double processor_capacity(const ServerPool::Processor& processor, double busy_threads) {
    const double gain = as_number(processor.sibling_gain);
    const double cores = processor.cores, threads = cores * processor.threads_per_core;
    return std::min(busy_threads, cores) + gain * std::clamp(busy_threads - cores, 0.0, threads - cores);
}

}  // namespace watershed
