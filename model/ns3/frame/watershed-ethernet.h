// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/mac48-address.h>
#include <ns3/net-device.h>
#include <ns3/packet.h>

#include <cstdint>
#include <vector>

#include "model/switch/switch.h"

namespace watershed {

/// Makes a whole Ethernet frame, without FCS, of a packet: adds the header, and pads to the shortest frame.
void WrapInEthernet(ns3::Packet& packet, const ns3::Mac48Address& from, const ns3::Mac48Address& to,
                    std::uint16_t protocol);

/// Callbacks by which a device hands received frames to its node.
struct WatershedUpcalls {
    ns3::NetDevice::ReceiveCallback receive;
    ns3::NetDevice::PromiscReceiveCallback promiscReceive;

    /// Unwraps a frame; whoever receives promiscuously gets every frame, the protocol stack those for `own` and for
    /// groups.
    void Deliver(ns3::Ptr<ns3::NetDevice> device, const ns3::Mac48Address& own, const ns3::Packet& frame);
    void Nullify();
};

/// The addresses that a frame is for and comes from.
ns3::Mac48Address DestinationOf(const ns3::Packet& frame);
ns3::Mac48Address SourceOf(const ns3::Packet& frame);

/// Whether a frame is for the device with this address, or for a group.
bool IsForUs(const ns3::Mac48Address& own, const ns3::Packet& frame);

/// Whether a frame carries an IP packet whose sender answers to marks of congestion (RFC 3168).
bool CanBeMarked(const ns3::Packet& frame);
/// Returns the frame with congestion marked. @pre the frame can be marked
ns3::Ptr<ns3::Packet> MarkCongestion(const ns3::Packet& frame);

/// The traffic class of a frame: the priority of its VLAN tag (IEEE 802.1Q), or else the upper three bits of DSCP of
/// IP, or else 0.
int ClassOf(const ns3::Packet& frame);

/// Whether a frame serves the network itself, without which no data flow: questions and answers about addresses (ARP,
/// ICMPv6 neighbour discovery), MAC control, LACP, LLDP and whatever is for a switch alone (IEEE 802.1D addresses).
bool IsOfNetwork(const ns3::Packet& frame);

/// The hash of a frame by which a switch spreads flows over its uplinks: of IPv4 or IPv6, behind a VLAN tag or not.
/// Other frames are hashed by MAC addresses, and those without ports by IP addresses: fragments, and IPv6 with more
/// headers.
std::uint16_t FlowHash(const ns3::Packet& frame, const UplinkChoice& choice);
/// Returns the bytes of a frame's addresses and ports, before they are hashed.
std::vector<std::uint8_t> FlowOf(const ns3::Packet& frame, UplinkChoice::Fields fields);

}  // namespace watershed
