// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/double.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv6-header.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/udp-header.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/helper/four-hosts.h"
#include "test/model/ns3/helper/tcp-incast.h"
#include "test/model/ns3/helper/udp-burst.h"

namespace watershed {

TEST_CASE(
    "ns-3's own TCP passes a learning switch whole, and where memory is scarce it loses frames, sends them again and "
    "still does") {
    constexpr std::uint32_t kSenders = 8,
                            kBytes =
                                1'000'000;  // 8 ms each, against up to 10 ms of ns-3's random delay of ARP requests
    {
        TcpIncast ample(kSenders, Thresholds(10'000'000));
        CHECK(ample.SendByTcp(kBytes) == kSenders * kBytes);
        CHECK(ample.drops.empty());
        CHECK(ample.enqueued == ample.dequeued);
    }
    TcpIncast scarce(kSenders, Thresholds(30'000));
    CHECK(scarce.SendByTcp(kBytes) == kSenders * kBytes);
    CHECK(scarce.drops["threshold"] > 0);
    CHECK(scarce.enqueued == scarce.dequeued);
    // One queue under alpha = 1 comes to half of the memory, and passes it by less than one frame.
    CHECK(WatershedSwitchImpl::Of(scarce.node)->GetMemory().peak_bytes().count <= 15'000 + 2 * 1518);
}

TEST_CASE(
    "DCTCP is marked and keeps the queue near K, where TCP without marks fills the memory until it loses frames") {
    // 4 senders at 1 Gb/s into 1 Gb/s, delay 4 x 10 us: a bandwidth-delay product of 5 kB and some frames
    const auto run = [](bool dctcp) {
        const Defaults defaults({{"ns3::TcpL4Protocol::SocketType", dctcp ? "ns3::TcpDctcp" : "ns3::TcpNewReno"},
                                 {"ns3::TcpSocketBase::UseEcn", dctcp ? "On" : "Off"},
                                 {"ns3::TcpSocket::RcvBufSize", "4000000"}});
        WatershedSwitchHelper helper = Thresholds(600'000);
        helper.Set("WredFrom", ns3::StringValue(dctcp ? "60000B" : "0B"));
        helper.Set("WredTo", ns3::StringValue(dctcp ? "60000B" : "0B"));
        helper.Set("Ecn", ns3::BooleanValue(dctcp));
        auto incast = std::make_unique<TcpIncast>(4, helper);
        CHECK(incast->SendByTcp(3'000'000) == 12'000'000);
        return incast;
    };
    const auto mean = [](const TcpIncast& incast) {
        return incast.byte_seconds / (12e6 * 1538 / 1448 * 8 / 1e9);
    };  // over the time that the link is busy
    double near = 0;
    {
        const auto marked = run(true);
        near = mean(*marked);
        CHECK(marked->marked > 850);
        CHECK(marked->drops["early-drop"] == 0);  // nobody waits a second because its question for an address was lost
        CHECK(marked->drops["threshold"] == 0);
        CHECK(near > 20'000);
        CHECK(near < 70'000);
        CHECK(marked->longest[4] < 290'000);  // in slow start
    }
    const auto unmarked = run(false);
    CHECK(unmarked->marked == 0);
    CHECK(unmarked->longest[4] > 300'000);  // where alpha = 1 ends
    CHECK(mean(*unmarked) > 1.5 * near);
}

TEST_CASE("Random early detection drops what answers to no marks, though it would mark others") {
    WatershedSwitchHelper helper = Thresholds(10'000'000);
    helper.Set("WredFrom", ns3::StringValue("20000B"));
    helper.Set("WredTo", ns3::StringValue("60000B"));
    helper.Set("WredProbability", ns3::DoubleValue(0.1));
    helper.Set("Ecn", ns3::BooleanValue(true));
    TcpIncast star(4, helper);
    std::vector<std::unique_ptr<UdpBurst>> bursts;
    for (std::uint32_t host = 0; host < 4; ++host) {
        bursts.push_back(
            std::make_unique<UdpBurst>(star.hosts.Get(host), star.hosts.Get(4), star.interfaces.GetAddress(4)));
        bursts.back()->At(ns3::Seconds(1) + ns3::MilliSeconds(host), 1);
        bursts.back()->At(ns3::Seconds(2), 100);
    }
    ns3::Simulator::Run();
    CHECK(star.drops["early-drop"] > 0);
    CHECK(bursts.front()->received + star.drops["early-drop"] == 404);
    CHECK(star.marked == 0);
    CHECK(star.longest[4] > 20'000);
    CHECK(star.longest[4] <= 60'000 + 1046);
}

TEST_CASE("A drop tells the output that was full, and the occupancy of a port is its own") {
    WatershedSwitchHelper helper = Thresholds(30'000);
    TcpIncast star(3, helper);
    CHECK(star.SendByTcp(300'000) == 900'000);
    REQUIRE(star.drops["threshold"] > 0);
    CHECK(star.dropped_for == std::map<std::uint32_t, std::int64_t>{{3, star.drops["threshold"]}});
    CHECK(star.longest[3] > 10'000);
    CHECK(star.longest[0] < star.longest[3] / 2);  // acknowledgements
    for (const auto& [port, bytes] : star.waiting) CHECK(bytes == 0);
}

namespace {

void note_level(std::vector<std::uint32_t>* levels, std::uint32_t, std::uint32_t now) { levels->push_back(now); }

}  // namespace

TEST_CASE("The level of a queue of one class at one port is a traced value with a path of its own") {
    FourHosts hosts(FourHosts::Values{{"Scheduler", "strict-priority"}});
    std::map<std::string, std::vector<std::uint32_t>> levels;
    ns3::Simulator::Schedule(ns3::MilliSeconds(500), [&] {
        for (const auto& [name, path] : {std::pair{"five", "21/PacketsInQueue"},  // port 2, class 5
                                         {"bytes", "21/BytesInQueue"},
                                         {"none", "16/PacketsInQueue"},
                                         {"other port", "8/PacketsInQueue"}})
            REQUIRE(ns3::Config::ConnectWithoutContextFailSafe(
                std::string("/NodeList/*/DeviceList/*/$ns3::WatershedSwitch/QueueLevels/") + path,
                ns3::MakeBoundCallback(&note_level, &levels[name])));
    });
    hosts.Send(0, 2);
    for (const std::uint32_t host : {0, 1, 3}) hosts.Send(host, 2, 0, 5);
    hosts.Send(0, 2, 0, 5);
    CHECK(hosts.Run(2).size() == 5);
    CHECK(levels["none"] == std::vector<std::uint32_t>{1, 0});
    CHECK(levels["five"].size() == 2 * 4);
    CHECK(levels["bytes"].back() == 0);
    CHECK(*std::max_element(levels["bytes"].begin(), levels["bytes"].end()) ==
          980 * *std::max_element(levels["five"].begin(), levels["five"].end()));
    CHECK(levels["other port"].empty());
}

TEST_CASE("Classes, marks and flow control go together, among ports of different rates") {
    // Class 1 has more than K of the slow port's memory when its last frame comes, class 0 has nothing.
    WatershedSwitchHelper helper = Thresholds(600'000);
    for (const auto& [name, value] : FourHosts::Values{{"Scheduler", "wrr"},
                                                       {"WredFrom", "20000B"},
                                                       {"WredTo", "20000B"},
                                                       {"Ecn", "true"},
                                                       {"FlowControl", "pfc"},
                                                       {"Xoff", "100000B"},
                                                       {"Xon", "50000B"}})
        helper.Set(name, ns3::StringValue(value));
    const auto marks = [&](int tos) {
        TcpIncast star(3, helper);
        ns3::Ptr<WatershedSwitchImpl> network_switch = WatershedSwitchImpl::Of(star.node);
        network_switch->GetBridgePort(3)->SetAttribute("DataRate", ns3::StringValue("100Mbps"));
        const auto socket = star.Open(0, "ns3::UdpSocketFactory");
        socket->Connect(ns3::InetSocketAddress(star.interfaces.GetAddress(3), 9));
        socket->SetIpTos(static_cast<std::uint8_t>(tos));
        const auto send = [socket](int datagrams) {
            for (int i = 0; i < datagrams; ++i) socket->Send(ns3::Create<ns3::Packet>(1000));
        };
        ns3::Simulator::Schedule(ns3::Seconds(1), [&] { send(1); });
        ns3::Simulator::Schedule(ns3::Seconds(2), [&] { send(60); });
        ns3::Simulator::Run();
        return std::pair{star.marked, star.drops["early-drop"]};
    };
    const auto [marked, dropped] = marks(0x20 | 2);  // class selector 1, ECT(0)
    CHECK(marked > 20);
    CHECK(dropped == 0);
    const auto [marked_of_others, dropped_of_others] = marks(0x20);
    CHECK(marked_of_others == 0);
    CHECK(dropped_of_others > 20);
}

TEST_CASE("Frames of the control class pass by all others, outside of the memory, which is full") {
    // Three frames come at 8 us: one is on its way, one waits, and the memory has no room for the third. At 16 us the
    // first has left and the second is on its way; then come one of class 5, which fills the memory, and one of class
    // 6.
    FourHosts hosts(FourHosts::Values{{"ControlClass", "6"}, {"MaxSize", "2p"}});
    for (const std::uint32_t host : {0, 1, 3}) hosts.Send(host, 2);
    hosts.Send(0, 2, 2, 5);
    hosts.Send(3, 2, 2, 6);
    hosts.Run(2);
    CHECK(hosts.senders == std::vector<int>{0, 1, 3, 0});
    CHECK(hosts.drops == std::map<std::string, int>{{"buffer-full", 1}});
    CHECK(hosts.Switch()->GetMemory().frames() == 0);
}

TEST_CASE("Early detection looks at the queue of the output, where the memory keeps the books of inputs, too") {
    // Four frames for each of hosts 1, 2 and 3 at once from host 0: its input holds more than three, no output does.
    const auto lost = [](const char* accounting, bool one_output) {
        FourHosts hosts(FourHosts::Values{{"Accounting", accounting}, {"WredFrom", "3p"}, {"WredTo", "3p"}});
        for (int i = 0; i < 4; ++i)
            for (const std::uint32_t host : {1, 2, 3}) hosts.Send(one_output ? host : 0, one_output ? 0 : host);
        hosts.Run(0);
        return hosts.drops["early-drop"];
    };
    for (const char* accounting : {"egress", "ingress", "both"}) {
        CAPTURE(accounting);
        CHECK(lost(accounting, false) == 0);
        CHECK(lost(accounting, true) > 0);
    }
}

namespace {

/// Notes which of the IPv4 frames that come to a host bear a mark, by their order.
void note_mark(std::pair<int, std::vector<int>>* marked, ns3::Ptr<const ns3::Packet> frame) {
    std::uint8_t bytes[16];
    frame->CopyData(bytes, sizeof bytes);
    if (bytes[12] != 0x08 || bytes[13] != 0) return;
    if ((bytes[15] & 3) == 3) marked->second.push_back(marked->first);
    ++marked->first;
}

}  // namespace

TEST_CASE("A frame is marked as it comes, by what it finds, or as it leaves, by what waits behind it") {
    // Three frames come for one output at 8, 16, 24 and 32 us, and one leaves every 8 us, before those of that instant
    // come. They find 0, 1, 2; 2, 3, 4; 4, 5, 6; and 6, 7, 8 in the memory. When they begin to leave 0; 1; 3; 5; 7, 6,
    // 5, 4, 3, 2, 1 and 0 are behind them.
    using Marked = std::vector<int>;
    const auto marked = [](const char* leaving) {
        FourHosts hosts(
            FourHosts::Values{{"WredFrom", "4p"}, {"WredTo", "4p"}, {"Ecn", "true"}, {"MarkLeaving", leaving}});
        std::pair<int, Marked> noted;
        hosts.Device(2)->TraceConnectWithoutContext("MacRx", ns3::MakeBoundCallback(&note_mark, &noted));
        for (int i = 0; i < 4; ++i)
            for (const std::uint32_t from : {0, 1, 3})
                ns3::Simulator::Schedule(ns3::Seconds(1), [&hosts, from] {
                    const auto packet = ns3::Create<ns3::Packet>(942U);
                    ns3::Ipv4Header header;
                    header.SetPayloadSize(942);
                    header.SetEcn(ns3::Ipv4Header::ECN_ECT0);
                    packet->AddHeader(header);
                    hosts.Device(from)->Send(packet, hosts.Device(2)->GetAddress(), 0x0800);
                });
        hosts.Run(2);
        CHECK(noted.first == 12);
        return noted.second;
    };
    CHECK(marked("false") == Marked{5, 6, 7, 8, 9, 10, 11});
    CHECK(marked("true") == Marked{3, 4, 5, 6, 7});
}

TEST_CASE("A port may have thresholds of early detection of its own, beside those of the switch or without them") {
    // Three frames come for one output every 8 us, four times, and one leaves each time. With room for 3 frames 3, 1, 1
    // and 1 are taken, with room for 6: 3, 3, 2 and 1.
    const auto lost = [](const char* of_switch, const char* of_port, std::uint32_t output) {
        FourHosts hosts(FourHosts::Values{{"WredFrom", of_switch}, {"WredTo", of_switch}});
        for (const char* name : {"WredFrom", "WredTo"})
            hosts.Switch()->GetBridgePort(0)->SetAttribute(name, ns3::StringValue(of_port));
        for (int i = 0; i < 4; ++i)
            for (std::uint32_t host = 0; host < 4; ++host)
                if (host != output) hosts.Send(host, output);
        hosts.Run(output);
        return hosts.drops["early-drop"];
    };
    CHECK(lost("3p", "0p", 0) == 6);
    CHECK(lost("3p", "3p", 0) == 6);
    CHECK(lost("3p", "6p", 0) == 3);
    CHECK(lost("3p", "6p", 1) == 6);
    CHECK(lost("0p", "6p", 0) == 3);
    CHECK(lost("0p", "6p", 1) == 0);
}

namespace {

/// Drops by early detection among 30 frames of this type for one host at once, with room for two.
int EarlyDropsOf(std::uint16_t type, const std::vector<std::uint8_t>& begin, FourHosts::Values values) {
    values.insert(values.end(), {{"WredFrom", "1p"}, {"WredTo", "1p"}});
    FourHosts hosts(values);
    std::vector<std::uint8_t> payload(200);
    std::copy(begin.begin(), begin.end(), payload.begin());
    for (int i = 0; i < 10; ++i)
        for (const std::uint32_t from : {0, 1, 3})
            ns3::Simulator::Schedule(ns3::Seconds(1), [&hosts, &payload, type, from] {
                hosts.Device(from)->Send(ns3::Create<ns3::Packet>(payload.data(), 200U), hosts.Device(2)->GetAddress(),
                                         type);
            });
    CHECK(static_cast<int>(hosts.Run(2).size()) + hosts.drops["early-drop"] == 30);
    return hosts.drops["early-drop"];
}

}  // namespace

TEST_CASE(
    "Early detection leaves the network's own frames alone: questions for addresses, and what links tell each other") {
    std::vector<std::uint8_t> ipv6(60), tagged{0, 0, 0x08, 0x06};
    ipv6[0] = 0x60;
    ipv6[6] = 58;    // ICMPv6
    ipv6[40] = 135;  // neighbour solicitation
    auto echo = ipv6;
    echo[40] = 128;
    for (const FourHosts::Values& values :
         {FourHosts::Values{}, {{"Accounting", "ingress"}}, {{"Queueing", "virtual-output"}}}) {
        CHECK(EarlyDropsOf(0x0806, {}, values) == 0);      // ARP
        CHECK(EarlyDropsOf(0x8100, tagged, values) == 0);  // ARP behind a VLAN tag
        CHECK(EarlyDropsOf(0x8809, {}, values) == 0);      // LACP
        CHECK(EarlyDropsOf(0x88cc, {}, values) == 0);      // LLDP
        CHECK(EarlyDropsOf(0x86dd, ipv6, values) == 0);
        CHECK(EarlyDropsOf(0x86dd, echo, values) > 10);
        CHECK(EarlyDropsOf(0x88b5, {}, values) > 10);
        CHECK(EarlyDropsOf(0x0800, {0x45}, values) > 10);
    }
}

namespace {

/// The longest queue at each of four outputs, in bytes, each of which four inputs overload.
std::vector<std::int64_t> FourQueues(const FourHosts::Values& values) {
    const Simulation simulation;
    const ns3::NodeContainer hosts(20);
    const auto node = ns3::CreateObject<ns3::Node>();
    WatershedSwitchHelper helper;
    helper.SetDeviceAttribute("FifoLimit", ns3::StringValue("0"));
    for (const auto& [name, value] : values) helper.Set(name, ns3::StringValue(value));
    const auto devices = helper.Install(hosts, node);
    std::vector<std::int64_t> longest(20);
    WatershedSwitchImpl::Of(node)->TraceConnectWithoutContext(
        "PortOccupancy", ns3::MakeBoundCallback(
                             +[](std::vector<std::int64_t>* most, std::uint32_t port, std::int64_t,
                                 std::int64_t bytes) { (*most)[port] = std::max((*most)[port], bytes); },
                             &longest));
    const auto send = [&](std::uint32_t from, std::uint32_t to) {
        devices.Get(from)->Send(ns3::Create<ns3::Packet>(1000), devices.Get(to)->GetAddress(), 0x88b5);
    };
    for (std::uint32_t host = 0; host < 20; ++host)
        ns3::Simulator::Schedule(ns3::MilliSeconds(host), [=] { send(host, (host + 1) % 20); });
    for (int i = 0; i < 200; ++i)
        for (std::uint32_t host = 4; host < 20; ++host)
            ns3::Simulator::Schedule(ns3::Seconds(1), [=] { send(host, host / 4 - 1); });
    ns3::Simulator::Run();
    longest.resize(4);
    return longest;
}

}  // namespace

TEST_CASE("Equal outputs have equal queues: frames of one instant take turns, and no port comes first for ever") {
    // The dynamic threshold of four full queues is alpha * B / (1 + 4 alpha) = 44444 B; four frames of 1018 B come for
    // each at one instant, in which nothing leaves.
    const FourHosts::Values memory{{"Sharing", "dynamic-threshold"}, {"Alpha", "2"}, {"MaxSize", "200000B"}};
    const auto fair = FourQueues(memory);
    for (const std::int64_t bytes : fair) {
        CAPTURE(bytes);
        CHECK(bytes > 44'444 - 1018);
        CHECK(bytes < 44'444 + 4 * 1018);
        CHECK(std::abs(bytes - fair.front()) <= 1018);
    }
    auto by_port = memory;
    by_port.emplace_back("ArrivalOrder", "module");
    const auto unfair = FourQueues(by_port);
    CHECK(unfair.front() > unfair.back() + 2 * 1018);
}

namespace {

void NoteLost(std::vector<std::int64_t>* lost, ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t,
              const LossCause& cause) {
    CHECK(cause == SwitchMemory::kThreshold);
    lost->push_back(Now().count() / 10'000'000 - 1);  // 10 us on the cable
}

/// Losses of UDP datagrams that one host sends to another, one each 10 us from these ports, where only the first frame
/// of a flow fits below its threshold.
template <class Ip, class Address>
std::vector<std::int64_t> LostAt(const char* source, const char* to, const std::vector<std::uint16_t>& ports,
                                 std::uint16_t protocol, const char* idle) {
    Simulation simulation;
    WatershedSwitchHelper helper = Thresholds(10'000);
    for (const auto& [name, value] : {std::pair{"Alpha", "0.001"},
                                      {"ThresholdWhole", "true"},
                                      {"FirstBytes", "1"},
                                      {"FirstAlpha", "1"},
                                      {"FirstIdle", idle}})
        helper.Set(name, ns3::StringValue(value));
    const auto node = ns3::CreateObject<ns3::Node>();
    const ns3::NetDeviceContainer devices = helper.Install(ns3::NodeContainer(2), node);
    WatershedSwitchHelper::PopulateTables();
    std::vector<std::int64_t> lost;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto packet = ns3::Create<ns3::Packet>(100);
        ns3::UdpHeader udp;
        udp.SetSourcePort(ports[i]);
        udp.SetDestinationPort(9);
        packet->AddHeader(udp);
        Ip ip;
        ip.SetSource(Address(source));
        ip.SetDestination(Address(to));
        if constexpr (std::is_same_v<Ip, ns3::Ipv4Header>)
            ip.SetProtocol(17);
        else
            ip.SetNextHeader(17);
        packet->AddHeader(ip);
        ns3::Simulator::Schedule(ns3::MicroSeconds(10 * i),
                                 [=] { devices.Get(0)->Send(packet, devices.Get(1)->GetAddress(), protocol); });
    }
    WatershedSwitchImpl::Of(node)->TraceConnectWithoutContext("Drop", ns3::MakeBoundCallback(&NoteLost, &lost));
    ns3::Simulator::Run();
    return lost;
}

}  // namespace

TEST_CASE("The first frames of a flow are those of its addresses and ports, in IPv4 and IPv6, and after a silence") {
    using Lost = std::vector<std::int64_t>;
    const auto lost = [](const std::vector<std::uint16_t>& ports, const char* idle) {
        const auto four = LostAt<ns3::Ipv4Header, ns3::Ipv4Address>("10.0.0.1", "10.0.0.2", ports, 0x0800, idle);
        CHECK(LostAt<ns3::Ipv6Header, ns3::Ipv6Address>("2001:db8::1", "2001:db8::2", ports, 0x86dd, idle) == four);
        return four;
    };
    CHECK(lost({7, 7, 7, 7, 7}, "0s") == Lost{1, 2, 3, 4});
    CHECK(lost({7, 8, 7, 8, 7}, "0s") == Lost{2, 3, 4});
    // 10 us of silence are not longer than 15 us, and 20 us are.
    CHECK(lost({7, 8, 7, 7, 8}, "15us") == Lost{3});
}

TEST_CASE("A frame that waits takes at most 64 B of the program that simulates it") {
    CHECK(sizeof(WatershedStored) <= 64);
}

// Two frames come for each that leaves, so a queue of class c grows to its level K_c, and from then on each second
// frame is lost; in the end K_c more have come through.
TEST_CASE("Early detection has levels by class, in memories that count outputs or inputs") {
    const auto lost = [](const char* accounting, int traffic_class) {
        FourHosts hosts({{"Scheduler", "strict-priority"},
                         {"MaxSize", "100p"},
                         {"Accounting", accounting},
                         {"WredFrom", "9p"},
                         {"WredTo", "9p"},
                         {"ClassWredFrom", "0p,4p"},
                         {"ClassWredTo", "0p,4p,0p"},
                         {"ClassWredProbability", "1,1"}});
        for (int i = 0; i < 40; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2, 0, traffic_class);
        CHECK(hosts.Run(2).size() + static_cast<std::size_t>(hosts.drops["early-drop"]) == 80);
        return hosts.drops["early-drop"];
    };
    for (const char* accounting : {"egress", "ingress"}) {
        CAPTURE(accounting);
        CHECK(lost(accounting, 3) > 20);
        CHECK(lost(accounting, 1) == lost(accounting, 3) + 9 - 4);
        CHECK(lost(accounting, 2) == 0);
    }
}

}  // namespace watershed
