// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/outcome.h"

namespace watershed {

/// Keeps the books of what was lost: where, why, and what first.
class Ledger {
  public:
    /// @param observer told of every loss, if not null
    explicit Ledger(const Observer* observer) : observer_(observer) {}

    void lost(const FrameId& frame, Time time, const LossCause& cause);

    std::int64_t frames_lost() const { return lost_; }
    /// By place and reason, in alphabetical order.
    std::vector<Outcome::Loss> losses() const;
    /// The earliest loss. At equal times one at the front end precedes one at the switch, and the lower module comes first at
    /// the front end; the switch decides in its order of arrival.
    const std::optional<FirstLoss>& first_loss() const { return first_; }

  private:
    struct Count {
        LossCause cause;
        std::int64_t frames;
    };

    const Observer* observer_;
    std::int64_t lost_ = 0;
    std::vector<Count> counts_;
    std::optional<FirstLoss> first_;
    bool first_at_front_end_ = false;
};

}  // namespace watershed
