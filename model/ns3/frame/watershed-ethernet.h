// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/mac48-address.h>
#include <ns3/net-device.h>
#include <ns3/packet.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "model/base/addresses.h"
#include "model/switch/frame-fields.h"
#include "model/switch/uplinks.h"

namespace watershed {

constexpr std::uint32_t kShortestFrame = 60;  ///< the 64 B of IEEE 802.3 without FCS

/// The six bytes of an address, without the copy that ns-3's own class makes for each reader.
inline const std::uint8_t* BytesOf(const ns3::Mac48Address& address) {
    static_assert(sizeof address == 6);
    return reinterpret_cast<const std::uint8_t*>(&address);
}
inline bool IsGroup(const ns3::Mac48Address& address) { return (*BytesOf(address) & 1) != 0; }
/// The address of one end of a flow.
inline ns3::Mac48Address MacOf(const Endpoint& end) {
    ns3::Mac48Address address;
    address.CopyFrom(end.mac.data());
    return address;
}
/// A number for each address.
inline std::uint64_t KeyOf(const ns3::Mac48Address& address) {
    std::uint64_t key = 0;
    std::memcpy(&key, BytesOf(address), sizeof address);
    return key;
}

/// Makes a whole Ethernet frame, without FCS, of a packet: adds the header, and pads to the shortest frame.
void WrapInEthernet(ns3::Packet& packet, const ns3::Mac48Address& from, const ns3::Mac48Address& to,
                    std::uint16_t protocol);

/// Addresses that a frame is for and comes from, and the type of what follows.
struct EthernetHead {
    ns3::Mac48Address to, from;
    std::uint16_t protocol = 0;
};
constexpr std::uint32_t kEthernetHead = 14;  ///< bytes

/// Bytes of a frame, whose header may stand beside its packet.
struct FrameBytes {
    const ns3::Packet& packet;
    const EthernetHead* head = nullptr;

    FrameBytes(const ns3::Packet& of, const EthernetHead* beside = nullptr) : packet(of), head(beside) {}
    std::uint32_t GetSize() const { return packet.GetSize() + (head ? kEthernetHead : 0); }
    /// Copies the first bytes. @return how many, `size` unless the frame is shorter
    std::uint32_t CopyData(std::uint8_t* to, std::uint32_t size) const;
    FrameStart Start(std::uint32_t size = FrameStart::kLongest) const {
        FrameStart start;
        start.size = CopyData(start.bytes.data(), size);
        return start;
    }
    EthernetHead GetHead() const { return head ? *head : ReadHead(); }

  private:
    EthernetHead ReadHead() const;
};

/// Callbacks by which a device hands received frames to its node.
struct WatershedUpcalls {
    ns3::NetDevice::ReceiveCallback receive;
    ns3::NetDevice::PromiscReceiveCallback promiscReceive;
    ns3::Address sender = ns3::Mac48Address();  ///< the last frame's

    /// Hands on what follows the header; whoever receives promiscuously gets every frame, the protocol stack those for
    /// `own` and for groups.
    void Deliver(const ns3::Ptr<ns3::NetDevice>& device, const ns3::Mac48Address& own, const EthernetHead& head,
                 const ns3::Ptr<const ns3::Packet>& behind);
};

/// The addresses that a frame is for and comes from.
inline ns3::Mac48Address DestinationOf(const FrameBytes& frame) { return frame.GetHead().to; }
inline ns3::Mac48Address SourceOf(const FrameBytes& frame) { return frame.GetHead().from; }

/// Whether a frame is for the device with this address, or for a group.
bool IsForUs(const ns3::Mac48Address& own, const FrameBytes& frame);

/// Returns the frame with congestion marked. @pre the frame can be marked
ns3::Ptr<ns3::Packet> MarkCongestion(const ns3::Packet& frame);

/// Returns whether a frame carries a whole datagram of UDP over IPv4, without a VLAN tag.
bool IsDatagram(const FrameBytes& frame);
/// Returns the first bytes of a frame, as one of their own with this type of service. @pre IsDatagram(), and longer
ns3::Ptr<ns3::Packet> TrimToHeader(const ns3::Packet& frame, std::uint32_t size, std::uint8_t tos);

inline bool CanBeMarked(const FrameBytes& frame) { return can_be_marked(frame.Start()); }
int ClassOf(const FrameBytes& frame);
inline bool IsOfNetwork(const FrameBytes& frame) { return is_of_network(frame.Start()); }
inline std::vector<std::uint8_t> FlowOf(const FrameBytes& frame, UplinkChoice::Fields fields) {
    return flow_of(frame.Start(), fields);
}
inline std::uint16_t FlowHash(const FrameBytes& frame, const UplinkChoice& choice) {
    return flow_hash(FlowOf(frame, choice.fields), choice.fold);
}

}  // namespace watershed
