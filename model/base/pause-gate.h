// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/base/quantities.h"

namespace watershed {

/// Gate of a port that obeys pause frames. Calls must be in order of time.
class PauseGate {
  public:
    /// @param length 0 opens the gate
    void order(Time now, Time length) {
        closed_ = closed(now);
        since_ = now;
        until_ = now + length;
    }
    /// The next frame may begin.
    bool is_open(Time now) const { return now >= until_; }
    Time until() const { return until_; }
    /// Time for which it has been closed in all.
    Time closed(Time now) const { return closed_ + std::max(Time{0}, std::min(now, until_) - since_); }

  private:
    Time since_{0}, until_{0}, closed_{0};
};

}  // namespace watershed
