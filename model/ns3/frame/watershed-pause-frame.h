// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/mac48-address.h>
#include <ns3/packet.h>

#include <cstdint>
#include <optional>

#include "model/frontend/module-ports.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/switch/switch.h"

namespace watershed {

/// The traffic class that priority flow control is about: that of frames without a VLAN tag.
constexpr int kCameraClass = 0;
/// In place of a class, of what is about the whole link.
constexpr int kAllClasses = kTrafficClasses;

/// A MAC control frame that tells the other end of a link to pause, without FCS: IEEE 802.3 annex 31B for the whole
/// link, annex 31D (802.1Qbb) for one class.
/// @param quanta of 512 bit times; 0 lets it go on
ns3::Ptr<ns3::Packet> MakePauseFrame(FlowControl::Kind kind, const ns3::Mac48Address& from, std::uint16_t quanta,
                                     int trafficClass = kCameraClass);

/// The order of a pause frame to a sender.
struct PauseOrder {
    std::uint16_t quanta = 0;
    std::optional<int> trafficClass;  ///< absent: the whole link
};
/// ReadPauseOrder() of a frame of the size that MAC control frames have.
std::optional<PauseOrder> ReadShortest(const FrameBytes& frame);
/// Returns the order of a frame: about all classes if it says the same of each, else about its lowest; std::nullopt if
/// it is not a MAC control frame.
inline std::optional<PauseOrder> ReadPauseOrder(const FrameBytes& frame) {
    return frame.GetSize() == kShortestFrame ? ReadShortest(frame) : std::nullopt;
}

/// Returns the pause of the camera's class, in quanta; nothing if the frame is not for MAC control, or for this class.
std::optional<std::uint16_t> ReadPauseFrame(const ns3::Packet& frame);

}  // namespace watershed
