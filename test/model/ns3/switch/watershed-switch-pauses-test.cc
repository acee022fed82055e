// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/helper/four-hosts.h"
#include "test/model/ns3/helper/tcp-incast.h"
#include "test/model/ns3/helper/udp-burst.h"

namespace watershed {

TEST_CASE(
    "Priority flow control holds hosts back without loss, and with too little headroom frames are lost in spite of "
    "it") {
    const auto lost = [](const char* headroom, const char* kind) {
        WatershedSwitchHelper helper = Thresholds(85'000);
        helper.Set("Sharing", ns3::StringValue("shared"));
        helper.Set("ArrivalOrder", ns3::StringValue("module"));
        helper.Set("FlowControl", ns3::StringValue(kind));
        helper.Set("Xoff", ns3::StringValue("20000B"));
        helper.Set("Xon", ns3::StringValue("15000B"));
        helper.Set("Headroom", ns3::StringValue(headroom));
        TcpIncast star(4, helper);
        std::vector<std::unique_ptr<UdpBurst>> bursts;
        for (std::uint32_t host = 0; host < 4; ++host) {
            bursts.push_back(
                std::make_unique<UdpBurst>(star.hosts.Get(host), star.hosts.Get(4), star.interfaces.GetAddress(4)));
            bursts.back()->At(ns3::Seconds(1) + ns3::MilliSeconds(host), 1);
            bursts.back()->At(ns3::Seconds(2), 100, 1400);
        }
        ns3::Simulator::Run();
        CHECK((star.pauses > 0) == (kind != std::string("none")));
        CHECK(bursts.front()->received + star.drops["headroom-full"] + star.drops["buffer-full"] ==
              404);  // the last socket is theirs all
        return star.drops["headroom-full"] + star.drops["buffer-full"];
    };
    // After a pause is told come at most: a frame on the switch's way out and the PAUSE frame, 20 us of cable, and a
    // host's frame: 7 kB.
    CHECK(lost("8000B", "pfc") == 0);
    CHECK(lost("8000B", "pause") == 0);
    CHECK(lost("0B", "pfc") > 0);
    CHECK(lost("0B", "none") > 0);
}

TEST_CASE(
    "A switch that is told to pause holds its frames back, and tells its own senders: two switches lose nothing") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(3), switches(2);
    WatershedSwitchHelper helper = Thresholds(100'000);
    helper.Set("Sharing", ns3::StringValue("shared"));
    helper.Set("FlowControl", ns3::StringValue("pfc"));
    helper.Set("Xoff", ns3::StringValue("20000B"));
    helper.Set("Xon", ns3::StringValue("10000B"));
    helper.Set("Headroom", ns3::StringValue("60000B"));
    ns3::NetDeviceContainer devices = helper.Install(ns3::NodeContainer(hosts.Get(0), hosts.Get(1)), switches.Get(0));
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("10Gbps"));
    helper.Join(switches.Get(0), switches.Get(1));
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("100Mbps"));
    devices.Add(helper.Install(hosts.Get(2), switches.Get(1)));
    ns3::InternetStackHelper().Install(hosts);
    ns3::Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0");
    const auto interfaces = addresses.Assign(devices);
    std::vector<std::unique_ptr<UdpBurst>> bursts;
    for (std::uint32_t host = 0; host < 2; ++host) {
        bursts.push_back(std::make_unique<UdpBurst>(hosts.Get(host), hosts.Get(2), interfaces.GetAddress(2)));
        bursts.back()->At(ns3::Seconds(1) + ns3::MilliSeconds(host), 1);
        bursts.back()->At(ns3::Seconds(2), 400, 1400);
    }
    ns3::Simulator::Run();
    CHECK(bursts.front()->received == 802);
    CHECK(WatershedSwitchImpl::Of(switches.Get(0))->GetPauses() > 0);
    CHECK(WatershedSwitchImpl::Of(switches.Get(1))->GetPauses() > 0);
}

namespace {

using PauseOrders = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // quanta, class
void note_order(PauseOrders* orders, std::uint32_t quanta, std::uint32_t traffic_class) {
    orders->push_back({quanta, traffic_class});
}
void note_order_told(PauseOrders* orders, std::uint32_t, std::uint32_t quanta, std::uint32_t traffic_class) {
    orders->push_back({quanta, traffic_class});
}

}  // namespace

TEST_CASE("What a switch tells a sender while a frame is on the way to it comes in the order in which it was told") {
    // Host 1's long frame leaves by the port of host 0 from 12 to 24 us. The short frame of host 0 is in memory from 14
    // to 15 us.
    FourHosts hosts(FourHosts::Values{{"MaxSize", "1MB"}, {"FlowControl", "pause"}, {"Xoff", "10B"}, {"Xon", "0B"}});
    PauseOrders told;
    hosts.Device(0)->TraceConnectWithoutContext("Pause", ns3::MakeBoundCallback(&note_order, &told));
    hosts.Send(1, 0, 0, 0, 1476);
    hosts.Send(0, 2, 13, 0, 60);
    hosts.Send(0, 2, 40, 0, 60);  // on its way at once
    CHECK(hosts.Run(2) == std::vector<std::int64_t>{14'344, 41'344});
    told.erase(told.begin(), std::find(told.begin(), told.end(), std::pair{65535u, 8u}));
    REQUIRE(told.size() >= 4);
    for (std::size_t i = 0; i < told.size(); ++i) CHECK(told[i] == std::pair{i % 2 == 0 ? 65535u : 0u, 8u});
}

namespace {

/// When host 0 may go on, in nanoseconds after frames are sent.
void note_end_of_pause(std::vector<std::int64_t>* times, std::uint32_t port, std::uint32_t quanta, std::uint32_t) {
    const std::int64_t time = (ns3::Simulator::Now() - ns3::Seconds(1)).GetNanoSeconds();
    if (port == 0 && quanta == 0 && time > 0) times->push_back(time);
}

}  // namespace

TEST_CASE("By HPCC's rule an input goes on when it gives memory back itself, else as soon as the memory stands so") {
    // Frames of hosts 0, 1 and 3 leave for host 2 one by one, and as those of the others do the threshold of host 0
    // rises, too.
    const auto goes_on_by_its_own = [](const char* rule) {
        FourHosts hosts(FourHosts::Values{{"Sharing", "shared"},
                                          {"Accounting", "ingress"},
                                          {"MaxSize", "30000B"},
                                          {"Headroom", "30000B"},
                                          {"FlowControl", "pfc"},
                                          {"PauseAlpha", "0.25"},
                                          {"PauseRule", rule}});
        std::vector<std::int64_t> times;
        hosts.Switch()->TraceConnectWithoutContext("Pause", ns3::MakeBoundCallback(&note_end_of_pause, &times));
        for (int i = 0; i < 40; ++i)
            for (const std::uint32_t host : {0, 1, 3}) hosts.Send(host, 2);
        const std::vector<std::int64_t> at = hosts.Run(2);
        CHECK(hosts.drops.empty());
        CHECK(at.size() == 120);
        std::set<std::int64_t> own;
        for (std::size_t i = 0; i < at.size(); ++i)
            if (hosts.senders[i] == 0) own.insert(at[i]);
        CHECK(times.size() > 5);
        return std::all_of(times.begin(), times.end(), [&](std::int64_t time) { return own.count(time) == 1; });
    };
    CHECK(goes_on_by_its_own("hpcc"));
    CHECK_FALSE(goes_on_by_its_own("memory"));
}

TEST_CASE("Priority flow control stops the class that is too much, and a frame of another class passes it by") {
    // Hosts 0 and 1 send 20 frames of class 3 each to host 2, and host 0 then one of class 5 to host 3. Of the frames
    // that come at 8, 16, … us one leaves each time, so input 1 holds three at 32 us and input 0 at 40. By then host 0
    // sends its sixth frame; the next to leave, at 48 us, is that of class 5.
    const auto arrival = [](const char* kind, std::uint32_t stopped) {
        FourHosts hosts(FourHosts::Values{{"Scheduler", "strict-priority"},
                                          {"ArrivalOrder", "module"},
                                          {"FlowControl", kind},
                                          {"Xoff", "2p"},
                                          {"Xon", "1p"}});
        PauseOrders told, obeyed;
        hosts.Switch()->TraceConnectWithoutContext("Pause", ns3::MakeBoundCallback(&note_order_told, &told));
        hosts.Device(0)->TraceConnectWithoutContext("Pause", ns3::MakeBoundCallback(&note_order, &obeyed));
        for (int i = 0; i < 20; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2, 0, 3);
        hosts.Send(0, 3, 1, 5);
        const auto at = hosts.Run(3);
        CHECK(hosts.senders.size() == 40);
        CHECK(hosts.drops.empty());
        REQUIRE_FALSE(obeyed.empty());
        for (const auto& orders : {told, obeyed})
            CHECK(
                std::all_of(orders.begin(), orders.end(), [&](const auto& order) { return order.second == stopped; }));
        return at.back();
    };
    CHECK(arrival("pfc", 3) == 64'000);
    CHECK(arrival("pause", 8) > 300'000);
}

TEST_CASE("Where no Scheduler tells classes apart, priority flow control stops all of them, and none is lost") {
    FourHosts hosts({{"FlowControl", "pfc"}, {"MaxSize", "40p"}, {"Xoff", "10p"}, {"Xon", "5p"}, {"Headroom", "8p"}});
    for (int i = 0; i < 100; ++i)
        for (const std::uint32_t from : {0, 1}) hosts.Send(from, 2, 0, 3);
    CHECK(hosts.Run(2).size() == 200);
    CHECK(hosts.drops.empty());
}

TEST_CASE("A class that is paused fills no other's queue at the host, from its sockets to its link") {
    // Host 0 sends 500 Mb/s of class 3 to a host at 10 Mb/s, and beside it 300 Mb/s of class 1 to another one.
    WatershedSwitchHelper helper;
    for (const auto& [name, value] : FourHosts::Values{
             {"Scheduler", "drr"}, {"FlowControl", "pfc"}, {"Xoff", "20p"}, {"Xon", "10p"}, {"Headroom", "20p"}})
        helper.Set(name, ns3::StringValue(value));
    TcpIncast star(2, helper);
    WatershedSwitchImpl::Of(star.node)->GetBridgePort(2)->SetAttribute("DataRate", ns3::StringValue("10Mbps"));
    std::vector<int> came(3);
    for (const std::uint32_t host : {1, 2})
        star.hosts.Get(host)->GetDevice(0)->TraceConnectWithoutContext(
            "MacRx", ns3::MakeBoundCallback(
                         +[](int* frames, ns3::Ptr<const ns3::Packet>) { ++*frames; }, &came[host]));
    std::vector<ns3::Ptr<ns3::Socket>> sockets;
    for (const std::uint32_t host : {1, 2}) {
        sockets.push_back(star.Open(0, "ns3::UdpSocketFactory"));
        sockets.back()->Connect(ns3::InetSocketAddress(star.interfaces.GetAddress(host), 9));
        sockets.back()->SetIpTos(host == 1 ? 0x20 : 0x60);
        ns3::Simulator::Schedule(ns3::MilliSeconds(host), [&sockets, host] {
            sockets[host - 1]->Send(ns3::Create<ns3::Packet>(100));  // asks for the address
        });
        const int spacing = host == 1 ? 40 : 24;
        for (int i = 0; i < 100'000 / spacing; ++i)
            ns3::Simulator::Schedule(ns3::Seconds(1) + ns3::MicroSeconds(spacing * i),
                                     [&sockets, host] { sockets[host - 1]->Send(ns3::Create<ns3::Packet>(1458)); });
    }
    ns3::Simulator::Stop(ns3::Seconds(1) + ns3::MilliSeconds(101));
    ns3::Simulator::Run();
    CHECK(star.pauses > 0);
    CHECK(star.drops.empty());
    CHECK(came[1] >= 2500);
    CHECK(came[2] < 100);
}

TEST_CASE("A switch that is told to pause a class sends the others on to the switch that told it") {
    const auto victim_us = [](const char* kind) {
        const Simulation simulation;
        const ns3::NodeContainer hosts(2), receivers(2), switches(2);
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : FourHosts::Values{
                 {"Scheduler", "drr"}, {"FlowControl", kind}, {"Xoff", "20p"}, {"Xon", "10p"}, {"Headroom", "20p"}})
            helper.Set(name, ns3::StringValue(value));
        helper.SetDeviceAttribute("FifoLimit", ns3::StringValue("1000"));
        const auto from = helper.Install(hosts, switches.Get(0));
        helper.Join(switches.Get(0), switches.Get(1));
        const auto idle = helper.Install(receivers.Get(0), switches.Get(1)).Get(0);
        helper.SetDeviceAttribute("DataRate", ns3::StringValue("100Mbps"));
        const auto slow = helper.Install(receivers.Get(1), switches.Get(1)).Get(0);
        const auto send = [](ns3::Ptr<ns3::NetDevice> device, ns3::Address to, int priority) {
            std::vector<std::uint8_t> payload(1000);
            payload[0] = static_cast<std::uint8_t>(priority << 5);
            device->Send(ns3::Create<ns3::Packet>(payload.data(), 1000), to, 0x8100);
        };
        for (const auto& receiver : {idle, slow})
            ns3::Simulator::Schedule(ns3::MilliSeconds(1),
                                     [=] { send(receiver, ns3::Mac48Address::GetBroadcast(), 0); });
        for (int i = 0; i < 400; ++i)
            ns3::Simulator::Schedule(ns3::MilliSeconds(2), [=] { send(from.Get(0), slow->GetAddress(), 3); });
        ns3::Simulator::Schedule(ns3::MilliSeconds(6), [=] { send(from.Get(1), idle->GetAddress(), 5); });
        std::vector<double> came;
        idle->TraceConnectWithoutContext("MacRx", ns3::MakeBoundCallback(
                                                      +[](std::vector<double>* at, ns3::Ptr<const ns3::Packet>) {
                                                          at->push_back(ns3::Simulator::Now().GetSeconds() * 1e6);
                                                      },
                                                      &came));
        ns3::Simulator::Run();
        CHECK(WatershedSwitchImpl::Of(switches.Get(0))->GetPauses() > 0);
        return came.back() - 6000;
    };
    CHECK(victim_us("pfc") < 40);     // three links of 8.3 us, and a frame of class 3 that is on its way
    CHECK(victim_us("pause") > 400);  // until the slow receiver's link has taken enough frames
}

TEST_CASE("Classes that are not to pause are lost where memory ends, and those that are pause alone") {
    const auto run = [](const char* classes, int priority) {
        FourHosts hosts(FourHosts::Values{{"Scheduler", "strict-priority"},
                                          {"MaxSize", "6p"},
                                          {"FlowControl", "pfc"},
                                          {"PauseClasses", classes},
                                          {"Xoff", "1p"},
                                          {"Xon", "0p"},
                                          {"Headroom", "4p"}});
        for (int i = 0; i < 20; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2, 0, priority);
        hosts.Run(2);
        CHECK(static_cast<int>(hosts.senders.size()) + hosts.drops["buffer-full"] == 40);
        CHECK((hosts.Switch()->GetPauses() > 0) == (hosts.drops["buffer-full"] == 0));
        return hosts.drops["buffer-full"];
    };
    CHECK(run("8", 3) == 0);  // class 3
    CHECK(run("8", 4) > 10);
    CHECK(run("16", 4) == 0);
}

namespace {

void note_input(std::set<std::uint32_t>* paused, std::uint32_t input, std::uint32_t quanta, std::uint32_t) {
    if (quanta > 0) paused->insert(input);
}

void note_loser(std::set<std::uint32_t>* losers, ns3::Ptr<const ns3::Packet>, std::uint32_t input, std::uint32_t,
                const LossCause&) {
    losers->insert(input);
}

/// Whom a switch tells to pause, and whose frames it loses, where hosts 0 and 1 send 20 frames each to host 2. @param
/// ports  values of an attribute of their ports
std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>> PausedAndLosers(FourHosts::Values values, const char* name,
                                                                            const std::vector<const char*>& ports) {
    values.emplace_back("FlowControl", "pfc");
    FourHosts hosts(values);
    std::set<std::uint32_t> paused, losers;
    hosts.Switch()->TraceConnectWithoutContext("Pause", ns3::MakeBoundCallback(&note_input, &paused));
    hosts.Switch()->TraceConnectWithoutContext("Drop", ns3::MakeBoundCallback(&note_loser, &losers));
    for (std::uint32_t port = 0; port < ports.size(); ++port)
        hosts.Switch()->GetBridgePort(port)->SetAttribute(name, ns3::StringValue(ports[port]));
    for (int i = 0; i < 20; ++i)
        for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2);
    hosts.Run(2);
    return {paused, losers};
}

}  // namespace

TEST_CASE("A port may have a threshold of its pauses and a headroom of its own") {
    using Inputs = std::set<std::uint32_t>;
    // No more than 40 of 100 frames are held: eight times what is free is out of reach, a twentieth is reached with 5.
    const FourHosts::Values high{{"MaxSize", "100p"}, {"PauseAlpha", "8"}};
    CHECK(PausedAndLosers(high, "PauseAlpha", {}).first.empty());
    CHECK(PausedAndLosers(high, "PauseAlpha", {"0.05"}).first == Inputs{0});
    CHECK(PausedAndLosers(high, "PauseAlpha", {"0", "0.05"}).first == Inputs{1});
    // A pause takes 672 ns to the host and a frame 8 us: one is under way when it comes, for which the memory, which
    // two frames fill, may have no room; of frames of host 0 it has none.
    const FourHosts::Values full{{"MaxSize", "2p"}, {"PauseAlpha", "1"}};
    CHECK(PausedAndLosers(full, "Headroom", {}).second == Inputs{0});
    CHECK(PausedAndLosers(full, "Headroom", {"1p", "1p"}).second.empty());
    CHECK(PausedAndLosers(full, "Headroom", {"1p"}).second.empty());
    CHECK(PausedAndLosers(full, "Headroom", {"0p", "1p"}).second == Inputs{0});
}

TEST_CASE("A class of a port may have a threshold of its pauses and a headroom of its own") {
    using Inputs = std::set<std::uint32_t>;
    // The same frames, of class 0.
    const FourHosts::Values high{{"MaxSize", "100p"}, {"PauseAlpha", "8"}, {"Scheduler", "strict-priority"}};
    CHECK(PausedAndLosers(high, "PauseClassAlphas", {"0.05"}).first == Inputs{0});
    CHECK(PausedAndLosers(high, "PauseClassAlphas", {"8,0.05", "0.05"}).first == Inputs{1});
    FourHosts::Values of_switch = high;
    of_switch.emplace_back("PauseClassAlphas", "0.05");
    CHECK(PausedAndLosers(of_switch, "PauseAlpha", {"8"}).first == Inputs{1});
    const FourHosts::Values full{{"MaxSize", "2p"}, {"PauseAlpha", "1"}, {"Scheduler", "strict-priority"}};
    CHECK(PausedAndLosers(full, "ClassHeadrooms", {"1p"}).second.empty());
    CHECK(PausedAndLosers(full, "ClassHeadrooms", {"0p,1p"}).second == Inputs{0});
    CHECK(PausedAndLosers(full, "Headroom", {"1p"}).second.empty());
    of_switch = full;
    of_switch.emplace_back("ClassHeadrooms", "1p");
    CHECK(PausedAndLosers(of_switch, "ClassHeadrooms", {}).second.empty());
    CHECK(PausedAndLosers(of_switch, "ClassHeadrooms", {"0p"}).second == Inputs{0});
}

TEST_CASE("A port that is told to pause begins no frame from then, or PauseReaction later, until the pause is over") {
    // Host 2 tells the switch to pause for 100 quanta, 51.2 us, by a frame of 84 B that arrives at 672 ns. Frames of
    // hosts 0 and 1 have arrived at 8 us; alone they come to host 2 at 16 and 24 us.
    using Arrivals = std::vector<std::int64_t>;
    const auto arrivals = [](FourHosts::Values values, FlowControl::Kind kind, int traffic_class, bool event_driven) {
        if (event_driven) values.emplace_back("Queueing", "virtual-output");
        FourHosts hosts(values);
        ns3::Simulator::Schedule(ns3::Seconds(1), [&] {
            ns3::DynamicCast<WatershedNetDeviceImpl>(hosts.Device(2))
                ->SendFrame(MakePauseFrame(kind, ns3::Mac48Address("02:00:00:00:00:77"), 100, traffic_class), Now());
        });
        for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2);
        const Arrivals at = hosts.Run(2);
        CHECK(hosts.Switch()->GetPausesObeyed() == (values.empty() || values.front().first != "ObeysPause" ? 1 : 0));
        return at;
    };
    for (const bool event_driven : {false, true})
        for (const auto kind : {FlowControl::Kind::Pause, FlowControl::Kind::Pfc}) {
            CAPTURE(event_driven, kind);
            CHECK(arrivals({}, kind, kCameraClass, event_driven) == Arrivals{59'872, 67'872});
            CHECK(arrivals({{"PauseReaction", "3us"}}, kind, kCameraClass, event_driven) == Arrivals{62'872, 70'872});
            // The first frame is on its way by then.
            CHECK(arrivals({{"PauseReaction", "10us"}}, kind, kCameraClass, event_driven) == Arrivals{16'000, 69'872});
            CHECK(arrivals({{"ObeysPause", "false"}}, kind, kCameraClass, event_driven) == Arrivals{16'000, 24'000});
        }
    // A class of which there is no frame.
    CHECK(arrivals({}, FlowControl::Kind::Pfc, 5, false) == Arrivals{16'000, 24'000});
}

TEST_CASE("A switch that does not obey overruns the headroom of the one that tells it to pause") {
    const auto lost = [](const char* obeys) {
        const Simulation simulation;
        const ns3::NodeContainer hosts(3), switches(2);
        WatershedSwitchHelper helper = Thresholds(100'000);
        helper.Set("Sharing", ns3::StringValue("shared"));
        helper.Set("FlowControl", ns3::StringValue("pfc"));
        helper.Set("Xoff", ns3::StringValue("20000B"));
        helper.Set("Headroom", ns3::StringValue("60000B"));
        helper.Set("ObeysPause", ns3::StringValue(obeys));
        const auto from = helper.Install(ns3::NodeContainer(hosts.Get(0), hosts.Get(1)), switches.Get(0));
        helper.Join(switches.Get(0), switches.Get(1));
        helper.SetDeviceAttribute("DataRate", ns3::StringValue("100Mbps"));
        const auto to = helper.Install(hosts.Get(2), switches.Get(1)).Get(0);
        int frames = 0;
        WatershedSwitchImpl::Of(switches.Get(1))
            ->TraceConnectWithoutContext("Drop", ns3::MakeBoundCallback(
                                                     +[](int* count, ns3::Ptr<const ns3::Packet>, std::uint32_t,
                                                         std::uint32_t, const LossCause&) { ++*count; },
                                                     &frames));
        ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&] {
            to->Send(ns3::Create<ns3::Packet>(100), ns3::Mac48Address::GetBroadcast(), 0x88b5);
        });
        for (int i = 0; i < 100; ++i)
            for (const std::uint32_t host : {0, 1})
                ns3::Simulator::Schedule(ns3::MilliSeconds(2), [&from, &to, host] {
                    from.Get(host)->Send(ns3::Create<ns3::Packet>(1400), to->GetAddress(), 0x88b5);
                });
        ns3::Simulator::Run();
        CHECK((WatershedSwitchImpl::Of(switches.Get(0))->GetPausesObeyed() > 0) == (obeys == std::string("true")));
        return frames;
    };
    CHECK(lost("true") == 0);
    CHECK(lost("false") > 0);
}

TEST_CASE("No bridge forwards a frame about pauses, whatever class it is about") {
    for (const char* kind : {"none", "pause", "pfc"}) {
        FourHosts hosts(FourHosts::Values{{"FlowControl", kind}, {"Xoff", "100p"}});
        for (const int traffic_class : {0, 5})
            ns3::Simulator::Schedule(ns3::Seconds(1), [&hosts, traffic_class] {
                const auto device = ns3::DynamicCast<WatershedNetDeviceImpl>(hosts.Device(0));
                device->SendFrame(
                    MakePauseFrame(FlowControl::Kind::Pfc, ns3::Mac48Address("02:00:00:00:00:77"), 100, traffic_class),
                    Now());
            });
        int begun = 0;
        hosts.Device(1)->TraceConnectWithoutContext(
            "PhyRxEnd",
            ns3::MakeBoundCallback(
                +[](int* count, ns3::Ptr<const ns3::Packet> frame) { *count += frame->GetSize() == 60; }, &begun));
        CHECK(hosts.Run(1).empty());
        CHECK(begun == 0);
    }
}

}  // namespace watershed
