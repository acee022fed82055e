// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// The processor of a server: threads that take jobs in the order in which they come, each the first that is free.
/// While more threads are busy than there are cores, some share a core with a sibling, and all of them are slowed down
/// alike.
class ServerPool {
  public:
    /// What the threads share.
    struct Processor {
        int cores = 1;
        int threads_per_core = 1;
        Ratio sibling_gain{0,
                           1};  ///< what a core does more when a second thread shares it, relative to one alone; 0 to 1
    };

    /// @throws std::invalid_argument if there is no core, no thread or a gain above 1
    explicit ServerPool(const Processor& processor);

    /// Call it in order of time. A job keeps the speed that the threads busy at its beginning leave to it.
    /// @param work  what it takes a thread that has its core alone
    /// @return when the job is done
    Time serve(Time now, Time work);

    /// Time that all threads together have worked up to `now`, which is not before the last job was given: what the
    /// jobs still have to come is not counted.
    Time busy(Time now) const;
    /// When the last of the jobs so far is done.
    Time done() const;
    int threads() const { return static_cast<int>(free_.size()); }

  private:
    Time slowed_down(Time work, std::int64_t busy_threads) const;

    std::int64_t cores_;
    Ratio gain_;
    std::vector<Time> free_;  ///< when each thread is done
    Time given_{0};           ///< time of all jobs so far
};

/// How many threads' worth of work a processor does at a time when so many threads are busy; a thread alone on its core
/// is one. For any number of threads, those beyond the processor's own included, which only take turns.
double processor_capacity(const ServerPool::Processor& processor, double busy_threads);

}  // namespace watershed
