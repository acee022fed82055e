// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/timestamp.h"
#include "model/ns3/frame/watershed-frame.h"

namespace watershed {

/// Takes the place of a device's output FIFO.
class WatershedSendQueue {
  public:
    virtual ~WatershedSendQueue() = default;
    /// A frame wants to be sent. Let the device carry it when it is its turn, or refuse it.
    /// @param gap  that the link keeps after the frame before
    virtual void Offer(WatershedFrame&& frame, Time now, Time gap) = 0;
};

/// Takes whole Ethernet frames from a WatershedNetDevice in place of the node's protocol stack. All moments lie in the
/// picosecond that ns-3's clock shows.
/// @param port the number that was given to the device with the handler
class WatershedFrameHandler {
  public:
    virtual ~WatershedFrameHandler() = default;
    /// The frame's first bit comes now, the last one at `end`; told by senders that know.
    virtual void FrameBegins(std::uint32_t /*port*/, const WatershedFrame& /*frame*/, const Timestamp& /*end*/,
                             const Timestamp& /*now*/) {}
    /// The frame's last bit has arrived, now.
    virtual void FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) = 0;
    /// Returns true if a frame's time alone counts: it may then be called late, and in any order for different ports.
    virtual bool TakesLate() const { return false; }
    /// The rates of its ports may change from now on.
    virtual bool TakesRates() const { return true; }
    /// The last bit of a frame sent by the port has left it, now.
    virtual void FrameLeft(std::uint32_t /*port*/, const WatershedFrame& /*frame*/, const Timestamp& /*now*/) {}
    /// The cable of the port has failed or come back, now.
    virtual void LinkChanged(std::uint32_t /*port*/) {}
};

}  // namespace watershed
