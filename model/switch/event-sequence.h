// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace watershed {

/// Watches the order in which a switch decides on frames, for two facts that let one run answer for many burst lengths.
class EventSequence {
  public:
    /// The switch is about to decide on a frame of `event`.
    /// @param idle  its memory is empty and its uplinks are silent
    void deciding(std::int64_t event, bool idle) {
        if (event > latest_) {
            latest_ = event;
            if (idle && event > 1 && first_idle_ == 0) first_idle_ = event;
        } else if (event < latest_) {
            in_order_ = false;
        }
    }

    /// Of all events decided on.
    std::int64_t latest() const { return latest_; }
    bool in_order() const { return in_order_; }
    std::int64_t first_idle() const { return first_idle_; }

  private:
    std::int64_t latest_ = 0;
    std::int64_t first_idle_ = 0;
    bool in_order_ = true;
};

}  // namespace watershed
