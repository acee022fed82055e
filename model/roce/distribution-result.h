// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/outcome.h"
#include "model/base/quantities.h"

namespace watershed {

/// A mean over windows and its uncertainty, the windows taken for independent (batch means).
struct BatchMean {
    double mean = 0;
    double half_width = 0;  ///< half-width of the 95 % interval, Student's t; 0 for a single window
    double least = 0;       ///< smallest window
    double most = 0;
};

BatchMean batch_mean(const std::vector<double>& windows);

/// Result of a distribution of events.
struct DistributionResult {
    /// A stretch of time over which throughput is averaged.
    struct Window {
        Time end{0};
        std::vector<double> producers_gbps;  ///< data sent, headers not counted
        std::vector<double> consumers_gbps;  ///< data received
        double busy = 0;                     ///< consumers, mean over the window
        Bytes peak{0};                       ///< largest content of the switch so far
    };
    std::vector<Window> windows;  ///< windows from the warm-up on

    std::int64_t frames_sent = 0;
    std::int64_t frames_received = 0;
    std::vector<Outcome::Loss> losses;
    std::int64_t events_sent = 0;
    std::int64_t events_complete = 0;
    std::int64_t events_incomplete = 0;
    std::int64_t producers_paused = 0;  ///< times that the switch told a producer to pause
    Time producer_pause_time{0};        ///< sum over all producers
    std::int64_t switch_paused = 0;     ///< times that a consumer told the switch
    Time switch_pause_time{0};          ///< sum over all outputs of the switch
    std::int64_t frames_marked = 0;
    std::int64_t notifications = 0;  ///< CNPs that reached a producer
    Bytes peak{0};                   ///< peak of the switch memory, headroom included
    std::int64_t peak_frames = 0;
    Time simulated{0};

    std::int64_t frames_lost() const { return frames_sent - frames_received; }
    /// Over producers, by window.
    BatchMean producer_gbps() const;
    BatchMean consumer_gbps() const;
    /// Consumers that are busy.
    BatchMean busy() const;
    /// Every frame and event is accounted for. @throws std::logic_error that says which is not
    void check_conservation() const;
};

}  // namespace watershed
