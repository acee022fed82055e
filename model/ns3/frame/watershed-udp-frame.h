// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/addresses.h"

namespace watershed {

/// An Ethernet frame, without FCS, with valid IPv4 and UDP headers round this payload; padded to 60 B, which with the
/// FCS make the Ethernet minimum.
ns3::Ptr<ns3::Packet> MakeUdpFrame(const Endpoint& from, const Endpoint& to, const std::vector<std::uint8_t>& payload);

/// The payload of such a frame without its padding; nothing if it is no UDP over IPv4 or shorter than its headers say.
std::optional<std::vector<std::uint8_t>> UdpPayload(const ns3::Packet& frame);

}  // namespace watershed
