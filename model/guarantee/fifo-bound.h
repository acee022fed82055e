// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// The least distances of one module's frames, if each may be late by a jitter.
struct AsynchronousArrivals {
    static constexpr std::size_t kMostOfTrain = 10'000;

    Wide jitter, link;
    std::optional<Wide> span;    ///< time from the first arrival to the last, of any modules, for one train
    std::vector<Wide> triggers;  ///< least times from a trigger to the k-th after it
    std::vector<Wide> arrivals;  ///< least times from a frame to the k-th after it

    void add(Wide trigger) {
        const Wide late = std::max<Wide>(0, trigger - jitter);
        arrivals.push_back(arrivals.empty() ? late : std::max(late, arrivals.back() + link));
        triggers.push_back(trigger);
    }
    /// Returns whether later triggers add nothing to a queue that a rule of `rule` triggers bounds.
    bool is_over(Wide latency, std::int64_t rule, bool of_link) const {
        if (arrivals.size() < static_cast<std::size_t>(rule)) return false;
        for (std::size_t k = arrivals.size() - static_cast<std::size_t>(rule); k < arrivals.size(); ++k)
            if (arrivals[k] < latency || (!of_link && arrivals[k] != triggers[k] - jitter)) return false;
        return true;
    }
};

/// Bounds what a queue holds, and how long a frame stays, if `each` frames come at each of the arrivals.
/// @return the place of the arrival at which the queue holds most
std::size_t bound_queue(const std::vector<Wide>& arrivals, int each, Wide latency, Wide slot, const Ticks& ticks,
                        QueueGuarantee& queue);
/// Bounds what a queue holds of modules out of step, and of one module among them.
/// @return the place of the arrival at which the queue holds most
std::size_t bound_out_of_step(const AsynchronousArrivals& train, Wide latency, Wide slot, const Ticks& ticks,
                              QueueGuarantee& queue);

/// Bounds the output FIFO of a module that has a limit. It is a queue of that module's frames alone, which its link
/// empties: with h_k, J and f frames for each trigger as in Guarantee, and a slot of s on the slowest link, it holds at
/// most
///     max over k of f (k + 1) - floor(max(h_k - J, 0) / s),
/// the frame that is being sent among them, and modules in step reach that.
/// @return std::nullopt, and why, if too many triggers would have to be followed
std::optional<FifoGuarantee> bound_fifo(const NetworkScenario& scenario, const AdmittedTriggers& admitted,
                                        UnsupportedKey* why);

}  // namespace watershed
