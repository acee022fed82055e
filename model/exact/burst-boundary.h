// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/exact/synchronous-camera.h"

namespace watershed {

/// What an ever longer burst from a synchronous camera asks of the switch's memory, by arithmetic.
/// An uplink that is given more than it carries never pauses, so that until event m it sends what fits into the time
/// since event 1, and what it holds only grows; any other is silent again before the next event.
class BurstArithmetic {
  public:
    /// Nothing if the camera's frames must be followed.
    /// @param separation  of the burst's triggers
    static std::optional<BurstArithmetic> of(const SynchronousCamera& camera, Time separation);

    /// The frames that the fullest pool of memory holds once event m (from 1) has arrived whole, if nothing was lost
    /// until then. It never falls with m.
    std::int64_t occupancy(std::int64_t event) const;

    /// The longest burst of at most `limit` events that loses nothing with `room` frames in each pool; nothing if that
    /// is `limit`.
    std::optional<std::int64_t> lossless(std::int64_t room, std::int64_t limit) const;
    /// The longest burst whose times and frames surely fit into the numbers used here: 7 10^13 events where that is not
    /// extreme.
    std::int64_t most_events() const;
    /// No uplink is given more than it carries: from event 2 on nothing grows.
    bool steady() const;

  private:
    struct Load {
        std::int64_t modules;
        bool overloaded;
        std::int64_t remaining;  ///< otherwise: frames of the event before, when the next arrives
    };

    SynchronousCamera::Pools pools_ = SynchronousCamera::Pools::All;
    // In the largest unit that makes them whole numbers.
    Wide interval_ = 0;  ///< from one event's arrival to the next
    Wide slot_ = 0;      ///< of an uplink
    Wide latency_ = 0;
    std::vector<Load> loads_;
};

}  // namespace watershed
