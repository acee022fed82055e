// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>

#include "model/base/outcome.h"
#include "model/network/network.h"

namespace watershed {

/// Callbacks for what happens to every frame of a run, each called when the run decides it, not in the order of time.
struct FrameLog {
    /// A link carries a frame from `begin` on, and its last bit comes to the link's end at `end`.
    /// @param link  place in Network::links() of an uplink; of a sender's link -1 less its place in SenderPorts
    std::function<void(const FrameId&, int link, Time begin, Time end)> carried;
    /// A switch's memory after each change. @param number  of the switch in Network
    std::function<void(int number, Time, std::int64_t frames, Bytes)> held;
    /// A frame is lost.
    std::function<void(const FrameId&, Time, const LossCause&)> lost;
};

/// Follows every frame of a scenario, with the outcome of ExactEngine.
/// @param observer  may be null
/// @param log       has all its callbacks
/// @throws UnsupportedScenario, TimeExceeded as ExactEngine
Outcome log_frames(const NetworkScenario& scenario, const Observer* observer, const FrameLog& log);

}  // namespace watershed
