// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/ns3/watershed-frame.h"

namespace watershed {

/// Takes whole Ethernet frames from a WatershedNetDevice in place of the node's protocol stack.
/// @param port the number that was given to the device with the handler
class WatershedFrameHandler {
  public:
    virtual ~WatershedFrameHandler() = default;
    /// The frame's last bit has arrived, now.
    virtual void FrameArrived(std::uint32_t port, WatershedFrame frame, Time now) = 0;
    /// The last bit of a frame sent by the port has left it, now.
    virtual void FrameLeft(std::uint32_t port, Time now) = 0;
};

}  // namespace watershed
