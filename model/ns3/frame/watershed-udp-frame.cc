// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-udp-frame.h"

#include <algorithm>

#include "model/base/big-endian.h"

namespace watershed {
namespace {

constexpr std::size_t kMac = 14, kIp = 20, kUdpHeader = 8, kHeaders = kMac + kIp + kUdpHeader;
constexpr std::size_t kShortest = 60;

/// Returns the checksum of 16-bit words; a zero follows a last odd byte. RFC 1071.
std::uint64_t Sum(const std::uint8_t* bytes, std::size_t size) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < size; i += 2) sum += Read16(bytes + i);
    return size % 2 == 0 ? sum : sum + (std::uint64_t{bytes[size - 1]} << 8);
}

std::uint16_t Checksum(std::uint64_t sum) {
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

}  // namespace

ns3::Ptr<ns3::Packet> MakeUdpFrame(const FragmentEndpoint& from, const FragmentEndpoint& to,
                                   const std::vector<std::uint8_t>& payload) {
    std::vector<std::uint8_t> frame(std::max(kHeaders + payload.size(), kShortest), 0);
    std::copy(payload.begin(), payload.end(), frame.begin() + kHeaders);
    to.mac.CopyTo(&frame[0]);
    from.mac.CopyTo(&frame[6]);
    Write16(&frame[12], 0x0800);

    std::uint8_t* const ip = &frame[kMac];
    ip[0] = 0x45;
    Write16(ip + 2, kIp + kUdpHeader + payload.size());
    Write16(ip + 6, 0x4000);  // not to be fragmented, and so the identification means nothing, RFC 6864
    ip[8] = 64;
    ip[9] = kUserDatagram;
    from.ip.Serialize(ip + 12);
    to.ip.Serialize(ip + 16);
    Write16(ip + 10, Checksum(Sum(ip, kIp)));

    std::uint8_t* const udp = ip + kIp;
    Write16(udp, from.port);
    Write16(udp + 2, to.port);
    Write16(udp + 4, kUdpHeader + payload.size());
    const std::uint64_t pseudo_header = Sum(ip + 12, 8) + kUserDatagram + kUdpHeader + payload.size();
    const std::uint16_t checksum = Checksum(pseudo_header + Sum(udp, kUdpHeader + payload.size()));
    Write16(udp + 6, checksum == 0 ? 0xffff : checksum);  // 0 says that there is none, RFC 768
    return ns3::Create<ns3::Packet>(frame.data(), static_cast<std::uint32_t>(frame.size()));
}

std::optional<std::vector<std::uint8_t>> UdpPayload(const ns3::Packet& packet) {
    std::vector<std::uint8_t> frame(packet.GetSize());
    packet.CopyData(frame.data(), packet.GetSize());
    if (frame.size() < kHeaders || Read16(&frame[12]) != 0x0800 || frame[kMac] != 0x45 ||
        frame[kMac + 9] != kUserDatagram)
        return std::nullopt;
    const std::size_t size = Read16(&frame[kMac + kIp + 4]);
    if (size < kUdpHeader || kMac + kIp + size > frame.size()) return std::nullopt;
    frame.resize(kMac + kIp + size);
    frame.erase(frame.begin(), frame.begin() + kHeaders);
    return frame;
}

}  // namespace watershed
