// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// Least distances of the frames of one module whose triggers have jitter: e_k and h_k of Guarantee. Times are in
/// ticks.
struct AsynchronousArrivals {
    static constexpr std::size_t kMostOfTrain = 10'000;  ///< largest number of triggers if the train is fixed

    Wide jitter, link;           ///< largest jitter of a trigger; slot of the module's link
    std::optional<Wide> span;    ///< time from the first to the last arrival over all modules; only for a fixed train
    std::vector<Wide> triggers;  ///< h_k, least time from a trigger to the k-th after it
    std::vector<Wide> arrivals;  ///< e_k, least time from a frame to the k-th after it

    /// Appends h_k and the e_k that follows from it.
    void add(Wide trigger) {
        const Wide late = std::max<Wide>(0, trigger - jitter);
        arrivals.push_back(arrivals.empty() ? late : std::max(late, arrivals.back() + link));
        triggers.push_back(trigger);
    }
    /// Returns true if later triggers increase no bound of a queue that a rule of `rule` triggers bounds.
    /// @param of_link  true if that rule is the slot of the link
    bool is_over(Wide latency, std::int64_t rule, bool of_link) const {
        if (arrivals.size() < std::size_t(rule)) return false;
        for (std::size_t k = arrivals.size() - std::size_t(rule); k < arrivals.size(); ++k)
            if (arrivals[k] < latency || (!of_link && arrivals[k] != triggers[k] - jitter)) return false;
        return true;
    }
};

/// Bounds occupancy and delay of a queue that gets `each` frames per arrival. Times are in ticks.
/// @return index of the arrival at which the queue holds its maximum
std::size_t bound_queue(const std::vector<Wide>& arrivals, int each, Wide latency, Wide slot, const Ticks& ticks,
                        QueueGuarantee& queue);
/// Bounds occupancy and delay of a queue of modules out of step, and the frames of one module in it.
/// @return index of the arrival at which the queue holds its maximum
std::size_t bound_out_of_step(const AsynchronousArrivals& train, Wide latency, Wide slot, const Ticks& ticks,
                              QueueGuarantee& queue);

/// Bounds the output FIFO of a module, a queue that gets the frames of this module alone and that its link empties. Let
/// h_k and J be as in Guarantee, f the frames per trigger, and s the slot of the slowest link. With the frame in
/// transmission, the FIFO holds at most
///     max over k of f (k + 1) - floor(max(h_k - J, 0) / s).
/// Modules in step reach this bound. @pre the scenario limits the FIFO
/// @param why  receives the reason if too many triggers would have to be followed
/// @return std::nullopt in that case
std::optional<FifoGuarantee> bound_fifo(const NetworkScenario& scenario, const AdmittedTriggers& admitted,
                                        UnsupportedKey* why);

}  // namespace watershed
