// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-packet.h"

#include <algorithm>

#include "model/base/byte-order.h"
#include "model/ns3/frame/watershed-raw-header.h"

namespace watershed {
namespace {

constexpr std::size_t kLongestHead = kUdpHead + EjfatBalancerHeader::kSize + EjfatReassemblyHeader::kSize;

template <class... Headers>
std::vector<std::uint8_t> Joined(const Headers&... headers) {
    std::vector<std::uint8_t> all((headers.size() + ...));
    auto end = all.begin();
    ((end = std::copy(headers.begin(), headers.end(), end)), ...);
    return all;
}

/// Puts Ethernet, IPv4, UDP and the headers in front of data.
void PutHead(ns3::Packet& data, const Endpoint& from, const Endpoint& to, const std::vector<std::uint8_t>& headers) {
    const auto payload = Bytes{static_cast<std::int64_t>(headers.size() + data.GetSize())};
    const auto head = udp_head(from, to, headers, payload);
    data.AddHeader(WatershedRawHeader(head.data(), static_cast<std::uint32_t>(head.size())));
}

/// The first bytes of a frame, and where its UDP payload is in them.
struct Head {
    explicit Head(const ns3::Packet& packet) : size(packet.CopyData(bytes, kLongestHead)) {}

    const std::uint8_t* Payload() const { return bytes + kUdpHead; }
    std::size_t PayloadHere() const { return size > kUdpHead ? size - kUdpHead : 0; }
    Bytes PayloadSize() const { return Bytes{static_cast<std::int64_t>(read_big_endian<2>(bytes + 38)) - 8}; }
    Endpoint End(std::size_t mac, std::size_t ip, std::size_t port) const {
        Endpoint end;
        std::copy(bytes + mac, bytes + mac + 6, end.mac.begin());
        end.ip = static_cast<std::uint32_t>(read_big_endian<4>(bytes + ip));
        end.port = static_cast<std::uint16_t>(read_big_endian<2>(bytes + port));
        return end;
    }
    Endpoint From() const { return End(6, 26, 34); }
    Endpoint To() const { return End(0, 30, 36); }

    std::uint8_t bytes[kLongestHead]{};
    std::size_t size;
};

}  // namespace

ns3::Ptr<ns3::Packet> MakeEjfatSegment(const Endpoint& from, const Endpoint& balancer, const EjfatToBalancer& headers) {
    const auto packet = ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(headers.data.count));
    PutHead(*packet, from, balancer, Joined(headers.balancer.bytes(), headers.reassembly.bytes()));
    return packet;
}

ns3::Ptr<ns3::Packet> MakeEjfatSync(const Endpoint& from, const Endpoint& balancer, const EjfatSyncHeader& header) {
    const auto packet = ns3::Create<ns3::Packet>();
    PutHead(*packet, from, balancer, Joined(header.bytes()));
    return packet;
}

void Readdress(ns3::Packet& packet, const EjfatToBalancer& headers, const Endpoint& node) {
    packet.RemoveAtStart(kLongestHead);
    PutHead(packet, headers.from, node, Joined(headers.reassembly.bytes()));
}

std::optional<EjfatToBalancer> ReadAtBalancer(const ns3::Packet& packet) {
    const Head head(packet);
    const auto balancer = EjfatBalancerHeader::parse(head.Payload(), head.PayloadHere());
    if (!balancer) return std::nullopt;
    const auto reassembly = EjfatReassemblyHeader::parse(head.Payload() + EjfatBalancerHeader::kSize,
                                                         head.PayloadHere() - EjfatBalancerHeader::kSize);
    if (!reassembly) return std::nullopt;
    return EjfatToBalancer{*balancer, *reassembly, head.From(),
                           Bytes{static_cast<std::int64_t>(packet.GetSize() - kLongestHead)}};
}

std::optional<EjfatSyncHeader> ReadSync(const ns3::Packet& packet) {
    const Head head(packet);
    return EjfatSyncHeader::parse(head.Payload(), head.PayloadHere());
}

std::optional<EjfatToNode> ReadAtNode(const ns3::Packet& packet) {
    const Head head(packet);
    const auto reassembly = EjfatReassemblyHeader::parse(head.Payload(), head.PayloadHere());
    if (!reassembly) return std::nullopt;
    return EjfatToNode{*reassembly, head.To(), head.PayloadSize() - Bytes{EjfatReassemblyHeader::kSize},
                       head.PayloadSize()};
}

}  // namespace watershed
