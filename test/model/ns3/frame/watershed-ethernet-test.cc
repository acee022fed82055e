// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-ethernet.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv6-header.h>
#include <ns3/tcp-header.h>
#include <ns3/udp-header.h>

#include <algorithm>
#include <array>
#include <vector>

#include "model/switch/uplinks.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

template <class Header>
ns3::Ptr<ns3::Packet> FrameOf(const ns3::Ptr<ns3::Packet>& packet, const Header& header, std::uint16_t protocol) {
    packet->AddHeader(header);
    WrapInEthernet(*packet, ns3::Mac48Address("02:00:00:00:00:01"), ns3::Mac48Address("02:00:00:00:00:02"), protocol);
    return packet;
}

template <class Header>
ns3::Ptr<ns3::Packet> FrameWith(typename Header::EcnType ecn, std::uint16_t protocol) {
    Header header;
    header.SetEcn(ecn);
    return FrameOf(ns3::Create<ns3::Packet>(100), header, protocol);
}

template <class Header>
typename Header::EcnType EcnOf(const ns3::Packet& frame) {
    const auto packet = frame.Copy();
    ns3::EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    Header header;
    packet->RemoveHeader(header);
    return header.GetEcn();
}

constexpr UplinkChoice::Fields kLayer2 = UplinkChoice::Fields::Layer2, kLayer3 = UplinkChoice::Fields::Layer3,
                               kLayer3And4 = UplinkChoice::Fields::Layer3And4,
                               kFiveTuple = UplinkChoice::Fields::FiveTuple;

std::uint16_t HashOf(const ns3::Ptr<ns3::Packet>& frame, UplinkChoice::Fields fields) {
    UplinkChoice choice;
    choice.fields = fields;
    return FlowHash(*frame, choice);
}

template <class Ports>
ns3::Ptr<ns3::Packet> Segment(std::uint16_t port) {
    const auto packet = ns3::Create<ns3::Packet>(100);
    Ports ports;
    ports.SetSourcePort(port);
    ports.SetDestinationPort(0x0203);
    packet->AddHeader(ports);
    return packet;
}

ns3::Ptr<ns3::Packet> Ipv4Frame(std::uint8_t protocol, bool more_fragments) {
    ns3::Ipv4Header header;
    header.SetSource(ns3::Ipv4Address("10.0.0.1"));
    header.SetDestination(ns3::Ipv4Address("10.0.0.2"));
    header.SetProtocol(protocol);
    if (more_fragments) header.SetMoreFragments();
    return FrameOf(Segment<ns3::UdpHeader>(0x0100), header, 0x0800);
}

template <class Ports>
ns3::Ptr<ns3::Packet> Ipv6Frame(std::uint16_t port, std::uint8_t next_header, std::uint32_t flow_label = 0) {
    ns3::Ipv6Header header;
    header.SetSource(ns3::Ipv6Address("2001:db8::1"));
    header.SetDestination(ns3::Ipv6Address("2001:db8::2"));
    header.SetNextHeader(next_header);
    header.SetFlowLabel(flow_label);
    return FrameOf(Segment<Ports>(port), header, 0x86dd);
}

/// The hash of bytes that the test has written down itself.
std::uint16_t Crc(const std::vector<std::uint8_t>& bytes) { return flow_hash(bytes, UplinkChoice::Fold::Crc16); }

/// The frame with a tag of priority 3 in VLAN 1.
ns3::Ptr<ns3::Packet> Tagged(const ns3::Packet& frame) {
    std::array<std::uint8_t, 16> front{};
    frame.CopyData(front.data(), 12);
    const std::array<std::uint8_t, 4> tag{0x81, 0x00, 0x60, 0x01};
    std::copy(tag.begin(), tag.end(), front.begin() + 12);
    const auto tagged = ns3::Create<ns3::Packet>(front.data(), front.size()), rest = frame.Copy();
    rest->RemoveAtStart(12);
    tagged->AddAtEnd(rest);
    return tagged;
}

std::vector<std::uint8_t> BytesOf(const ns3::Packet& frame) {
    std::vector<std::uint8_t> bytes(frame.GetSize());
    frame.CopyData(bytes.data(), frame.GetSize());
    return bytes;
}

}  // namespace

TEST_CASE("Flows of IPv6 are told apart by addresses and ports, and by nothing else") {
    constexpr std::uint8_t kTcp = 6, kUdp = 17, kIcmpv6 = 58, kFragment = 44;
    std::vector<std::uint8_t> addresses;
    for (const int last : {1, 2}) {
        addresses.insert(addresses.end(), {0x20, 0x01, 0x0d, 0xb8});
        addresses.insert(addresses.end(), 11, 0);
        addresses.push_back(static_cast<std::uint8_t>(last));
    }
    std::vector<std::uint8_t> all = addresses;
    all.insert(all.end(), {0x01, 0x00, 0x02, 0x03});
    const auto udp = Ipv6Frame<ns3::UdpHeader>(0x0100, kUdp);
    CHECK(HashOf(udp, kLayer3And4) == Crc(all));
    CHECK(HashOf(udp, kLayer3) == Crc(addresses));
    CHECK(HashOf(udp, kLayer2) == Crc({2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}));
    CHECK(HashOf(Ipv6Frame<ns3::TcpHeader>(0x0100, kTcp), kLayer3And4) == Crc(all));
    CHECK(HashOf(Ipv6Frame<ns3::UdpHeader>(0x0100, kUdp, 77), kLayer3And4) == Crc(all));
    CHECK(HashOf(Ipv6Frame<ns3::UdpHeader>(0x0101, kUdp), kLayer3And4) != Crc(all));
    for (const std::uint8_t other : {kIcmpv6, kFragment})
        CHECK(HashOf(Ipv6Frame<ns3::UdpHeader>(0x0100, other), kLayer3And4) == Crc(addresses));
}

TEST_CASE("The five-tuple tells TCP from UDP between the same addresses and ports") {
    constexpr std::uint8_t kTcp = 6, kUdp = 17, kIcmp = 1;
    const std::vector<std::uint8_t> addresses{10, 0, 0, 1, 10, 0, 0, 2};
    const auto of = [&](const std::vector<std::uint8_t>& rest) {
        std::vector<std::uint8_t> all = addresses;
        for (const std::uint8_t byte : rest) all.push_back(byte);  // GCC 12 warns of insert() at -O3, without a cause
        return Crc(all);
    };
    for (const std::uint8_t protocol : {kTcp, kUdp}) {
        CHECK(HashOf(Ipv4Frame(protocol, false), kFiveTuple) == of({1, 0, 2, 3, protocol}));
        CHECK(HashOf(Ipv4Frame(protocol, false), kLayer3And4) == of({1, 0, 2, 3}));
        CHECK(HashOf(Ipv4Frame(protocol, true), kFiveTuple) == of({protocol}));
        CHECK(HashOf(Ipv4Frame(protocol, true), kLayer3And4) == of({}));
        CHECK(HashOf(Ipv4Frame(protocol, false), kLayer3) == of({}));
    }
    CHECK(HashOf(Ipv4Frame(kIcmp, false), kFiveTuple) == of({kIcmp}));
    CHECK(HashOf(Ipv6Frame<ns3::TcpHeader>(0x0100, kTcp), kFiveTuple) !=
          HashOf(Ipv6Frame<ns3::UdpHeader>(0x0100, kUdp), kFiveTuple));
    CHECK(HashOf(FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_NotECT, 0x0806), kFiveTuple) ==
          HashOf(FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_NotECT, 0x0806), kLayer2));
}

TEST_CASE("A VLAN tag changes no flow") {
    const auto plain = Ipv6Frame<ns3::UdpHeader>(0x0100, 17), tagged = Tagged(*plain);
    REQUIRE(ClassOf(*tagged) == 3);
    CHECK(HashOf(tagged, kLayer3And4) == HashOf(plain, kLayer3And4));
}

TEST_CASE("A tagged frame is marked as an untagged one, and keeps its tag") {
    for (const auto& plain : {FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_ECT0, 0x0800),
                              FrameWith<ns3::Ipv6Header>(ns3::Ipv6Header::ECN_ECT1, 0x86dd)}) {
        const auto tagged = Tagged(*plain);
        REQUIRE(CanBeMarked(*tagged));
        CHECK(BytesOf(*MarkCongestion(*tagged)) == BytesOf(*Tagged(*MarkCongestion(*plain))));
    }
    CHECK_FALSE(CanBeMarked(*Tagged(*FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_NotECT, 0x0800))));
    CHECK_FALSE(CanBeMarked(*Tagged(*FrameWith<ns3::Ipv6Header>(ns3::Ipv6Header::ECN_NotECT, 0x86dd))));
}

TEST_CASE("Congestion is marked in IPv4 and IPv6 packets whose senders are capable, in a copy of the same size") {
    const auto four = FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_ECT0, 0x0800);
    REQUIRE(CanBeMarked(*four));
    const auto marked = MarkCongestion(*four);
    CHECK(EcnOf<ns3::Ipv4Header>(*marked) == ns3::Ipv4Header::ECN_CE);
    CHECK(EcnOf<ns3::Ipv4Header>(*four) == ns3::Ipv4Header::ECN_ECT0);
    CHECK(marked->GetSize() == four->GetSize());
    const auto six = FrameWith<ns3::Ipv6Header>(ns3::Ipv6Header::ECN_ECT1, 0x86dd);
    REQUIRE(CanBeMarked(*six));
    CHECK(EcnOf<ns3::Ipv6Header>(*MarkCongestion(*six)) == ns3::Ipv6Header::ECN_CE);
}

TEST_CASE("Senders that are not capable, and other protocols, are not marked") {
    CHECK_FALSE(CanBeMarked(*FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_NotECT, 0x0800)));
    CHECK_FALSE(CanBeMarked(*FrameWith<ns3::Ipv6Header>(ns3::Ipv6Header::ECN_NotECT, 0x86dd)));
    CHECK_FALSE(CanBeMarked(*FrameWith<ns3::Ipv4Header>(ns3::Ipv4Header::ECN_ECT0, 0x0806)));
}

TEST_CASE("A short packet is padded to 60 bytes") {
    const auto packet = ns3::Create<ns3::Packet>(1);
    WrapInEthernet(*packet, ns3::Mac48Address("02:00:00:00:00:01"), ns3::Mac48Address::GetBroadcast(), 0x88b5);
    CHECK(packet->GetSize() == 60);
    CHECK(IsForUs(ns3::Mac48Address("02:00:00:00:00:09"), *packet));
}

TEST_CASE("The padding of a short packet is zeros, whatever the memory held before") {
    for (int i = 0; i < 100; ++i) {
        const std::vector<std::uint8_t> before(200, 0xff);
        ns3::Create<ns3::Packet>(before.data(), 200U);
        const auto packet = ns3::Create<ns3::Packet>(before.data(), 1U);
        WrapInEthernet(*packet, ns3::Mac48Address("02:00:00:00:00:01"), ns3::Mac48Address::GetBroadcast(), 0x88b5);
        std::vector<std::uint8_t> bytes(60);
        REQUIRE(packet->CopyData(bytes.data(), 60) == 60);
        REQUIRE(bytes[14] == 0xff);
        REQUIRE(std::count(bytes.begin() + 15, bytes.end(), 0) == 45);
    }
}

}  // namespace watershed
