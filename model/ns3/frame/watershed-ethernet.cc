// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-ethernet.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv6-header.h>
#include <ns3/udp-header.h>

#include <algorithm>

#include "model/ns3/frame/watershed-raw-header.h"

namespace watershed {
namespace {

constexpr std::size_t kIpv4Checksum = 10;  // place in the header; 0 where ns-3 computes none

/// Whether an IPv4 packet has a checksum of its header.
bool HasChecksum(const ns3::Packet& packet) {
    std::uint8_t first[kIpv4Checksum + 2];
    packet.CopyData(first, sizeof first);
    return Read16(first + kIpv4Checksum) != 0;
}

template <class Header>
void Mark(ns3::Packet& packet, Header header) {
    packet.RemoveHeader(header);
    header.SetEcn(Header::ECN_CE);
    packet.AddHeader(header);
}

}  // namespace

void WrapInEthernet(ns3::Packet& packet, const ns3::Mac48Address& from, const ns3::Mac48Address& to,
                    std::uint16_t protocol) {
    ns3::EthernetHeader header(false);
    header.SetSource(from);
    header.SetDestination(to);
    header.SetLengthType(protocol);
    packet.AddHeader(header);
    // Zeros: ns-3's own padding is whatever the memory held before.
    if (packet.GetSize() < kShortestFrame) packet.AddAtEnd(ns3::Create<ns3::Packet>(kShortestFrame - packet.GetSize()));
}

std::uint32_t FrameBytes::CopyData(std::uint8_t* to, std::uint32_t size) const {
    if (!head) return packet.CopyData(to, size);
    std::uint8_t first[kEthernetHead];
    std::copy_n(BytesOf(head->to), 6, first);
    std::copy_n(BytesOf(head->from), 6, first + 6);
    Write16(first + 12, head->protocol);
    std::copy_n(first, std::min(size, kEthernetHead), to);
    return size <= kEthernetHead ? size : kEthernetHead + packet.CopyData(to + kEthernetHead, size - kEthernetHead);
}

EthernetHead FrameBytes::ReadHead() const {
    const FrameStart start = Start(kEthernetHead);
    EthernetHead read;
    read.to.CopyFrom(&start.bytes[0]);
    read.from.CopyFrom(&start.bytes[6]);
    read.protocol = start.type();
    return read;
}

void WatershedUpcalls::Deliver(const ns3::Ptr<ns3::NetDevice>& device, const ns3::Mac48Address& own,
                               const EthernetHead& head, const ns3::Ptr<const ns3::Packet>& behind) {
    using Device = ns3::NetDevice;
    const auto& [to, from, protocol] = head;
    const auto type = to == own          ? Device::PACKET_HOST
                      : to.IsBroadcast() ? Device::PACKET_BROADCAST
                      : IsGroup(to)      ? Device::PACKET_MULTICAST
                                         : Device::PACKET_OTHERHOST;
    sender.CopyFrom(BytesOf(from), sizeof from);
    if (!promiscReceive.IsNull()) promiscReceive(device, behind, protocol, sender, to, type);
    if (type != Device::PACKET_OTHERHOST && !receive.IsNull()) receive(device, behind, protocol, sender);
}

int ClassOf(const FrameBytes& frame) {
    constexpr std::uint32_t kBehind = 2;
    if (!frame.head) {
        const FrameStart start = frame.Start(kEthernetHead + kBehind);
        return class_of(start.type(), &start.bytes[kEthernetHead]);
    }
    std::uint8_t behind[kBehind]{};
    frame.packet.CopyData(behind, kBehind);
    return class_of(frame.head->protocol, behind);
}

bool IsForUs(const ns3::Mac48Address& own, const FrameBytes& frame) {
    const ns3::Mac48Address to = DestinationOf(frame);
    return to == own || IsGroup(to);
}

bool IsDatagram(const FrameBytes& frame) {
    const FrameStart start = frame.Start();
    const std::uint8_t* const ip = &start.bytes[kEthernetHead];
    return start.type() == kIpv4Type && ip[9] == kUserDatagram && (Read16(ip + 6) & 0x3fff) == 0;
}

ns3::Ptr<ns3::Packet> TrimToHeader(const ns3::Packet& frame, std::uint32_t size, std::uint8_t tos) {
    const ns3::Ptr<ns3::Packet> packet = frame.CreateFragment(0, size);
    ns3::EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    ns3::Ipv4Header ip;
    if (HasChecksum(*packet)) ip.EnableChecksum();
    packet->RemoveHeader(ip);
    ns3::UdpHeader udp, shorter;  // without the checksum of what is gone
    packet->RemoveHeader(udp);
    shorter.SetSourcePort(udp.GetSourcePort());
    shorter.SetDestinationPort(udp.GetDestinationPort());
    packet->AddHeader(shorter);
    ip.SetTos(tos);
    ip.SetPayloadSize(static_cast<std::uint16_t>(packet->GetSize()));
    packet->AddHeader(ip);
    packet->AddHeader(ethernet);
    return packet;
}

ns3::Ptr<ns3::Packet> MarkCongestion(const ns3::Packet& frame) {
    const ns3::Ptr<ns3::Packet> packet = frame.Copy();
    ns3::EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    // Behind the type that announces it: priority and VLAN, and the type of what follows. IEEE 802.1Q.
    std::uint8_t tag[4]{};
    const bool is_tagged = ethernet.GetLengthType() == kVlanType;
    if (is_tagged) packet->RemoveAtStart(packet->CopyData(tag, sizeof tag));
    if ((is_tagged ? Read16(tag + 2) : ethernet.GetLengthType()) == kIpv4Type) {
        ns3::Ipv4Header header;
        if (HasChecksum(*packet)) header.EnableChecksum();
        Mark(*packet, header);
    } else {
        Mark(*packet, ns3::Ipv6Header());
    }
    if (is_tagged) packet->AddHeader(WatershedRawHeader(tag, sizeof tag));
    packet->AddHeader(ethernet);
    return packet;
}

}  // namespace watershed
