// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>

#include <array>
#include <optional>

#include "model/ns3/frame/watershed-raw-header.h"
#include "model/roce/roce.h"

namespace watershed {

/// An Ethernet frame without FCS. Data and ICRC are zeros: nobody here reads them.
inline ns3::Ptr<ns3::Packet> MakeRoceFrame(const roce::Headers& headers) {
    const auto frame = ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(headers.data.count + roce::kIcrc));
    const auto bytes = roce::to_bytes(headers);
    frame->AddHeader(WatershedRawHeader(bytes.data(), static_cast<std::uint32_t>(headers.size())));
    return frame;
}

/// The headers of such a frame, or nothing.
inline std::optional<roce::Headers> ReadRoceFrame(const ns3::Packet& frame) {
    std::array<std::uint8_t, roce::kLongestHeaders> bytes{};
    return roce::from_bytes(bytes.data(), frame.CopyData(bytes.data(), static_cast<std::uint32_t>(bytes.size())));
}

}  // namespace watershed
