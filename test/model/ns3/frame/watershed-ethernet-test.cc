// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-ethernet.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv6-header.h>

#include <algorithm>
#include <vector>

#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

template <class Header>
ns3::Ptr<ns3::Packet> FrameWith(typename Header::EcnType ecn, std::uint16_t protocol) {
    const auto packet = ns3::Create<ns3::Packet>(100);
    Header header;
    header.SetEcn(ecn);
    packet->AddHeader(header);
    WrapInEthernet(*packet, ns3::Mac48Address("02:00:00:00:00:01"), ns3::Mac48Address("02:00:00:00:00:02"), protocol);
    return packet;
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

}  // namespace

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
