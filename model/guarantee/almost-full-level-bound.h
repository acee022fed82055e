// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/exact/uniform-camera.h"
#include "model/network/network.h"

namespace watershed {

/// How high the level of an almost-full rule may be without a loss, for a synchronous camera, one memory that all share
/// and uplinks that have equally many modules.
///
/// A trigger sends n frames to an uplink, which sends one each t. They arrive W after the look that let them pass, and
/// no two triggers are closer than D, which is no less than a frame's time on a module's link: what waits in front of
/// the links would be unseen. So at most J = ceil(W / D) triggers send what arrives between a look
/// and W later. If the look found h frames for the uplink, and this sends on, at most h + J n - floor(W / t) wait in
/// the end; if it falls silent, at most what J triggers as close as they may be bring to an empty switch.
///
/// Where h < n, a look that finds h comes more than (n - h) t after the one before it, if frames arrived between the
/// two: then fewer than J triggers may be unseen. If none arrived between the looks of J, the first one's frames went
/// on leaving until the last one's: h + J n - floor((W + (J - 1) D) / t).
class AlmostFullLevelBound {
  public:
    /// @param latency  from a look to the trigger
    /// @param why      the key that makes it something else
    static std::optional<AlmostFullLevelBound> of(const NetworkScenario& scenario, Time latency, UnsupportedKey* why);

    /// Returns the highest level with which no sequence of triggers loses a frame, in the unit of the memory;
    /// std::nullopt if a level of one frame is too high.
    std::optional<MemorySize> highest() const;

    /// Returns sequences of triggers for a level above highest(): if any loses frames, one of these should. After a
    /// first trigger others follow as close as they may, so that a frame leaves at the look of one of them.
    std::vector<std::vector<Time>> worst(MemorySize level) const;

  private:
    /// Returns the most frames that wait for an uplink if looks find `found` of them.
    std::int64_t most_waiting(std::int64_t found) const;
    /// Returns the frames that wait for an uplink after `triggers` triggers, as close as they may be, of an empty
    /// switch.
    std::int64_t at_once(std::int64_t triggers) const;
    /// Returns the frames that leave by an uplink in `time`.
    std::int64_t leave(Wide time) const;

    std::int64_t modules_, uplinks_;  ///< modules of an uplink, and uplinks that have any
    std::int64_t room_;               ///< frames, of an uplink
    std::int64_t cost_;               ///< memory that a frame takes, in the unit of the memory
    MemorySize::Unit unit_;
    TransmissionTime uplink_;
    Wide parts_;  ///< parts of a picosecond in which the following times are counted
    Wide window_, apart_, latency_;
    Wide event_;           ///< time that an uplink takes for a trigger's frames, rounded down
    std::int64_t unseen_;  ///< triggers, J
};

}  // namespace watershed
