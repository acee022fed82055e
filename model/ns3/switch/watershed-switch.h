// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/bridge-net-device.h>
#include <ns3/mac48-address.h>
#include <ns3/node.h>
#include <ns3/packet.h>

#include <cstdint>
#include <vector>

#include "model/base/loss.h"
#include "model/ns3/base/watershed-namespace.h"

namespace watershed {

/// A switch with a memory management unit, as the bridge among the devices of its node. Made by WatershedSwitchHelper,
/// or by an ObjectFactory of its name; attributes and trace sources say all else.
class WatershedSwitch : public ns3::BridgeNetDevice {
  public:
    /// Why a frame was lost: `where` and `reason`, as the trace source Drop tells.
    using LossCause = ::watershed::LossCause;
    /// A frame came in through an uplink.
    static constexpr LossCause kFromUplink{"switch", "from-uplink"};
    /// A frame is for an address behind the port that it came in through, or the tier.
    static constexpr LossCause kSamePort{"switch", "same-port"};
    /// In place of an output: the frame was lost before one was chosen.
    static constexpr std::uint32_t kNoPort = UINT32_MAX;

    static ns3::TypeId GetTypeId();  ///< @return the id of this class, with attributes and trace sources
    /// @param node  whose switch is wanted
    /// @return the one among its devices or aggregated to it; null if it has none
    static ns3::Ptr<WatershedSwitch> Of(const ns3::Ptr<ns3::Node>& node);

    /// As if a frame had come in: frames to its sender are not sent to all ports. @param address, port  of the sender
    virtual void LearnAddress(const ns3::Mac48Address& address, const ns3::Ptr<ns3::NetDevice>& port) = 0;
    /// Fixes the stream of random numbers: the order and the lots of what arrives without an event header, and random
    /// uplinks. @param stream  the first to use @return 1, streams used
    virtual std::int64_t AssignStreams(std::int64_t stream) = 0;
    /// @return times that a sender was told to pause, renewals not counted
    virtual std::int64_t GetPauses() const = 0;
    /// @return times that the switch itself was told to pause, renewals not counted
    virtual std::int64_t GetPausesObeyed() const = 0;

    /// Enqueue and Dequeue. @param frame, input  which came in by this port
    using FrameTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input);
    /// Drop. @param frame, input, output, cause  which was for this output, or kNoPort
    using DropTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input, std::uint32_t output,
                                        const LossCause& cause);
    /// Mark and Trim. @param frame, input, output  which was marked, or trimmed, on its way
    using MarkTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input, std::uint32_t output);
    /// Occupancy. @param frames, bytes  in memory
    using OccupancyTracedCallback = void (*)(std::int64_t frames, std::int64_t bytes);
    /// PortOccupancy. @param port, frames, bytes  that wait for it
    using PortOccupancyTracedCallback = void (*)(std::uint32_t port, std::int64_t frames, std::int64_t bytes);
    /// Deadlock. @param ports, trafficClass  each of which waits for the next
    using DeadlockTracedCallback = void (*)(const std::vector<ns3::Ptr<ns3::NetDevice>>& ports,
                                            std::uint32_t trafficClass);
    /// Pause. @param input, quanta, trafficClass  which its sender was told; class 8 is all
    using PauseTracedCallback = void (*)(std::uint32_t input, std::uint32_t quanta, std::uint32_t trafficClass);
};

}  // namespace watershed
