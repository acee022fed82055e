// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-traffic-source.h"

#include <tuple>
#include <vector>

#include "model/frontend/module-ports.h"
#include "model/ns3/helper/watershed-helper.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

struct Received {
    std::int64_t time;
    FrameId frame;
    int traffic_class;
    friend bool operator==(const Received& a, const Received& b) {
        return a.time == b.time && a.frame == b.frame && a.traffic_class == b.traffic_class;
    }
};

void note_received(std::vector<Received>* log, ns3::Ptr<const ns3::Packet> frame) {
    log->push_back({Now().count(), *IdentifyFrame(*frame), ClassOf(*frame)});
}

}  // namespace

// Bursts of two frames every 20 us at 1 Gb/s: 84 B of slot for a minimum frame last 0.672 us. The bytes tell stream,
// number and class.
TEST_CASE("A source sends the frames of its train, which bear the numbers of stream and frame and their class") {
    const Simulation simulation;
    const auto left = ns3::CreateObject<ns3::Node>(), right = ns3::CreateObject<ns3::Node>();
    const auto [sender, receiver] = WatershedHelper().Connect(left, right);
    TrafficStream stream;
    stream.phase = Time{0};
    stream.name = "bursts";
    stream.pattern = TrafficStream::Pattern::Bursts;
    stream.burst = 2;
    stream.period = Time{20'000'000};
    WatershedTrafficSource source(
        sender,
        WatershedFragmentFrame(module_endpoint({}, 9), server_endpoint(0), Bytes{18}, 1, FrameId{0, 0, 0, 4}, 5),
        StreamTrain(stream, FrameFormat{}, Time{40'000'000}, 1));
    source.Send();
    std::vector<Received> log;
    REQUIRE(receiver->TraceConnectWithoutContext("PhyRxEnd", ns3::MakeBoundCallback(&note_received, &log)));
    ns3::Simulator::Run();
    const std::vector<Received> expected{{672'000, {1, 0, 0, 4}, 5},
                                         {1'344'000, {2, 0, 0, 4}, 5},
                                         {20'672'000, {3, 0, 0, 4}, 5},
                                         {21'344'000, {4, 0, 0, 4}, 5}};
    CHECK(log == expected);
}

}  // namespace watershed
