// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/integer.h>
#include <ns3/node-list.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/dcqcn/watershed-dcqcn-receiver.h"
#include "model/ns3/switch/watershed-switch.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/dcqcn/roce-hosts.h"

namespace watershed {
namespace {

/// Results of an incast.
struct Seen {
    double last = 0, mean = 0;  ///< nanoseconds until flows were complete
    double peak = 0;            ///< bytes that waited
    double waiting = 0;         ///< bytes that waited, on average from 300 us to 2 ms
};

/// The incast of from-hpcc.md: hosts that send 2000 packets each to one, all at 100 Gb/s, by cables of 1 us. A packet
/// has 10 B less of payload than in the simulator of HPCC, and no preamble, checksum and gap, so that it costs the link
/// the same: 1100 B with telemetry, 1051 B without.
Seen RunIncast(std::uint32_t number, const std::vector<std::pair<const char*, const char*>>& attributes) {
    const Simulation simulation;
    WatershedSwitchHelper helper;
    for (const auto& [name, value] : {std::pair{"MaxSize", "32MB"},
                                      {"BufferOverhead", "0"},
                                      {"ArrivalOrder", "module"},
                                      {"Release", "start"},
                                      {"Int", "true"},
                                      {"Ecn", "true"},
                                      {"WredFrom", "400kB"},
                                      {"WredTo", "1600kB"},
                                      {"WredProbability", "0.2"},
                                      {"MarkLeaving", "true"}})
        helper.Set(name, ns3::StringValue(value));
    helper.SetChannelAttribute("Delay", ns3::StringValue("1us"));
    helper.SetDeviceAttribute("LinkOverhead", ns3::IntegerValue(0));
    RoceHosts hosts(number + 1, helper, "100Gbps");
    helper.AssignStreams(ns3::NodeContainer(ns3::NodeList::GetNode(number + 1)), 1);  // whatever ran before
    WatershedSwitchHelper::PopulateTables();
    WatershedSwitchHelper::PopulateNeighbors(hosts.interfaces);
    const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
    receiver->SetAttribute("CnpInterval", ns3::StringValue("0ns"));
    hosts.nodes.Get(number)->AddApplication(receiver);
    Seen seen;
    std::vector<double> times;
    for (std::uint32_t i = 0; i < number; ++i) {
        const auto flow = hosts.SenderTo(number, i);
        for (const auto& [name, value] : {std::pair{"DataRate", "100Gbps"},
                                          {"Overhead", "42"},
                                          {"Recovery", "go-back-n"},
                                          {"AckEvery", "1"},
                                          {"Timeout", "1s"}})
            flow->SetAttribute(name, ns3::StringValue(value));
        for (const auto& [name, value] : attributes) flow->SetAttribute(name, ns3::StringValue(value));
        flow->TraceConnectWithoutContext(
            "Completed", ns3::Callback<void, std::uint64_t, ns3::Time>([&](std::uint64_t, ns3::Time after) {
                times.push_back(static_cast<double>(after.GetNanoSeconds()));
            }));
    }
    const ns3::Time from = ns3::MicroSeconds(300), to = ns3::MilliSeconds(2);
    ns3::Time changed = from;
    std::int64_t waiting = 0;
    WatershedSwitch::Of(ns3::NodeList::GetNode(hosts.nodes.GetN()))
        ->TraceConnectWithoutContext(
            "Occupancy", ns3::Callback<void, std::int64_t, std::int64_t>([&](std::int64_t, std::int64_t bytes) {
                const ns3::Time now = std::clamp(ns3::Simulator::Now(), from, to);
                seen.waiting += static_cast<double>(waiting) * (now - changed).GetSeconds();
                changed = now;
                waiting = bytes;
                seen.peak = std::max(seen.peak, static_cast<double>(bytes));
            }));
    ns3::Simulator::Stop(ns3::MilliSeconds(50));
    ns3::Simulator::Run();
    REQUIRE(times.size() == number);
    seen.last = times.back();
    for (const double time : times) seen.mean += time / number;
    seen.waiting /= (to - from).GetSeconds();
    return seen;
}

}  // namespace

// Numbers of the HPCC simulator, commit 9f4be2a, with its mix/config.txt: T = 4160 ns, maxStage 0, and 50 Mb/s, which
// are 26 B in T. Its 52,000 B of payload are 52 packets of 1010 B, ours of the link 48 of 1100 B: as many are on their
// way at first.
TEST_CASE("An incast of HPCC takes as long as in its authors' simulator, and leaves the same queue", "[long]") {
    struct There {
        std::uint32_t number;
        double last, peak;
    };
    for (const There& there : {There{4, 751'628, 173'800}, {16, 2'986'938, 862'400}}) {
        CAPTURE(there.number);
        const Seen here = RunIncast(there.number, {{"Law", "hpcc"},
                                                   {"PacketSize", "1000"},
                                                   {"MaxBytes", "2000000"},
                                                   {"BaseRtt", "4160ns"},
                                                   {"MaxStage", "0"},
                                                   {"AdditiveWindow", "26"}});
        CHECK(here.last == Approx(there.last).epsilon(0.003));
        CHECK(here.peak == Approx(there.peak * 48 / 52).epsilon(0.01));
        if (there.number == 16) CHECK(here.waiting == Approx(1632).epsilon(0.1));
    }
}

// The same simulator with CC_MODE 1, and without a window with CLAMP_TARGET_RATE 1. Marks are drawn: of twelve seeds
// there the standard deviation is 0.4 % of the last time with a window, and 0.1 % of the mean and 2 % of the peak
// without. Here it is 0.2 % of the last time in twelve runs, but it has been 3 and 5 % later behind all other tests of
// one process; the cause is not known.
TEST_CASE("An incast of DCQCN as ConnectX has it takes as long as in the simulator of HPCC", "[long]") {
    std::vector<std::pair<const char*, const char*>> attributes{{"Law", "dcqcn-connectx"}, {"PacketSize", "993"},
                                                                {"MaxBytes", "1986000"},   {"AlphaTimer", "1us"},
                                                                {"RateTimer", "900us"},    {"Window", "54652"}};
    const Seen bounded = RunIncast(16, attributes);  // by 52 packets
    CHECK(bounded.last == Approx(2'702'861).epsilon(0.012));
    CHECK(bounded.peak == Approx(822'933).epsilon(0.002));
    attributes.back() = {"ClampTarget", "true"};
    const Seen clamped = RunIncast(16, attributes);
    CHECK(clamped.mean == Approx(18'189'039).epsilon(0.004));
    CHECK(clamped.peak == Approx(3'644'868).epsilon(0.06));
}

}  // namespace watershed
