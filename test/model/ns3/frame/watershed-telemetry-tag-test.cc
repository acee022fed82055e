// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-telemetry-tag.h"

#include <ns3/simulator.h>
#include <ns3/string.h>

#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

// Three hosts send 1000 B each at time 0 to the fourth. On a link of 10 Gb/s a frame of them lasts 1038 B, 830.4 ns,
// and in memory it has 1018. They have arrived at once; the first leaves before the others are there, and so finds
// none.
TEST_CASE("A switch tells packets when they leave, what has left before them, and what waits behind") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(4), node(1);
    WatershedSwitchHelper helper;
    helper.Set("Int", ns3::StringValue("true"));
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("10Gbps"));
    const auto devices = helper.Install(hosts, node.Get(0));
    WatershedSwitchHelper::PopulateTables();
    std::vector<WatershedTelemetryTag> came;
    devices.Get(3)->TraceConnectWithoutContext(
        "PhyRxEnd", ns3::Callback<void, ns3::Ptr<const ns3::Packet>>([&](ns3::Ptr<const ns3::Packet> frame) {
            WatershedTelemetryTag tag;
            if (frame->PeekPacketTag(tag)) came.push_back(tag);
        }));
    for (std::uint32_t i = 0; i < 3; ++i)
        ns3::Simulator::Schedule(ns3::Time(0), [&, i] {
            const auto packet = ns3::Create<ns3::Packet>(1000);
            packet->AddPacketTag(WatershedTelemetryTag(Time{7}));
            devices.Get(i)->Send(packet, devices.Get(3)->GetAddress(), 0x88b5);
        });
    ns3::Simulator::Run();
    REQUIRE(came.size() == 3);
    const std::vector<std::int64_t> waiting{0, 1018, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(came[i].sent == Time{7});
        REQUIRE(came[i].links.size() == 1);
        const LinkReport& link = came[i].links.front();
        const auto before = static_cast<std::int64_t>(i);
        CHECK(link.time == Time{830'400} * (1 + before));
        CHECK(link.sent == Bytes{1038 * before});
        CHECK(link.queue == Bytes{waiting[i]});
        CHECK(link.rate == BitRate{10'000'000'000});
    }
}

TEST_CASE("A packet has room for five reports, an answer and a packet that asks for none get none") {
    const auto packet = ns3::Create<ns3::Packet>(100);
    CHECK(WithReport(packet, {}).GetPacket() == packet);
    packet->AddPacketTag(WatershedTelemetryTag(Time{1}));
    WatershedFrame frame(packet);
    for (int i = 1; i <= 7; ++i) frame = WithReport(frame, {Time{i}, Bytes{2}, Bytes{3}, BitRate{4}});
    WatershedTelemetryTag tag;
    REQUIRE(frame.GetPacket()->RemovePacketTag(tag));
    REQUIRE(tag.links.size() == kTelemetryLinks);
    CHECK(tag.links.back().time == Time{5});
    tag.links.clear();
    tag.isAnswer = true;
    frame.GetPacket()->AddPacketTag(tag);
    CHECK(WithReport(frame, {}).GetPacket() == frame.GetPacket());
    CHECK(packet->GetSize() == 100);
}

}  // namespace watershed
