// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>

#include "model/base/outcome.h"
#include "model/frontend/fragment-sizes.h"

namespace watershed {

/// Keeps the books of what was lost: where, why, and what first.
class Ledger {
  public:
    /// @param observer told of every loss, if not null
    /// @param sizes    of the frames, for refused_by_fifo(), if not null
    explicit Ledger(const Observer* observer, const FragmentSizes* sizes = nullptr)
        : observer_(observer), sizes_(sizes) {}

    /// @param number  of the switch, from 0, in the order of Network
    void lost(const FrameId& frame, Time time, const LossCause& cause, int number = 0);

    std::int64_t frames_lost() const { return lost_; }
    /// Of a module's frames, those that never got onto its link.
    Outcome::Link refused_by_fifo(int module) const;
    /// By place and reason, in alphabetical order.
    std::vector<Outcome::Loss> losses() const;
    /// The earliest loss. At equal times one at the front end precedes one at a switch, and the lower module comes
    /// first at the front end; a switch decides in its order of arrival, and the lower number comes first among
    /// switches.
    const std::optional<FirstLoss>& first_loss() const { return first_; }

  private:
    struct Count {
        LossCause cause;
        std::int64_t frames;
    };

    const Observer* observer_;
    const FragmentSizes* sizes_;
    std::int64_t lost_ = 0;
    std::vector<Count> counts_;
    std::map<int, Outcome::Link> refused_;  ///< by module
    std::optional<FirstLoss> first_;
    int first_place_ = 0;  ///< 0: front end; otherwise the switch's number, from 1
};

}  // namespace watershed
