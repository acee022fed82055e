// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-frame.h"

#include <algorithm>
#include <random>
#include <vector>

#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

const ns3::Mac48Address kSender("02:00:00:00:00:01"), kReceiver("02:00:00:00:00:02");

std::vector<std::uint8_t> ContentOf(const ns3::Packet& packet) {
    std::vector<std::uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), packet.GetSize());
    return bytes;
}

ns3::Ptr<ns3::Packet> PacketHolding(const std::vector<std::uint8_t>& bytes) {
    return ns3::Create<ns3::Packet>(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

ns3::Ptr<ns3::Packet> WithHeader(const std::vector<std::uint8_t>& bytes, std::uint16_t protocol) {
    const auto packet = PacketHolding(bytes);
    WrapInEthernet(*packet, kSender, kReceiver, protocol);
    return packet;
}

TEST_CASE("A frame whose header stands beside its packet reads as the one with the header in front") {
    std::minstd_rand random(7);
    for (const std::uint16_t protocol : std::vector<std::uint16_t>{0x0800, 0x86dd, 0x8100, 0x0806, 0x8808, 0x88b5})
        for (const std::size_t size : {1, 45, 46, 47, 60, 100, 1500})
            for (int draw = 0; draw < 20; ++draw) {
                std::vector<std::uint8_t> bytes(size);
                for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
                bytes[0] = 0x45;
                const auto expected = WithHeader(bytes, protocol);
                WatershedFrame frame(PacketHolding(bytes), kSender, kReceiver, protocol);
                const FrameBytes read = frame.GetBytes();
                REQUIRE(frame.GetSize() == expected->GetSize());
                REQUIRE(frame.GetClass() == ClassOf(*expected));
                REQUIRE(frame.IsOfNetwork() == IsOfNetwork(*expected));
                REQUIRE(CanBeMarked(read) == CanBeMarked(*expected));
                REQUIRE(DestinationOf(read) == kReceiver);
                REQUIRE(SourceOf(read) == kSender);
                for (const auto fields : {UplinkChoice::Fields::Layer2, UplinkChoice::Fields::FiveTuple})
                    REQUIRE(FlowOf(read, fields) == FlowOf(*expected, fields));
                REQUIRE(ContentOf(*frame.GetPacket()) == ContentOf(*expected));
                bytes.resize(std::max<std::size_t>(size, kShortestFrame - kEthernetHead));
                REQUIRE(ContentOf(*frame.TakeBehind()) == bytes);
            }
}

TEST_CASE("Copies of a frame get a header each, and none is put into a packet that its sender keeps") {
    const std::vector<std::uint8_t> bytes(100, 1);
    const auto kept = PacketHolding(bytes);
    WatershedFrame first(kept, kSender, kReceiver, 0x0800), second = first;
    CHECK(ContentOf(*first.GetPacket()) == ContentOf(*WithHeader(bytes, 0x0800)));
    CHECK(ContentOf(*second.GetPacket()) == ContentOf(*WithHeader(bytes, 0x0800)));
    CHECK(ContentOf(*WatershedFrame(kept, kSender, kReceiver, 0x0800).TakeBehind()) == bytes);
    CHECK(ContentOf(*kept) == bytes);
}

TEST_CASE("A packet that nobody else has goes on as it is") {
    auto packet = PacketHolding(std::vector<std::uint8_t>(100, 1));
    const ns3::Packet* const made = ns3::PeekPointer(packet);
    WatershedFrame frame(packet, kSender, kReceiver, 0x0800);
    packet = nullptr;
    CHECK(ns3::PeekPointer(WatershedFrame(std::move(frame)).TakeBehind()) == made);
}

}  // namespace
}  // namespace watershed
