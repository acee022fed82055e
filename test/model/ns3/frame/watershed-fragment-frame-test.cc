// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-fragment-frame.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/udp-header.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <vector>

#include "model/frontend/module-ports.h"
#include "model/ns3/frame/watershed-frame.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"

namespace watershed {
namespace {

std::vector<std::uint8_t> bytes_of(const ns3::Packet& packet) {
    std::vector<std::uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), packet.GetSize());
    return bytes;
}

/// The one's complement sum of RFC 1071: 16-bit words, a last odd byte padded with zero, carries added back.
std::uint32_t internet_sum(const std::uint8_t* bytes, std::size_t size, std::uint32_t sum = 0) {
    for (std::size_t i = 0; i < size; ++i) sum += std::uint32_t{bytes[i]} << (i % 2 == 0 ? 8 : 0);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

}  // namespace

// RFC 791 and RFC 768 with RFC 1071: summed with its checksum, a correct header gives 0xffff; UDP adds the addresses,
// the protocol number and its length, and never sends 0, which means that there is no checksum.
TEST_CASE(
    "IP and UDP checksums are right for every payload around the event header and for every kind of event number") {
    for (const int payload : {0, 1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 100, 1024, 1471, 1472, 8972}) {
        const WatershedFragmentFrame frame(module_endpoint({}, 3), server_endpoint(1), Bytes{payload}, 7,
                                           FrameId{0, 3, 2});
        for (const std::uint32_t event :
             {0U, 1U, 255U, 256U, 0xffffU, 0x10000U, 0x12345678U, 0xfffffffeU, 0xffffffffU}) {
            const auto bytes = bytes_of(*frame.Make(event));
            CAPTURE(payload, event);
            REQUIRE(bytes.size() == static_cast<std::size_t>(std::max(60, 42 + payload)));
            REQUIRE((bytes[16] << 8 | bytes[17]) == 28 + payload);
            REQUIRE((bytes[38] << 8 | bytes[39]) == 8 + payload);
            REQUIRE(internet_sum(&bytes[14], 20) == 0xffff);
            const auto length = static_cast<std::size_t>(8 + payload);
            const std::uint32_t pseudo = internet_sum(&bytes[26], 8, 17 + static_cast<std::uint32_t>(length));
            REQUIRE(internet_sum(&bytes[34], length, pseudo) == 0xffff);
            REQUIRE((bytes[40] != 0 || bytes[41] != 0));
            const auto id = IdentifyFrame(*frame.Make(event));
            REQUIRE(id);
            REQUIRE(*id == FrameId{event, 3, 2});
            REQUIRE(*id == frame.Identify(event));
        }
    }
}

// The sum is linear in the event number, so some number makes it 0xffff, whose complement is 0.
TEST_CASE("A UDP checksum that comes out as zero is sent as 0xffff") {
    const WatershedFragmentFrame frame(module_endpoint({}, 1), server_endpoint(0), Bytes{64}, 1, FrameId{0, 1, 0});
    const auto checksum = [&](std::uint32_t event) {
        const auto bytes = bytes_of(*frame.Make(event));
        return static_cast<std::uint32_t>(bytes[40] << 8 | bytes[41]);
    };
    const std::uint32_t event = checksum(0);  // adds to the sum what it lacks
    REQUIRE(event > 0);
    CHECK(checksum(event) == 0xffff);
    CHECK(checksum(event - 1) == 1);
}

TEST_CASE("ns-3's own headers read a frame") {
    const Endpoint from = module_endpoint({}, 300), to = server_endpoint(2);
    const auto packet = WatershedFragmentFrame(from, to, Bytes{1024}, 5, FrameId{0, 300, 0}).Make(77);

    ns3::EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    CHECK(ethernet.GetSource() == MacOf(from));
    CHECK(ethernet.GetDestination() == MacOf(to));
    CHECK(ethernet.GetLengthType() == 0x0800);

    ns3::Ipv4Header ip;
    ip.EnableChecksum();
    packet->RemoveHeader(ip);
    CHECK(ip.IsChecksumOk());
    CHECK(ip.GetSource() == ns3::Ipv4Address(from.ip));
    CHECK(ip.GetDestination() == ns3::Ipv4Address(to.ip));
    CHECK(ip.IsDontFragment());

    ns3::UdpHeader udp;
    udp.EnableChecksums();
    udp.InitializeChecksum(ip.GetSource(), ip.GetDestination(), 17);
    packet->RemoveHeader(udp);
    CHECK(udp.IsChecksumOk());
    CHECK(udp.GetSourcePort() == from.port);
    CHECK(udp.GetDestinationPort() == to.port);

    const auto bytes = bytes_of(*packet);
    const auto header = EventHeader::parse(bytes.data());
    REQUIRE(header);
    CHECK(header->frame == FrameId{77, 300, 0});
    CHECK(header->run == 5);
    CHECK(packet->GetSize() == 1024);
}

TEST_CASE("Modules and uplinks have addresses and ports of their own, and the MAC addresses are locally administered") {
    std::set<std::array<std::uint8_t, 6>> macs;
    std::set<std::uint32_t> ips;
    std::set<std::uint16_t> ports;
    const auto add = [&](const Endpoint& end) {
        macs.insert(end.mac);
        ips.insert(end.ip);
        REQUIRE((end.mac[0] & 3) == 2);
        REQUIRE(end.ip >> 24 == 10);
    };
    for (int module = 1; module <= 3000; ++module) {
        add(module_endpoint({}, module));
        ports.insert(module_endpoint({}, module).port);
    }
    for (int uplink = 0; uplink < 100; ++uplink) add(server_endpoint(uplink));
    CHECK(macs.size() == 3100);
    CHECK(ips.size() == 3100);
    CHECK(ports.size() == 3000);
}

TEST_CASE("The packet of a frame that somebody has looked at stays with it") {
    const WatershedFragmentFrame fragment(module_endpoint({}, 4), server_endpoint(0), Bytes{100}, 1, FrameId{0, 4, 0});
    const WatershedFrame frame(&fragment, 9);
    CHECK(frame.GetSize() == 142);
    const auto packet = frame.GetPacket();
    CHECK(frame.GetPacket() == packet);
    CHECK(bytes_of(*packet) == bytes_of(*fragment.Make(9)));
    const WatershedFrame copy = frame;
    CHECK(copy.GetPacket() == packet);
    CHECK(copy.Identify() == FrameId{9, 4, 0});
    CHECK(WatershedFrame(packet).Identify() == FrameId{9, 4, 0});
    CHECK_FALSE(WatershedFrame(ns3::Create<ns3::Packet>(100)).Identify());
}

TEST_CASE("A packet that was made early has the headers of its event wherever somebody looks at a copy of its frame") {
    for (const int payload : {0, 100, 1024}) {
        const WatershedFragmentFrame fragment(module_endpoint({}, 3), server_endpoint(1), Bytes{payload}, 7,
                                              FrameId{0, 3, 2});
        std::vector<WatershedFrame> frames;
        for (std::uint32_t event = 0; event < 3; ++event) {
            frames.emplace_back(&fragment, event);
            frames.back().MakePacket();
        }
        const std::vector<WatershedFrame> copies = frames;
        for (const std::uint32_t event : {2, 0, 1}) {
            const auto expected = bytes_of(*fragment.Make(event));
            CAPTURE(payload, event);
            CHECK(copies[event].GetSize() == expected.size());
            CHECK(bytes_of(*copies[event].GetPacket()) == expected);
            CHECK(frames[event].GetPacket() == copies[event].GetPacket());
            CHECK(bytes_of(*frames[event].GetPacket()) == expected);
        }
    }
}

TEST_CASE("A frame can be printed, as captures do that are text") {
    // 42 bytes of headers and 16 of the event header; then what is left of 100.
    CHECK_THAT(said_at_death([] {
                   ns3::Packet::EnablePrinting();
                   std::cerr << *WatershedFragmentFrame(module_endpoint({}, 3), server_endpoint(1), Bytes{100}, 7,
                                                        FrameId{0, 3, 2})
                                     .Make(5);
                   std::abort();
               }),
               Contains("ns3::WatershedRawHeader () Payload (size=84)"));
}

TEST_CASE("A frame without an event header belongs to no event") {
    CHECK_FALSE(IdentifyFrame(*ns3::Create<ns3::Packet>(1000)));
    CHECK_FALSE(IdentifyFrame(*ns3::Create<ns3::Packet>(20)));
}

TEST_CASE("What looks like an event header is one in UDP over IPv4 to the camera's port alone") {
    const auto fragment = bytes_of(
        *WatershedFragmentFrame(module_endpoint({}, 3), server_endpoint(1), Bytes{100}, 7, FrameId{0, 3, 2}).Make(5));
    const auto is_one = [&](std::size_t place, std::uint8_t value) {
        auto bytes = fragment;
        bytes[place] = value;
        return IdentifyFrame(ns3::Packet(bytes.data(), static_cast<std::uint32_t>(bytes.size()))).has_value();
    };
    CHECK(is_one(12, fragment[12]));
    CHECK_FALSE(is_one(12, 0x88));  // EtherType
    CHECK_FALSE(is_one(14, 0x46));  // options of IPv4
    CHECK_FALSE(is_one(23, 6));     // TCP
    CHECK_FALSE(is_one(37, 9));     // port
}

}  // namespace watershed
