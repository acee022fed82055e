// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/exact/uniform-camera.h"
#include "model/network/network.h"

namespace watershed {

/// Highest level of an almost-full rule without loss. It covers a synchronous camera, a memory that all queues share,
/// and uplinks with equal numbers of modules.
///
/// A trigger sends n frames to each uplink, which sends one in t. All frames of a trigger have arrived W after the look
/// (the occupancy check) that let it pass. Triggers are at least D apart, and D is no less than the time of a frame on
/// a module's link; otherwise frames would wait in front of the links, where a look does not see them. So the frames
/// that arrive within W after a look belong to at most J = ceil(W / D) triggers. Let the look find h frames for an
/// uplink. If the uplink keeps sending, at most h + J n - floor(W / t) frames wait in the end. If it falls idle, no
/// more wait than J triggers at the distance D bring to an empty switch.
///
/// For h < n there are two cases. If frames arrived between a look that finds h and the look before it, these looks are
/// more than (n - h) t apart, so that fewer than J triggers may be unseen. If no frame arrived between the looks of the
/// J triggers, frames kept leaving from the first of these looks to the last, and at most
/// h + J n - floor((W + (J - 1) D) / t) frames wait.
class AlmostFullLevelBound {
  public:
    /// @param latency  time from a look to the trigger
    /// @param why      receives the first key that is not covered
    /// @return std::nullopt in that case
    static std::optional<AlmostFullLevelBound> of(const NetworkScenario& scenario, Time latency, UnsupportedKey* why);

    /// Returns the highest level for which no sequence of triggers loses a frame, in the unit of the memory;
    /// std::nullopt if even a level of one frame is too high.
    std::optional<MemorySize> highest() const;

    /// Returns sequences of triggers that test a level above highest(): if any sequence loses frames at this level, one
    /// of these should. In each, a first trigger is followed by others at the least distance, so placed that a frame
    /// leaves at the look of one of them.
    std::vector<std::vector<Time>> worst(MemorySize level) const;

  private:
    /// Returns the largest number of frames that wait for an uplink if each look that lets a trigger pass finds at most
    /// `found` frames for it.
    std::int64_t most_waiting(std::int64_t found) const;
    /// Returns the frames that wait for an uplink after `triggers` triggers at the least distance into an empty switch.
    std::int64_t at_once(std::int64_t triggers) const;
    /// Returns the number of frames that an uplink sends in `time`.
    std::int64_t leave(Wide time) const;

    std::int64_t modules_, uplinks_;  ///< n, modules per uplink; number of uplinks with modules
    std::int64_t room_;               ///< frames of memory per uplink
    std::int64_t cost_;               ///< memory of a frame, in the unit of the memory
    MemorySize::Unit unit_;           ///< unit of the memory
    TransmissionTime uplink_;         ///< t, time of a frame on an uplink
    Wide parts_;                      ///< units of the following times per picosecond
    Wide window_, apart_, latency_;   ///< W, D, and the latency of the switch
    Wide event_;                      ///< time of a trigger's frames on an uplink, rounded down
    std::int64_t unseen_;             ///< J, triggers
};

}  // namespace watershed
