// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/big-endian.h"
#include "model/switch/switch.h"

namespace watershed {

constexpr std::uint16_t kIpv4Type = 0x0800, kIpv6Type = 0x86dd, kVlanType = 0x8100;

/// Fields that a switch reads of an Ethernet frame: addresses, type, tag, and headers of IP up to the ports. Zeros
/// follow a shorter frame.
struct FrameStart {
    static constexpr std::uint32_t kLongest = 12 + 4 + 2 + 60 + 4;  ///< MAC addresses, tag, type, IP, ports

    std::array<std::uint8_t, kLongest> bytes{};
    std::size_t size = 0;  ///< bytes that are of the frame

    std::uint16_t type() const { return Read16(&bytes[12]); }
};

/// Returns whether a frame carries an IP packet whose sender answers to marks of congestion (RFC 3168).
bool can_be_marked(const FrameStart& frame);
/// Returns the traffic class: the priority of the VLAN tag (IEEE 802.1Q), or else the upper three bits of DSCP of IP,
/// or else 0. @param behind  two bytes that follow the Ethernet type
int class_of(std::uint16_t type, const std::uint8_t* behind);
/// Returns whether a frame serves the network itself, without which no data flow: questions and answers about addresses
/// (ARP, ICMPv6 neighbour discovery), MAC control, LACP, LLDP and whatever is for a switch alone (IEEE 802.1D
/// addresses).
bool is_of_network(const FrameStart& frame);
/// Returns the bytes of a frame's addresses and ports, by which a switch spreads flows over its uplinks: of IPv4 or
/// IPv6, behind a VLAN tag or not. Other frames are told apart by MAC addresses, and those without ports by IP
/// addresses: fragments, and IPv6 with more headers.
std::vector<std::uint8_t> flow_of(const FrameStart& frame, UplinkChoice::Fields fields);

}  // namespace watershed
