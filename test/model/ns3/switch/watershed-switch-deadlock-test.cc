// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

/// Three switches with a host each, and cables from each to the next; frames of class 3 and 1000 B of a link, and
/// priority flow control that loses none.
class ThreeSwitches {
  public:
    explicit ThreeSwitches(std::uint32_t cables, const char* scheduler = "drr") {
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : {std::pair{"EnableLearning", "false"},
                                          {"FlowControl", "pfc"},
                                          {"Scheduler", scheduler},
                                          {"MaxSize", "1000p"},
                                          {"Xoff", "20p"},
                                          {"Xon", "10p"},
                                          {"Headroom", "40p"}})
            helper.Set(name, ns3::StringValue(value));
        helper.SetDeviceAttribute("FifoLimit", ns3::StringValue("100000"));
        for (std::uint32_t i = 0; i < 3; ++i) m_hosts.Add(helper.Install(m_nodes.Get(i), m_switches.Get(i)));
        m_hosts.Add(helper.Install(m_nodes.Get(3), m_switches.Get(0)));
        for (std::uint32_t i = 0; i < cables; ++i)
            onward.push_back(helper.Join(m_switches.Get(i), m_switches.Get((i + 1) % 3)).Get(0));
        WatershedSwitchHelper::PopulateTables();
        for (std::uint32_t i = 0; i < 3; ++i) {
            const auto here = At(i);
            here->TraceConnectWithoutContext("Deadlock", ns3::MakeCallback(&ThreeSwitches::Lock, this));
            here->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&ThreeSwitches::Drop, this));
            m_hosts.Get(i)->TraceConnectWithoutContext("MacRx", ns3::MakeCallback(&ThreeSwitches::Receive, this));
        }
    }
    ns3::Ptr<WatershedSwitch> At(std::uint32_t number) const { return WatershedSwitch::Of(m_switches.Get(number)); }
    /// In a ring every host sends to the last but one by two cables, not back by one.
    void GoTwoHops() const {
        for (std::uint32_t i = 0; i < 3; ++i)
            for (const std::uint32_t at : {i, (i + 1) % 3})
                At(at)->LearnAddress(ns3::Mac48Address::ConvertFrom(m_hosts.Get((i + 2) % 3)->GetAddress()),
                                     onward[at]);
    }
    /// @param nanoseconds  between frames; on a link one lasts 8000
    void Send(std::uint32_t from, std::uint32_t to, int frames, int nanoseconds) {
        for (int i = 0; i < frames; ++i)
            ns3::Simulator::Schedule(ns3::MicroSeconds(1) + ns3::NanoSeconds(std::int64_t{nanoseconds} * i), [=] {
                std::vector<std::uint8_t> payload(962);
                payload[0] = 3 << 5;
                sent += m_hosts.Get(from)->Send(ns3::Create<ns3::Packet>(payload.data(), 962),
                                                m_hosts.Get(to)->GetAddress(), 0x8100);
            });
    }
    void SendToAll(std::uint32_t from) const {
        m_hosts.Get(from)->Send(ns3::Create<ns3::Packet>(100), ns3::Mac48Address::GetBroadcast(), 0x88b5);
    }
    void Run() {
        ns3::Simulator::Stop(ns3::MilliSeconds(200));
        ns3::Simulator::Run();
    }

    std::vector<ns3::Ptr<ns3::NetDevice>> onward;  ///< ports by which each switch leads to the next
    std::vector<std::pair<std::vector<ns3::Ptr<ns3::NetDevice>>, std::uint32_t>> loops;
    int sent = 0, received = 0;
    std::map<std::string, int> drops;

  private:
    void Lock(const std::vector<ns3::Ptr<ns3::NetDevice>>& ports, std::uint32_t traffic_class) {
        loops.emplace_back(ports, traffic_class);
    }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) {
        ++drops[std::string(cause.reason)];
    }
    void Receive(ns3::Ptr<const ns3::Packet> frame) { received += frame->GetSize() > 900; }

    Simulation m_simulation;
    ns3::NodeContainer m_nodes{4}, m_switches{3};
    ns3::NetDeviceContainer m_hosts;
};

}  // namespace

// The example of Hu et al., "Deadlocks in datacenter networks: why do they form, and how to avoid them", HotNets 2016:
// a cyclic buffer dependency, of which a deadlock comes when the flows ask for more than the links have.
TEST_CASE("In a ring of switches whose flows go two hops pauses lock each other, and the ports are named once") {
    for (const char* scheduler : {"drr", "fifo"}) {
        CAPTURE(scheduler);
        ThreeSwitches ring(3, scheduler);
        ring.GoTwoHops();
        for (const std::uint32_t i : {0, 1, 2}) ring.Send(i, (i + 2) % 3, 2000, 8000);
        ring.Run();
        REQUIRE(ring.loops.size() == 1);
        const auto& [ports, traffic_class] = ring.loops.front();
        CHECK(traffic_class == (scheduler == std::string("drr") ? 3u : 0u));
        REQUIRE(ports.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {  // each waits for the switch of the next
            const auto found = std::find(ring.onward.begin(), ring.onward.end(), ports[i]);
            REQUIRE(found != ring.onward.end());
            const auto place = static_cast<std::size_t>(found - ring.onward.begin());
            CHECK(ports[(i + 1) % 3] == ring.onward[(place + 1) % 3]);
        }
        CHECK(ring.sent == 6000);
        CHECK(ring.received < 5000);
        CHECK(ring.drops.empty());
    }
}

TEST_CASE("The same ring does not lock while its flows leave half of each link free, nor does a line that is full") {
    ThreeSwitches ring(3);
    ring.GoTwoHops();
    for (const std::uint32_t i : {0, 1, 2}) ring.Send(i, (i + 2) % 3, 2000, 32'000);
    ring.Run();
    CHECK(ring.loops.empty());
    CHECK(ring.received == 6000);

    ThreeSwitches line(2);
    for (const auto& [from, to] : {std::pair{0, 2}, {2, 0}, {1, 0}, {1, 2}})
        line.Send(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), 2000, 8000);
    line.Run();
    CHECK(line.At(1)->GetPauses() > 10);
    CHECK(line.loops.empty());
    CHECK(line.received == 8000);
}

TEST_CASE("Switches in a loop learn nothing, and a frame to all stays with the hosts at its switch") {
    ThreeSwitches ring(3);
    ring.GoTwoHops();
    int entered = 0;
    for (std::uint32_t i = 0; i < 3; ++i)
        ring.At(i)->TraceConnectWithoutContext(
            "Enqueue", ns3::MakeBoundCallback(
                           +[](int* frames, ns3::Ptr<const ns3::Packet>, std::uint32_t) { ++*frames; }, &entered));
    ring.Send(0, 2, 1, 8000);
    ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&] { CHECK(std::exchange(entered, 0) == 3); });
    ns3::Simulator::Schedule(ns3::MilliSeconds(2), [&] { ring.SendToAll(0); });
    ring.Run();
    CHECK(entered == 1);  // for the other host at that switch
    CHECK(ring.received == 1);
}

}  // namespace watershed
