// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "model/base/pause-gate.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// A frame that waits in a switch for its output, or is being sent.
struct WatershedStored {
    /// Of a frame for several ports: what was taken for it, and how many have yet to send it.
    struct Copies {
        std::optional<MemoryClaim> claim;
        int left = 0;
    };

    WatershedFrame frame;
    Moment ready;                    ///< when it may leave
    MemoryClaim claim;               ///< what was taken for it
    std::shared_ptr<Copies> copies;  ///< null if it is the only one
    bool is_own = false;             ///< the switch made it, and took nothing; no pause stops it

    /// The frame has come so far that it gives its memory back, unless other copies have not.
    bool GivesBack() const { return !is_own && (!copies || --copies->left == 0); }
};

/// An output of a switch and its queue.
struct WatershedOutput {
    ns3::Ptr<WatershedNetDevice> device;
    std::deque<WatershedStored> stored;  ///< the first is being sent, if `sending`
    bool sending = false;
    bool is_uplink = false;  ///< of a switch whose ports go both ways: one of the group that leads on
    PauseGate gate;
    std::int64_t frames = 0;  ///< stored, but its own
    Bytes bytes{0};
};

}  // namespace watershed
