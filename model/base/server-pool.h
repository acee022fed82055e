// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// The processor of a server: threads that take jobs in the order in which they come, each the first that is free.
/// While more threads are busy than there are cores, some share a core with a sibling, and all of them are slowed down
/// alike.
class ServerPool {
  public:
    /// Processor that the threads share.
    struct Processor {
        int cores = 1;
        int threads_per_core = 1;
        Ratio sibling_gain{0, 1};  ///< gain of a core when a second thread shares it, relative to one alone; 0 to 1
    };

    /// @throws std::invalid_argument if there is no core, no thread or a gain above 1
    explicit ServerPool(const Processor& processor) : cores_(processor.cores), gain_(processor.sibling_gain) {
        if (processor.cores < 1 || processor.threads_per_core < 1)
            throw std::invalid_argument("a server needs at least one core and one thread on it");
        if (gain_.numerator < 0 || gain_.numerator > gain_.denominator)
            throw std::invalid_argument("a second thread at most doubles what a core does");
        free_.assign(static_cast<std::size_t>(processor.cores) * static_cast<std::size_t>(processor.threads_per_core),
                     Time{0});
    }

    /// Call it in order of time. A job keeps the speed that the threads busy at its beginning leave to it.
    /// @param work  what it takes a thread that has its core alone
    /// @return when the job is done
    Time serve(Time now, Time work) {
        Time& thread = *std::min_element(free_.begin(), free_.end());
        const Time begin = std::max(thread, now);
        const auto others = std::count_if(free_.begin(), free_.end(), [&](Time free) { return free > begin; });
        const Time duration = slowed_down(work, others + 1);
        thread = begin + duration;
        given_ += duration;
        return thread;
    }

    /// Time that all threads together have worked up to `now`, which is not before the last job was given: what the
    /// jobs still have to come is not counted.
    Time busy(Time now) const {
        // The jobs of a thread that end after now follow each other without a gap.
        Time worked = given_;
        for (const Time free : free_) worked -= std::max(Time{0}, free - now);
        return worked;
    }
    /// When the last of the jobs so far is done.
    Time done() const { return *std::max_element(free_.begin(), free_.end()); }
    int threads() const { return static_cast<int>(free_.size()); }

  private:
    Time slowed_down(Time work, std::int64_t busy_threads) const {
        if (busy_threads <= cores_) return work;
        const Wide share = Wide{cores_} * gain_.denominator + Wide{busy_threads - cores_} * gain_.numerator;
        return Time{static_cast<std::int64_t>(ceil_div(Wide{work.count()} * busy_threads * gain_.denominator, share))};
    }

    std::int64_t cores_;
    Ratio gain_;
    std::vector<Time> free_;  ///< time at which each thread is done
    Time given_{0};           ///< time of all jobs so far
};

/// Work that a processor does at a time when `busy_threads` are busy, in threads that are alone on their core. For any
/// number of threads, those beyond the processor's own included, which only take turns.
inline double processor_capacity(const ServerPool::Processor& processor, double busy_threads) {
    const double gain = as_number(processor.sibling_gain);
    const double cores = processor.cores, threads = cores * processor.threads_per_core;
    return std::min(busy_threads, cores) + gain * std::clamp(busy_threads - cores, 0.0, threads - cores);
}

}  // namespace watershed
