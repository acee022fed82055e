// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>

#include <optional>

#include "model/roce/roce.h"

namespace watershed {

/// An Ethernet frame without FCS. Data and ICRC are zeros: nobody here reads them.
ns3::Ptr<ns3::Packet> MakeRoceFrame(const roce::Headers& headers);
/// The headers of such a frame, or nothing.
std::optional<roce::Headers> ReadRoceFrame(const ns3::Packet& frame);

}  // namespace watershed
