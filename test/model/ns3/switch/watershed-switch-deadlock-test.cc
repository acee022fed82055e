// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/boolean.h>
#include <ns3/channel.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <array>
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
    using Attributes = std::vector<std::pair<const char*, const char*>>;

    /// @param others  attributes of the switches, in place of those here
    explicit ThreeSwitches(std::uint32_t cables, const char* scheduler = "drr", const Attributes& others = {},
                           const char* delay = "0ns") {
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : {std::pair{"EnableLearning", "false"},
                                          {"FlowControl", "pfc"},
                                          {"Scheduler", scheduler},
                                          {"MaxSize", "1000p"},
                                          {"Xoff", "20p"},
                                          {"Xon", "10p"},
                                          {"Headroom", "40p"}})
            helper.Set(name, ns3::StringValue(value));
        for (const auto& [name, value] : others) helper.Set(name, ns3::StringValue(value));
        helper.SetDeviceAttribute("FifoLimit", ns3::StringValue("100000"));
        helper.SetChannelAttribute("Delay", ns3::StringValue(delay));
        for (std::uint32_t i = 0; i < 3; ++i) m_hosts.Add(helper.Install(m_nodes.Get(i), m_switches.Get(i)));
        m_hosts.Add(helper.Install(m_nodes.Get(3), m_switches.Get(0)));
        for (std::uint32_t i = 0; i < cables; ++i)
            onward.push_back(helper.Join(m_switches.Get(i), m_switches.Get((i + 1) % 3)).Get(0));
        // Hosts 4 to 6, who are hardly told to pause, and 7 to 9, who are slow.
        helper.SetDeviceAttribute("PauseAlpha", ns3::StringValue("8"));
        for (std::uint32_t i = 0; i < 3; ++i) m_hosts.Add(helper.Install(m_beside.Get(i), m_switches.Get(i)));
        helper.SetDeviceAttribute("DataRate", ns3::StringValue("50Mbps"));
        for (std::uint32_t i = 0; i < 3; ++i) m_hosts.Add(helper.Install(m_beside.Get(3 + i), m_switches.Get(i)));
        WatershedSwitchHelper::PopulateTables();
        for (std::uint32_t i = 0; i < 3; ++i) {
            const auto here = At(i);
            here->TraceConnectWithoutContext("Deadlock", ns3::MakeCallback(&ThreeSwitches::Lock, this));
            here->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&ThreeSwitches::Drop, this));
            here->TraceConnectWithoutContext("Enqueue", ns3::MakeCallback(&ThreeSwitches::Enter, this));
        }
        for (std::uint32_t i = 0; i < m_hosts.GetN(); ++i)
            m_hosts.Get(i)->TraceConnectWithoutContext("MacRx", ns3::MakeCallback(&ThreeSwitches::Receive, this));
        for (const auto& port : onward)
            port->TraceConnectWithoutContext("PhyTxEnd", ns3::MakeBoundCallback(&Leave, &left[ns3::PeekPointer(port)]));
    }
    ns3::Ptr<WatershedSwitch> At(std::uint32_t number) const { return WatershedSwitch::Of(m_switches.Get(number)); }
    /// In a ring every host sends to the last but one by two cables, not back by one.
    void GoTwoHops() const {
        for (std::uint32_t i = 0; i < 3; ++i)
            for (const std::uint32_t at : {i, (i + 1) % 3})
                At(at)->LearnAddress(ns3::Mac48Address::ConvertFrom(m_hosts.Get((i + 2) % 3)->GetAddress()),
                                     onward[at]);
    }
    static void Fail(const ns3::Ptr<ns3::NetDevice>& port, int microseconds) {
        ns3::Simulator::Schedule(ns3::MicroSeconds(microseconds),
                                 [port] { port->GetChannel()->SetAttribute("Up", ns3::BooleanValue(false)); });
    }
    /// @param nanoseconds  between frames; on a link one lasts 8000
    void Send(std::uint32_t from, std::uint32_t to, int frames, int nanoseconds) {
        for (int i = 0; i < frames; ++i)
            ns3::Simulator::Schedule(ns3::MicroSeconds(1) + ns3::NanoSeconds(std::int64_t{nanoseconds} * i),
                                     [this, from, to] {
                                         std::vector<std::uint8_t> payload(962);
                                         payload[0] = 3 << 5;
                                         sent += m_hosts.Get(from)->Send(ns3::Create<ns3::Packet>(payload.data(), 962),
                                                                         m_hosts.Get(to)->GetAddress(), 0x8100);
                                     });
    }
    /// @param gaps    nanoseconds between the frames of each host
    /// @param beside  frames for each slow host
    void SendTwoHops(int frames, const std::array<int, 3>& gaps, int beside) {
        GoTwoHops();
        for (std::uint32_t i = 0; i < 3; ++i) {
            Send(4 + i, 7 + i, beside, 8000);
            Send(i, (i + 2) % 3, frames, gaps[i]);
        }
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
    int sent = 0, received = 0, entered = 0;
    std::map<std::string, int> drops;
    std::map<const ns3::NetDevice*, int> left, leftWhenTold;  ///< frames of hosts that left by these ports

    ns3::Ptr<ns3::NetDevice> Host(std::uint32_t number) const { return m_hosts.Get(number); }

  private:
    void Lock(const std::vector<ns3::Ptr<ns3::NetDevice>>& ports, std::uint32_t traffic_class) {
        loops.emplace_back(ports, traffic_class);
        for (const auto& port : ports) leftWhenTold[ns3::PeekPointer(port)] = left[ns3::PeekPointer(port)];
    }
    static void Leave(int* frames, ns3::Ptr<const ns3::Packet> frame) { *frames += frame->GetSize() > 900; }
    void Enter(ns3::Ptr<const ns3::Packet>, std::uint32_t) { ++entered; }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) {
        ++drops[std::string(cause.reason)];
    }
    void Receive(ns3::Ptr<const ns3::Packet> frame) { received += frame->GetSize() > 900; }

    Simulation m_simulation;
    ns3::NodeContainer m_nodes{4}, m_switches{3}, m_beside{6};
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
    ring.Send(0, 2, 1, 8000);
    ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&] { CHECK(std::exchange(ring.entered, 0) == 3); });
    ns3::Simulator::Schedule(ns3::MilliSeconds(2), [&] { ring.SendToAll(0); });
    ring.Run();
    CHECK(ring.entered == 3);  // for the other hosts at that switch
    CHECK(ring.received == 1);
}

// Frames for slow hosts take the memory, and so the moving threshold of the ring's cables; when they have gone it rises
// again, whatever waits in the ring.
TEST_CASE("A pause that ends when other frames leave the memory is no deadlock, and all frames arrive") {
    ThreeSwitches ring(3, "drr", {{"PauseAlpha", "0.125"}, {"MaxSize", "200p"}});
    ring.SendTwoHops(200, {20'000, 11'000, 13'000}, 150);
    ring.Run();
    CHECK(ring.At(0)->GetPauses() > 0);
    CHECK(ring.drops.empty());
    CHECK(ring.received == 3 * (200 + 150));
    CHECK(ring.loops.empty());
}

TEST_CASE("Ports that are said to be locked send no frame from then on, and wherever frames stay some are said to be") {
    int told = 0, not_told = 0;
    for (const ThreeSwitches::Attributes& attributes : {ThreeSwitches::Attributes{},
                                                        {{"Xoff", "3p"}, {"Xon", "2p"}},
                                                        {{"PauseAlpha", "0.0625"}, {"MaxSize", "100p"}},
                                                        {{"PauseAlpha", "0.25"}, {"MaxSize", "200p"}}})
        for (const char* delay : {"0ns", "3us", "20us"})
            for (const auto& gaps : {std::array{8000, 8000, 8000},
                                     {17'000, 17'000, 17'000},
                                     {20'000, 11'000, 13'000},
                                     {25'000, 30'000, 40'000}}) {
                CAPTURE(attributes.size(), delay, gaps[0]);
                ThreeSwitches ring(3, "drr", attributes, delay);
                ring.SendTwoHops(400, gaps, 100);
                ring.Run();
                for (const auto& [port, frames] : ring.leftWhenTold) CHECK(ring.left[port] == frames);
                CHECK(ring.drops.empty());
                CHECK((ring.received == ring.sent) == ring.loops.empty());
                ++(ring.loops.empty() ? not_told : told);
            }
    CHECK(told > 5);
    CHECK(not_told > 5);
}

TEST_CASE("Ways in a circle, which users have stated, are no way when a cable fails, and no other frame is lost") {
    // A frame takes 8 us from switch to switch, for ever: from 9 us on, in 200 ms.
    for (const bool fails : {false, true}) {
        ThreeSwitches ring(3);
        for (const std::uint32_t i : {0, 1, 2})
            ring.At(i)->LearnAddress(ns3::Mac48Address::ConvertFrom(ring.Host(3)->GetAddress()), ring.onward[i]);
        if (fails) ThreeSwitches::Fail(ring.Host(1), 100);
        ring.Send(0, 3, 1, 8000);
        ring.Run();
        CHECK(ring.entered == (200'000 - 9) / 8 + 1);
        CHECK(ring.drops.empty());
    }
}

TEST_CASE("The hosts where a stated way ends get its frame, though a cable has failed") {
    ThreeSwitches ring(3);
    const ns3::Mac48Address nobody("02:00:00:00:ff:ff");
    ring.At(0)->LearnAddress(nobody, ring.onward[0]);
    ThreeSwitches::Fail(ring.Host(2), 100);
    ns3::Simulator::Schedule(ns3::MicroSeconds(200),
                             [&] { ring.Host(0)->Send(ns3::Create<ns3::Packet>(100), nobody, 0x88b5); });
    ring.Run();
    CHECK(ring.entered == 1 + 3);
    CHECK(ring.drops.empty());
}

}  // namespace watershed
