// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-udp-frame.h"

#include <algorithm>

#include "model/base/big-endian.h"
#include "model/base/udp-head.h"
#include "model/ns3/frame/watershed-ethernet.h"

namespace watershed {

ns3::Ptr<ns3::Packet> MakeUdpFrame(const Endpoint& from, const Endpoint& to, const std::vector<std::uint8_t>& payload) {
    auto frame = udp_head(from, to, payload, Bytes{static_cast<std::int64_t>(payload.size())});
    frame.resize(std::max<std::size_t>(frame.size(), kShortestFrame));
    return ns3::Create<ns3::Packet>(frame.data(), static_cast<std::uint32_t>(frame.size()));
}

std::optional<std::vector<std::uint8_t>> UdpPayload(const ns3::Packet& packet) {
    std::vector<std::uint8_t> frame(packet.GetSize());
    packet.CopyData(frame.data(), packet.GetSize());
    constexpr std::size_t kIp = 14, kUdp = 34;
    if (frame.size() < kUdpHead || Read16(&frame[12]) != kIpv4Type || frame[kIp] != 0x45 ||
        frame[kIp + 9] != kUserDatagram)
        return std::nullopt;
    const std::size_t end = kUdp + Read16(&frame[kUdp + 4]);
    if (end < kUdpHead || end > frame.size()) return std::nullopt;
    frame.resize(end);
    frame.erase(frame.begin(), frame.begin() + kUdpHead);
    return frame;
}

}  // namespace watershed
