// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-fragment-frame.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/udp-header.h>

#include <algorithm>

#include "model/base/big-endian.h"
#include "model/frontend/module-ports.h"
#include "model/ns3/frame/watershed-raw-header.h"

namespace watershed {
namespace {

constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
constexpr std::uint8_t kProtocolUdp = 17;
constexpr std::uint8_t kPlainIpv4 = 0x45;  // version 4, a header of 20 B
constexpr std::uint32_t kEtherTypeOffset = 12, kIpOffset = 14, kIpProtocolOffset = kIpOffset + 9,
                        kUdpDestinationOffset = WatershedFragmentFrame::kHeaders - 6;
constexpr std::uint32_t kUdpChecksumOffset = WatershedFragmentFrame::kHeaders - 2;
constexpr std::uint32_t kEventOffset = WatershedFragmentFrame::kHeaders + WatershedEventHeader::kEventOffset;
constexpr int kClassShift = 5;                     // class selectors are the upper three bits of the octet, RFC 2474
constexpr std::uint32_t kLeastBehindHeaders = 18;  // 64 B minimum frame - MAC 14 - IPv4 20 - UDP 8 - FCS 4

}  // namespace

FragmentEndpoint EndpointOf(const Endpoint& endpoint) {
    ns3::Mac48Address mac;
    mac.CopyFrom(endpoint.mac.data());
    return {mac, ns3::Ipv4Address(endpoint.ip), endpoint.port};
}

FragmentEndpoint ModuleEndpoint(int module) { return EndpointOf(module_endpoint({}, module)); }

FragmentEndpoint ServerEndpoint(int uplink) { return EndpointOf(server_endpoint(uplink)); }

WatershedFragmentFrame::WatershedFragmentFrame(const FragmentEndpoint& from, const FragmentEndpoint& to,
                                               Bytes payload_size, std::uint32_t run, const FrameId& id,
                                               int trafficClass)
    : m_id(id), m_class(trafficClass) {
    const auto payload = static_cast<std::uint32_t>(payload_size.count);
    const std::uint32_t behind = std::max(payload, kLeastBehindHeaders);

    const ns3::Ptr<ns3::Packet> content = ns3::Create<ns3::Packet>(behind - WatershedEventHeader::kSize);
    content->AddHeader(WatershedEventHeader(run, {0, id.module, id.frame, id.stream}));
    const ns3::Ptr<ns3::Packet> packet = content->CreateFragment(0, payload);

    ns3::UdpHeader udp;
    udp.SetSourcePort(from.port);
    udp.SetDestinationPort(to.port);
    udp.EnableChecksums();
    udp.InitializeChecksum(from.ip, to.ip, kProtocolUdp);
    packet->AddHeader(udp);

    ns3::Ipv4Header ip;
    ip.SetSource(from.ip);
    ip.SetDestination(to.ip);
    ip.SetProtocol(kProtocolUdp);
    ip.SetPayloadSize(static_cast<std::uint16_t>(packet->GetSize()));
    ip.SetTtl(64);
    ip.SetTos(static_cast<std::uint8_t>(trafficClass << kClassShift));
    ip.SetDontFragment();  // and so the identification means nothing, RFC 6864
    ip.EnableChecksum();
    packet->AddHeader(ip);

    ns3::EthernetHeader ethernet(false);
    ethernet.SetSource(from.mac);
    ethernet.SetDestination(to.mac);
    ethernet.SetLengthType(kEtherTypeIpv4);
    packet->AddHeader(ethernet);
    if (payload < behind) packet->AddAtEnd(content->CreateFragment(payload, behind - payload));

    packet->CopyData(m_bytes.data(), kStamped);
    m_sum = static_cast<std::uint16_t>(~Read16(&m_bytes[kUdpChecksumOffset]));
    m_eventBytesSummed =
        std::clamp(payload, WatershedEventHeader::kEventOffset, WatershedEventHeader::kEventOffset + 4) -
        WatershedEventHeader::kEventOffset;
    m_zeros = packet->GetSize() - kStamped;
    m_behind = ns3::Create<ns3::Packet>(m_zeros);
}

std::array<std::uint8_t, WatershedFragmentFrame::kStamped> WatershedFragmentFrame::Stamped(std::uint32_t event) const {
    auto bytes = m_bytes;
    Write16(&bytes[kEventOffset], event >> 16);
    Write16(&bytes[kEventOffset + 2], event);
    std::uint32_t sum = m_sum;
    // A last odd byte counts as if a zero followed it.
    for (std::uint32_t i = 0; i < m_eventBytesSummed; ++i)
        sum += std::uint32_t{bytes[kEventOffset + i]} << (i % 2 == 0 ? 8 : 0);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    const std::uint32_t checksum = sum ^ 0xffff;
    Write16(&bytes[kUdpChecksumOffset], checksum == 0 ? 0xffff : checksum);  // 0 says that there is none, RFC 768
    return bytes;
}

ns3::Ptr<ns3::Packet> WatershedFragmentFrame::Make(std::uint32_t event) const {
    const ns3::Ptr<ns3::Packet> packet = MakeBehind();
    PutHeaders(*packet, event);
    return packet;
}

void WatershedFragmentFrame::PutHeaders(ns3::Packet& behind, std::uint32_t event) const {
    const auto bytes = Stamped(event);
    behind.AddHeader(WatershedRawHeader(bytes.data(), kStamped));
}

std::optional<FrameId> IdentifyFrame(const ns3::Packet& frame) {
    std::array<std::uint8_t, WatershedFragmentFrame::kStamped> bytes;
    if (frame.CopyData(bytes.data(), WatershedFragmentFrame::kStamped) < WatershedFragmentFrame::kStamped)
        return std::nullopt;
    // Whatever other frames have there is their users' own.
    const bool is_of_camera = Read16(&bytes[kEtherTypeOffset]) == kEtherTypeIpv4 && bytes[kIpOffset] == kPlainIpv4 &&
                              bytes[kIpProtocolOffset] == kProtocolUdp &&
                              Read16(&bytes[kUdpDestinationOffset]) == server_endpoint(0).port;
    if (!is_of_camera) return std::nullopt;
    const auto header = WatershedEventHeader::Parse(&bytes[WatershedFragmentFrame::kHeaders]);
    return header ? std::optional<FrameId>(header->GetFrame()) : std::nullopt;
}

}  // namespace watershed
