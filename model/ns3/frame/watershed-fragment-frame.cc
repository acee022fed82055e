// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-fragment-frame.h"

#include <algorithm>

#include "model/base/big-endian.h"
#include "model/base/udp-head.h"
#include "model/ns3/frame/watershed-raw-header.h"
#include "model/switch/frame-fields.h"

namespace watershed {
namespace {

constexpr std::uint8_t kPlainIpv4 = 0x45;  // version 4, a header of 20 B
constexpr std::uint32_t kEtherTypeOffset = 12, kIpOffset = 14, kIpProtocolOffset = kIpOffset + 9,
                        kUdpDestinationOffset = WatershedFragmentFrame::kHeaders - 6;
constexpr std::uint32_t kUdpChecksumOffset = WatershedFragmentFrame::kHeaders - 2;
constexpr std::uint32_t kEventOffset = WatershedFragmentFrame::kHeaders + EventHeader::kEventOffset;
constexpr std::uint8_t kHops = 64;
constexpr int kClassShift = 5;                     // class selectors are the upper three bits of the octet, RFC 2474
constexpr std::uint32_t kLeastBehindHeaders = 18;  // 64 B minimum frame - MAC 14 - IPv4 20 - UDP 8 - FCS 4

}  // namespace

WatershedFragmentFrame::WatershedFragmentFrame(const Endpoint& from, const Endpoint& to, Bytes payload_size,
                                               std::uint32_t run, const FrameId& id, int trafficClass)
    : m_id(id), m_class(trafficClass) {
    const auto payload = static_cast<std::uint32_t>(payload_size.count);
    std::uint8_t* const content = &m_bytes[kHeaders];
    EventHeader{run, {0, id.module, id.frame, id.stream}}.write(content);
    const auto head = udp_head(from, to, {content, content + std::min(payload, EventHeader::kSize)}, payload_size,
                               kHops, static_cast<std::uint8_t>(trafficClass << kClassShift));
    std::copy_n(head.begin(), kHeaders, m_bytes.begin());
    m_sum = static_cast<std::uint16_t>(~Read16(&m_bytes[kUdpChecksumOffset]));
    m_eventBytesSummed =
        std::clamp(payload, EventHeader::kEventOffset, EventHeader::kEventOffset + 4) - EventHeader::kEventOffset;
    m_zeros = std::max(payload, kLeastBehindHeaders) - EventHeader::kSize;
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
    const bool is_of_camera = Read16(&bytes[kEtherTypeOffset]) == kIpv4Type && bytes[kIpOffset] == kPlainIpv4 &&
                              bytes[kIpProtocolOffset] == kUserDatagram &&
                              Read16(&bytes[kUdpDestinationOffset]) == server_endpoint(0).port;
    if (!is_of_camera) return std::nullopt;
    const auto header = EventHeader::parse_any(&bytes[WatershedFragmentFrame::kHeaders]);
    return header ? std::optional<FrameId>(header->frame) : std::nullopt;
}

}  // namespace watershed
