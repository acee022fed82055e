// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>
#include <ns3/traced-value.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/ns3/base/watershed-blocks.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/switch/event-driven-switch.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// Frames of one traffic class that wait at a port of a switch or are being sent by it, as a trace source.
class WatershedQueueLevel : public ns3::Object {
  public:
    static ns3::TypeId GetTypeId();

    /// @param frames, bytes  that came, or went if they are negative
    void Change(std::int64_t frames, std::int64_t bytes) {
        m_packets += static_cast<std::uint32_t>(frames);
        m_bytes += static_cast<std::uint32_t>(bytes);
    }

  private:
    ns3::TracedValue<std::uint32_t> m_packets{0};
    ns3::TracedValue<std::uint32_t> m_bytes{0};
};

/// A frame that waits in a switch for its output, or is being sent. Millions may wait, so it has no more than 64 B.
struct WatershedStored {
    /// A frame for several ports: the memory taken for it, and the number of ports that have yet to send it.
    struct Copies : ns3::SimpleRefCount<Copies> {
        std::optional<MemoryClaim> claim;
        int left = 0;
    };

    WatershedFrame frame;
    Timestamp ready;          ///< time at which it may leave
    ns3::Ptr<Copies> copies;  ///< null if it is the only one
    std::int32_t input = 0;   ///< the memory taken for the frame: a MemoryClaim without what only its admission asks
    std::int32_t output = 0;
    std::int32_t bytes = 0;
    std::int8_t traffic_class = 0;
    bool on_headroom = false;
    bool is_own = false;  ///< the switch made it, and took nothing; no pause stops it

    WatershedStored(WatershedFrame sent, const Timestamp& from, const MemoryClaim& claim, ns3::Ptr<Copies> of = nullptr)
        : frame(std::move(sent)),
          ready(from),
          copies(std::move(of)),
          input(claim.input),
          output(claim.output),
          bytes(static_cast<std::int32_t>(claim.buffer.count)),
          traffic_class(static_cast<std::int8_t>(claim.traffic_class)),
          on_headroom(claim.on_headroom) {}
    /// A frame that the switch made.
    WatershedStored(WatershedFrame made, const Timestamp& from) : frame(std::move(made)), ready(from), is_own(true) {}

    MemoryClaim Claim() const {
        MemoryClaim claim{input, output, Bytes{bytes}};
        claim.traffic_class = traffic_class;
        claim.on_headroom = on_headroom;
        return claim;
    }
    /// The frame has come so far that it gives its memory back, unless other copies have not.
    bool GivesBack() const { return !is_own && (!copies || --copies->left == 0); }
};

/// An output of a switch and its queues.
struct WatershedOutput {
    using Queue = WatershedDeque<WatershedStored>;

    ns3::Ptr<WatershedNetDeviceImpl> device;
    Queue control;  ///< control frames, orders to pause among them; sent before all others
    std::array<Queue, kTrafficClasses>
        queues;  ///< queues of traffic classes; the first holds all frames if there is no scheduler
    std::optional<ClassScheduler> scheduler;  ///< scheduler of the classes
    Queue* sending = nullptr;                 ///< queue whose first frame is being sent; null if the output is idle
    /// The output sends without events of ns-3, which catch up with it; decided when it first sends.
    std::optional<bool> sends_late;
    Timestamp departs{Time::max()};  ///< end of the frame being sent, of such an output that is not idle
    bool is_uplink = false;          ///< one of the group that leads on, of a switch whose ports go both ways
    std::array<PauseGate, kTrafficClasses> gates;
    std::int64_t frames = 0;  ///< in the queues, but its own
    Bytes bytes{0};
    std::array<std::int64_t, kTrafficClasses> held{};   ///< occupancy by class, in the unit of the memory
    std::vector<ns3::Ptr<WatershedQueueLevel>> levels;  ///< level of each class, of a switch whose ports go both ways

    /// Random early detection that the switch itself does here, and not its memory, by class.
    std::optional<std::array<EarlyRange, kTrafficClasses>> early;

    /// The queue whose first frame may be sent now. Call it once for each frame.
    Queue* Next(const Timestamp& now);
};

}  // namespace watershed
