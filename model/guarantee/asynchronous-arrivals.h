// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-guarantee.h"

/// What queues hold of modules out of step.
namespace watershed {

/// How close to each other the frames of one module come at most, if each may be late by a jitter.
struct AsynchronousArrivals {
    static constexpr std::size_t kMostOfTrain = 10'000;

    Wide jitter, link;
    std::optional<Wide> span;    ///< from the first arrival to the last, of any modules, of one train
    std::vector<Wide> triggers;  ///< k is no earlier after any other
    std::vector<Wide> arrivals;  ///< and so are their frames

    void add(Wide trigger) {
        const Wide late = std::max<Wide>(0, trigger - jitter);
        arrivals.push_back(arrivals.empty() ? late : std::max(late, arrivals.back() + link));
        triggers.push_back(trigger);
    }
    /// Whether later ones add nothing to a queue that the rule of so many triggers bounds.
    bool is_over(Wide latency, std::int64_t rule, bool of_link) const {
        if (arrivals.size() < static_cast<std::size_t>(rule)) return false;
        for (std::size_t k = arrivals.size() - static_cast<std::size_t>(rule); k < arrivals.size(); ++k)
            if (arrivals[k] < latency || (!of_link && arrivals[k] != triggers[k] - jitter)) return false;
        return true;
    }
};

/// What a queue holds at most, and how long a frame stays, if so many come at each of the arrivals.
/// @return where the queue holds most
std::size_t bound_queue(const std::vector<Wide>& arrivals, int each, Wide latency, Wide slot, const Ticks& ticks,
                        QueueGuarantee& queue);
/// The same of such a train, and what it holds of one module.
std::size_t bound_out_of_step(const AsynchronousArrivals& train, Wide latency, Wide slot, const Ticks& ticks,
                              QueueGuarantee& queue);

}  // namespace watershed
