// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/ns3/core/watershed-queue-level.h"
#include "model/switch/class-scheduler.h"
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

/// An output of a switch and its queues.
struct WatershedOutput {
    using Queue = std::deque<WatershedStored>;

    ns3::Ptr<WatershedNetDevice> device;
    Queue control;  ///< of the network's own frames, orders to pause among them: before all others
    std::array<Queue, kTrafficClasses> queues;  ///< of traffic classes; the first has all, if there is no scheduler
    std::optional<ClassScheduler> scheduler;    ///< of the classes
    Queue* sending = nullptr;                   ///< whose first frame is being sent; null if the output is idle
    bool is_uplink = false;  ///< of a switch whose ports go both ways: one of the group that leads on
    std::array<PauseGate, kTrafficClasses> gates;
    std::int64_t frames = 0;  ///< in the queues, but its own
    Bytes bytes{0};
    std::array<std::int64_t, kTrafficClasses> held{};  ///< the same by class, in the unit of the memory
    std::vector<ns3::Ptr<WatershedQueueLevel>>
        levels;  ///< the same of each class, of a switch whose ports go both ways

    /// The queue whose first frame may be sent now. Call it once for each frame.
    Queue* Next(const Moment& now);
};

}  // namespace watershed
