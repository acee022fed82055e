// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/frontend/trigger.h"

namespace watershed {

/// Triggers of which a look at a memory decides, some time before each of them. At the look for one all before it are
/// decided.
class BackpressureTriggers {
  public:
    BackpressureTriggers(TriggerTrain train, Time latency) : train_(std::move(train)), latency_(latency) {}

    /// @param send  told of triggers that come so early that no frame can be there at their look
    /// @returns when to look for the next, and then decide(); nothing after the last
    template <class Send>
    std::optional<Time> next_look(Send send) {
        while ((offered_ = train_.offer())) {
            if (*offered_ >= latency_) return *offered_ - latency_;
            take(send);
        }
        return std::nullopt;
    }
    template <class Send>
    void decide(bool almost_full, Send send) {
        almost_full ? train_.refuse() : take(send);
    }

    const std::vector<Time>& taken() const { return taken_; }
    std::int64_t refused() const { return train_.refused(); }

  private:
    template <class Send>
    void take(Send send) {
        train_.take(*offered_);
        taken_.push_back(*offered_);
        send(*offered_);
    }

    TriggerTrain train_;
    Time latency_;
    std::optional<Time> offered_;  ///< of the next look
    std::vector<Time> taken_;
};

}  // namespace watershed
