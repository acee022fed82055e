// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-ethernet.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv6-header.h>

#include <algorithm>
#include <array>

#include "model/ns3/frame/big-endian.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

constexpr std::uint32_t kShortestFrame = 60;  // the 64 B of IEEE 802.3 without FCS
constexpr std::uint16_t kIpv4 = 0x0800, kIpv6 = 0x86dd, kVlan = 0x8100;
constexpr std::size_t kIpv4Checksum = 10;  // where it is in the header; 0 where ns-3 computes none
constexpr std::uint8_t kTcp = 6, kIcmpv6 = 58;

/// The first bytes of a frame, zeros behind a shorter one: addresses, type, and what follows, a tag or the beginning of
/// IP. Read for every frame, which ns-3's headers would make much slower.
struct Head {
    std::uint8_t bytes[20]{};

    explicit Head(const ns3::Packet& frame) { frame.CopyData(bytes, sizeof bytes); }
    int Type() const { return Read16(bytes + 12); }
};

/// Tag of IEEE 802.1Q behind the type that announces it: priority and VLAN, then the type of what follows.
class TagHeader : public ns3::Header {
  public:
    std::uint16_t GetType() const { return m_type; }

    /// With a constructor, by which ns-3 prints packets.
    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId kId = ns3::TypeId("ns3::WatershedTagHeader")
                                           .SetParent<ns3::Header>()
                                           .SetGroupName("Watershed")
                                           .AddConstructor<TagHeader>();
        return kId;
    }
    ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    std::uint32_t GetSerializedSize() const override { return 4; }
    void Serialize(ns3::Buffer::Iterator at) const override {
        at.WriteHtonU16(m_priority);
        at.WriteHtonU16(m_type);
    }
    std::uint32_t Deserialize(ns3::Buffer::Iterator at) override {
        m_priority = at.ReadNtohU16();
        m_type = at.ReadNtohU16();
        return GetSerializedSize();
    }
    void Print(std::ostream& out) const override { out << "tag " << m_priority; }

  private:
    std::uint16_t m_priority = 0, m_type = 0;
};

ns3::Mac48Address AddressAt(const ns3::Packet& frame, std::size_t place) {
    ns3::Mac48Address address;
    address.CopyFrom(Head(frame).bytes + place);
    return address;
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

void WatershedUpcalls::Deliver(ns3::Ptr<ns3::NetDevice> device, const ns3::Mac48Address& own,
                               const ns3::Packet& frame) {
    using Device = ns3::NetDevice;
    const ns3::Ptr<ns3::Packet> packet = frame.Copy();  // others may still look at the frame
    ns3::EthernetHeader header(false);
    packet->RemoveHeader(header);
    const ns3::Mac48Address to = header.GetDestination();
    const auto type = to == own          ? Device::PACKET_HOST
                      : to.IsBroadcast() ? Device::PACKET_BROADCAST
                      : to.IsGroup()     ? Device::PACKET_MULTICAST
                                         : Device::PACKET_OTHERHOST;
    if (!promiscReceive.IsNull()) promiscReceive(device, packet, header.GetLengthType(), header.GetSource(), to, type);
    if (type != Device::PACKET_OTHERHOST && !receive.IsNull())
        receive(device, packet, header.GetLengthType(), header.GetSource());
}

void WatershedUpcalls::Nullify() {
    receive.Nullify();
    promiscReceive.Nullify();
}

bool IsForUs(const ns3::Mac48Address& own, const ns3::Packet& frame) {
    const ns3::Mac48Address to = DestinationOf(frame);
    return to == own || to.IsGroup();
}

ns3::Mac48Address DestinationOf(const ns3::Packet& frame) { return AddressAt(frame, 0); }
ns3::Mac48Address SourceOf(const ns3::Packet& frame) { return AddressAt(frame, 6); }

bool CanBeMarked(const ns3::Packet& frame) {
    const Head head(frame);  // the two bits of ECN are the last of IPv4's second octet, and of IPv6's traffic class
    const std::uint8_t* const type = head.bytes + (head.Type() == kVlan ? 16 : 12);
    if (Read16(type) == kIpv4) return (type[3] & 0x03) != 0;
    return Read16(type) == kIpv6 && (type[3] & 0x30) != 0;
}

ns3::Ptr<ns3::Packet> MarkCongestion(const ns3::Packet& frame) {
    const ns3::Ptr<ns3::Packet> packet = frame.Copy();
    ns3::EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    const bool is_tagged = ethernet.GetLengthType() == kVlan;
    TagHeader tag;
    if (is_tagged) packet->RemoveAtStart(packet->PeekHeader(tag));  // its sender need not have added it as a header
    if ((is_tagged ? tag.GetType() : ethernet.GetLengthType()) == kIpv4) {
        ns3::Ipv4Header header;
        std::uint8_t checksum[kIpv4Checksum + 2];
        packet->CopyData(checksum, sizeof checksum);
        if (checksum[kIpv4Checksum] != 0 || checksum[kIpv4Checksum + 1] != 0) header.EnableChecksum();
        Mark(*packet, header);
    } else {
        Mark(*packet, ns3::Ipv6Header());
    }
    if (is_tagged) packet->AddHeader(tag);
    packet->AddHeader(ethernet);
    return packet;
}

int ClassOf(const ns3::Packet& frame) {
    const Head head(frame);
    switch (head.Type()) {
        case kVlan: return head.bytes[14] >> 5;
        case kIpv4: return head.bytes[15] >> 5;
        case kIpv6: return (head.bytes[14] & 0x0f) >> 1;
        default: return 0;
    }
}

bool IsOfNetwork(const ns3::Packet& frame) {
    constexpr std::size_t kTag = 4, kNextHeader = 14 + 6, kIcmpType = 14 + 40;
    constexpr std::array<std::uint8_t, 5> kLinkLocal{0x01, 0x80, 0xc2, 0x00, 0x00};
    std::array<std::uint8_t, kIcmpType + kTag + 1> bytes{};
    frame.CopyData(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    if (std::equal(kLinkLocal.begin(), kLinkLocal.end(), bytes.begin()) && bytes[5] < 0x10) return true;
    const bool is_tagged = Read16(&bytes[12]) == kVlan;
    const std::uint8_t* const behind = &bytes[is_tagged ? kTag : 0];
    switch (Read16(behind + 12)) {
        case 0x0806:  // ARP
        case 0x8808:  // MAC control
        case 0x8809:  // LACP and its like
        case 0x88cc:  // LLDP
            return true;
        case kIpv6:  // router and neighbour discovery, RFC 4861
            return behind[kNextHeader] == kIcmpv6 && behind[kIcmpType] >= 133 && behind[kIcmpType] <= 137;
        default: return false;
    }
}

std::vector<std::uint8_t> FlowOf(const ns3::Packet& frame, UplinkChoice::Fields fields) {
    constexpr std::size_t kMacs = 12, kTag = 4, kLongestIp = 60, kPorts = 4, kIpv6Header = 40;
    std::array<std::uint8_t, kMacs + kTag + 2 + kLongestIp + kPorts> bytes{};
    const std::size_t size = frame.CopyData(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    const std::size_t type = kMacs + (Read16(&bytes[kMacs]) == kVlan ? kTag : 0), ip = type + 2;
    // Addresses of source and destination stand behind each other in both versions, and so do ports.
    std::size_t addresses = 0, end = kMacs, ports = 0;
    std::uint8_t protocol = 0;
    if (fields != UplinkChoice::Fields::Layer2 && Read16(&bytes[type]) == kIpv4) {
        addresses = ip + 12;
        end = ip + 20;
        const bool is_whole = (Read16(&bytes[ip + 6]) & 0x3fff) == 0;  // neither more fragments nor an offset
        ports = is_whole ? ip + std::size_t{4} * (bytes[ip] & 0x0f) : bytes.size();
        protocol = bytes[ip + 9];
    } else if (fields != UplinkChoice::Fields::Layer2 && Read16(&bytes[type]) == kIpv6) {
        addresses = ip + 8;
        end = ports = ip + kIpv6Header;
        protocol = bytes[ip + 6];
    }
    std::vector<std::uint8_t> flow(&bytes[addresses], &bytes[end]);
    const bool shows_ports = (protocol == kUserDatagram || protocol == kTcp) && ports + kPorts <= size;
    if (UplinkChoice::has_ports(fields) && shows_ports) flow.insert(flow.end(), &bytes[ports], &bytes[ports] + kPorts);
    if (addresses != 0 && fields == UplinkChoice::Fields::FiveTuple) flow.push_back(protocol);
    return flow;
}

std::uint16_t FlowHash(const ns3::Packet& frame, const UplinkChoice& choice) {
    return flow_hash(FlowOf(frame, choice.fields), choice.fold);
}

}  // namespace watershed
