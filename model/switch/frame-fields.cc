// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/frame-fields.h"

#include <algorithm>

#include "model/base/addresses.h"

namespace watershed {
namespace {

constexpr std::uint8_t kTcp = 6, kIcmpv6 = 58;
constexpr std::size_t kTag = 4;

}  // namespace

bool can_be_marked(const FrameStart& frame) {
    // The two bits of ECN are the last of IPv4's second octet, and of IPv6's traffic class.
    const std::uint8_t* const type = &frame.bytes[frame.type() == kVlanType ? 12 + kTag : 12];
    if (Read16(type) == kIpv4Type) return (type[3] & 0x03) != 0;
    return Read16(type) == kIpv6Type && (type[3] & 0x30) != 0;
}

int class_of(std::uint16_t type, const std::uint8_t* behind) {
    switch (type) {
        case kVlanType: return behind[0] >> 5;
        case kIpv4Type: return behind[1] >> 5;
        case kIpv6Type: return (behind[0] & 0x0f) >> 1;
        default: return 0;
    }
}

bool is_of_network(const FrameStart& frame) {
    constexpr std::size_t kNextHeader = 14 + 6, kIcmpType = 14 + 40;
    constexpr std::array<std::uint8_t, 5> kLinkLocal{0x01, 0x80, 0xc2, 0x00, 0x00};
    const auto& bytes = frame.bytes;
    if (std::equal(kLinkLocal.begin(), kLinkLocal.end(), bytes.begin()) && bytes[5] < 0x10) return true;
    const std::uint8_t* const behind = &bytes[frame.type() == kVlanType ? kTag : 0];
    switch (Read16(behind + 12)) {
        case 0x0806:  // ARP
        case 0x8808:  // MAC control
        case 0x8809:  // LACP and its like
        case 0x88cc:  // LLDP
            return true;
        case kIpv6Type:  // router and neighbour discovery, RFC 4861
            return behind[kNextHeader] == kIcmpv6 && behind[kIcmpType] >= 133 && behind[kIcmpType] <= 137;
        default: return false;
    }
}

std::vector<std::uint8_t> flow_of(const FrameStart& frame, UplinkChoice::Fields fields) {
    constexpr std::size_t kMacs = 12, kPorts = 4, kIpv6Header = 40;
    const auto& bytes = frame.bytes;
    const std::size_t type = kMacs + (frame.type() == kVlanType ? kTag : 0), ip = type + 2;
    // Addresses of source and destination stand behind each other in both versions, and so do ports.
    std::size_t addresses = 0, end = kMacs, ports = 0;
    std::uint8_t protocol = 0;
    if (fields != UplinkChoice::Fields::Layer2 && Read16(&bytes[type]) == kIpv4Type) {
        addresses = ip + 12;
        end = ip + 20;
        const bool is_whole = (Read16(&bytes[ip + 6]) & 0x3fff) == 0;  // neither more fragments nor an offset
        ports = is_whole ? ip + std::size_t{4} * (bytes[ip] & 0x0f) : bytes.size();
        protocol = bytes[ip + 9];
    } else if (fields != UplinkChoice::Fields::Layer2 && Read16(&bytes[type]) == kIpv6Type) {
        addresses = ip + 8;
        end = ports = ip + kIpv6Header;
        protocol = bytes[ip + 6];
    }
    std::vector<std::uint8_t> flow(&bytes[addresses], &bytes[end]);
    const bool shows_ports = (protocol == kUserDatagram || protocol == kTcp) && ports + kPorts <= frame.size;
    if (UplinkChoice::has_ports(fields) && shows_ports) flow.insert(flow.end(), &bytes[ports], &bytes[ports] + kPorts);
    if (addresses != 0 && fields == UplinkChoice::Fields::FiveTuple) flow.push_back(protocol);
    return flow;
}

}  // namespace watershed
