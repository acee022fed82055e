// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>

#include <optional>

#include "model/base/udp-head.h"
#include "model/ejfat/ejfat-headers.h"

namespace watershed {

/// The headers of a packet on its way to the balancer.
struct EjfatToBalancer {
    EjfatBalancerHeader balancer;
    EjfatReassemblyHeader reassembly;
    Endpoint from;
    Bytes data;  ///< data behind the headers
};

/// And of one on its way to a node.
struct EjfatToNode {
    EjfatReassemblyHeader reassembly;
    Endpoint to;
    Bytes data;
    Bytes payload;  ///< payload of UDP
};

/// A frame without FCS: Ethernet, IPv4, UDP, the two headers, zeros.
ns3::Ptr<ns3::Packet> MakeEjfatSegment(const Endpoint& from, const Endpoint& balancer, const EjfatToBalancer& headers);
ns3::Ptr<ns3::Packet> MakeEjfatSync(const Endpoint& from, const Endpoint& balancer, const EjfatSyncHeader& header);
/// Returns the frame as the balancer sends it: another destination, and without the balancer's header.
void Readdress(ns3::Packet& packet, const EjfatToBalancer& headers, const Endpoint& node);

std::optional<EjfatToBalancer> ReadAtBalancer(const ns3::Packet& packet);
std::optional<EjfatSyncHeader> ReadSync(const ns3::Packet& packet);
std::optional<EjfatToNode> ReadAtNode(const ns3::Packet& packet);

}  // namespace watershed
