// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>
#include <ns3/ptr.h>

namespace watershed {

/// Takes whole Ethernet frames from a WatershedNetDevice in place of the node's protocol stack.
/// @param port the number that was given to the device with the handler
class WatershedFrameHandler {
  public:
    virtual ~WatershedFrameHandler() = default;
    /// The frame's last bit has arrived.
    virtual void FrameArrived(std::uint32_t port, ns3::Ptr<ns3::Packet> frame) = 0;
    /// The last bit of a frame sent by the port has left it.
    virtual void FrameLeft(std::uint32_t port) = 0;
};

}  // namespace watershed
