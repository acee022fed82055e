// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/addresses.h"
#include "model/base/quantities.h"

namespace watershed {

/// Ethernet 14, IPv4 20, UDP 8; IEEE 802.3, RFC 791, RFC 768.
constexpr std::size_t kUdpHead = 42;

/// The bytes of a UDP frame as far as they are not zero: the three headers, with valid checksums, and what the payload
/// begins with.
/// @param begin    of the payload; the rest of it is zero
/// @param payload  whole size, at least that of `begin`
/// @param hops     that a router may forward it, and one more
/// @param tos      type of service
std::vector<std::uint8_t> udp_head(const Endpoint& from, const Endpoint& to, const std::vector<std::uint8_t>& begin,
                                   Bytes payload, std::uint8_t hops = 64, std::uint8_t tos = 0);

/// The one's complement sum of RFC 1071; 0xffff over what includes its own checksum, if that is right.
std::uint16_t internet_sum(const std::uint8_t* bytes, std::size_t size, std::uint32_t start = 0);

}  // namespace watershed
