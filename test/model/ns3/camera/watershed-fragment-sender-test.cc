// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-fragment-sender.h"

#include <vector>

#include "model/ns3/helper/watershed-helper.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

void note_time(std::vector<std::int64_t>* log, ns3::Ptr<const ns3::Packet>) { log->push_back(Now().count()); }

}  // namespace

// 3000 B in packets of at most 1500 B are 1472 B, 1472 B and 56 B: with 66 B around them 12.304 us, 12.304 us and
// 0.976 us at 1 Gb/s.
TEST_CASE("The frames of one event keep the gap that is stated") {
    const Simulation simulation;
    const auto left = ns3::CreateObject<ns3::Node>(), right = ns3::CreateObject<ns3::Node>();
    const auto [device, receiver] = WatershedHelper().Connect(left, right);
    FrameFormat format;
    format.payload = Bytes{3000};
    format.split = true;
    WatershedFragmentSender::Settings settings;
    settings.gap = Time{5'000'000};
    WatershedFragmentSender sender(device, settings, FragmentSizes(format, 1), FragmentTiming(FrontEnd{}, 1, 1));
    std::vector<std::int64_t> log;
    REQUIRE(receiver->TraceConnectWithoutContext("PhyRxEnd", ns3::MakeBoundCallback(&note_time, &log)));
    ns3::Simulator::ScheduleWithContext(left->GetId(), ns3::MicroSeconds(1), [&] { sender.Trigger(1, Now()); });
    ns3::Simulator::Run();
    CHECK(log == std::vector<std::int64_t>{1'000'000 + 12'304'000, 1'000'000 + 29'608'000, 1'000'000 + 35'584'000});
}

}  // namespace watershed
