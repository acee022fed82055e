// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "model/base/event-header.h"

/// UDP datagrams in captured packets.
namespace watershed {

/// Internet address. IPv4 has the last 4 bytes, behind ::ffff (RFC 4291, 2.5.5.2).
using IpAddress = std::array<std::uint8_t, 16>;

/// Addresses and ports of a UDP flow.
struct Flow {
    IpAddress source{}, destination{};
    std::uint16_t source_port = 0, destination_port = 0;

    friend bool operator<(const Flow& a, const Flow& b) {
        return std::tie(a.source, a.source_port, a.destination, a.destination_port) <
               std::tie(b.source, b.source_port, b.destination, b.destination_port);
    }
};

/// UDP datagram, or a piece of one that IP fragmented. The first piece alone has ports, payload and event header.
struct UdpPacket {
    Flow flow;
    std::int64_t payload = 0;           ///< UDP payload of the whole datagram, bytes, as stated in its header
    std::optional<EventHeader> header;  ///< event header; std::nullopt without one
    std::uint32_t identification = 0;   ///< number that the pieces of a datagram share
    std::int64_t begin = 0, end = 0;    ///< bytes of the datagram that this piece has; used of pieces alone
    bool is_last = true;                ///< true if no piece comes behind it
    bool is_whole() const { return begin == 0 && is_last; }
};

/// Returns true if packets of this link type (DLT_ of libpcap) can be taken apart.
bool is_link_known(int link);
/// Takes a packet of IPv4 or IPv6 apart. @param link  link type, a known one
/// @param size  captured bytes @return reason why it is no UDP datagram; null if it is one
const char* parse_packet(int link, const std::uint8_t* bytes, std::size_t size, UdpPacket& packet);

}  // namespace watershed
