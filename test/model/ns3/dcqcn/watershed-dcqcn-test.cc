// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/data-rate.h>
#include <ns3/double.h>
#include <ns3/error-model.h>
#include <ns3/inet-socket-address.h>
#include <ns3/node-list.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/udp-socket-factory.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/dcqcn/watershed-dcqcn-receiver.h"
#include "model/ns3/dcqcn/watershed-transport.h"
#include "model/ns3/switch/watershed-switch.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/dcqcn/roce-hosts.h"

namespace watershed {
namespace {

/// Answers what has come at the times that are given.
struct Notifier {
    explicit Notifier(const ns3::Ptr<ns3::Node>& node)
        : socket(ns3::Socket::CreateSocket(node, ns3::UdpSocketFactory::GetTypeId())) {
        socket->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), RoceHosts::kPort));
        socket->SetRecvCallback(ns3::MakeCallback(&Notifier::Receive, this));
    }
    void Receive(ns3::Ptr<ns3::Socket>) {
        while (const auto packet = socket->RecvFrom(from)) bytes += packet->GetSize();
    }
    void Notify() { socket->SendTo(ns3::Create<ns3::Packet>(28), 0, from); }

    ns3::Ptr<ns3::Socket> socket;
    ns3::Address from;
    std::int64_t bytes = 0;
};

/// Loses those data packets that are named, in the order in which they arrive.
struct Losses final : ns3::ErrorModel {
    explicit Losses(std::set<int> numbers) : lost(std::move(numbers)) {}
    bool DoCorrupt(ns3::Ptr<ns3::Packet> packet) override {
        return packet->GetSize() > 100 && lost.count(arrived++) > 0;
    }
    void DoReset() override {}

    std::set<int> lost;
    int arrived = 0;
};

}  // namespace

// With the paper's g = 1/256 put at 1/16, T = 300 us, F = 5, R_AI = 40 Mb/s and no byte counter that could run out, two
// notifications 100 us apart, of which one alpha timer of 55 us lies between:
//   at the first   R_T = 10, R = 10 (1 - 1/2) = 5, alpha = 15/16 + 1/16 = 1
//   55 us later    alpha = 15/16
//   at the second  R_T = 5, R = 5 (1 - 15/32) = 2.65625
//   each 300 us    R = (R + R_T) / 2; from the sixth on R_T grows by 0.04 before that
TEST_CASE("A sender follows the published rules from its first notification to additive increase") {
    const Simulation simulation;
    RoceHosts hosts(2);
    const auto sender = hosts.SenderTo(1);
    sender->SetAttribute("Gain", ns3::DoubleValue(1.0 / 16));
    sender->SetAttribute("RateTimer", ns3::TimeValue(ns3::MicroSeconds(300)));
    sender->SetAttribute("FastRecovery", ns3::UintegerValue(5));
    sender->SetAttribute("AdditiveIncrease", ns3::StringValue("40Mbps"));
    sender->SetAttribute("ByteCounter", ns3::UintegerValue(1'000'000'000'000));
    Notifier other(hosts.nodes.Get(1));
    ns3::Simulator::Schedule(ns3::MicroSeconds(1000), &Notifier::Notify, &other);
    ns3::Simulator::Schedule(ns3::MicroSeconds(1100), &Notifier::Notify, &other);

    std::vector<double> rates;  // in Gb/s, just before and after each change that is expected
    const auto look = [&] { rates.push_back(static_cast<double>(sender->GetRate().GetBitRate()) / 1e9); };
    std::vector<std::int64_t> begins{999, 1002, 1102};
    std::vector<double> expected{10, 5, 2.65625};
    double rate = 2.65625, target = 5;
    for (int increase = 1; increase <= 7; ++increase) {
        if (increase > 5) target += 0.04;
        rate = (rate + target) / 2;
        begins.push_back(1102 + 300 * increase);
        expected.push_back(rate);
    }
    for (const std::int64_t each : begins)
        ns3::Simulator::Schedule(ns3::MicroSeconds(static_cast<std::uint64_t>(each)), look);

    // Rate of its frames: 1024 of 1090 B of the link, over 290 us behind the last notification.
    std::int64_t first = 0, last = 0;
    ns3::Simulator::Schedule(ns3::MicroSeconds(1110), [&] { first = other.bytes; });
    ns3::Simulator::Schedule(ns3::MicroSeconds(1390), [&] { last = other.bytes; });
    ns3::Simulator::Stop(ns3::MilliSeconds(4));
    ns3::Simulator::Run();
    REQUIRE(rates.size() == expected.size());
    for (std::size_t i = 0; i < rates.size(); ++i) {
        CAPTURE(i);
        CHECK(rates[i] == Approx(expected[i]).epsilon(1e-6));
    }
    CHECK(sender->GetNotifications() == 2);
    CHECK(static_cast<double>(last - first) == Approx(2.65625e9 / 8 * 280e-6 * 1024 / 1090).margin(2 * 1024));
}

TEST_CASE("A receiver notifies each flow whose packets come marked, and no more than once in the interval") {
    const Simulation simulation;
    RoceHosts hosts(4);
    const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
    hosts.nodes.Get(3)->AddApplication(receiver);
    std::vector<ns3::Ptr<ns3::Socket>> flows;
    std::vector<int> notified(3);
    // Marked at one host and at another, and only able to be marked at the third.
    const std::vector<std::uint8_t> tos{0x03, 0x03, 0x02};
    for (std::uint32_t i = 0; i < 3; ++i) {
        flows.push_back(ns3::Socket::CreateSocket(hosts.nodes.Get(i), ns3::UdpSocketFactory::GetTypeId()));
        flows[i]->Bind();
        flows[i]->Connect(ns3::InetSocketAddress(hosts.interfaces.GetAddress(3), RoceHosts::kPort));
        // Every 10 us for 200 us, from 1 ms on: at 0, 50, 100 and 150 us behind the first one there is a notification.
        for (std::uint64_t at = 0; at < 200; at += 10)
            ns3::Simulator::Schedule(ns3::MicroSeconds(1000 + at), [socket = flows[i], each = tos[i]] {
                const auto packet = ns3::Create<ns3::Packet>(1024);
                ns3::SocketIpTosTag tag;
                tag.SetTos(each);
                packet->AddPacketTag(tag);
                socket->Send(packet);
            });
        ns3::Simulator::Schedule(ns3::MilliSeconds(2), [&, i] {
            while (const auto cnp = flows[i]->Recv()) {
                ++notified[i];
                CHECK(cnp->GetSize() == 32);  // BTH, what is reserved, and ICRC
            }
        });
    }
    ns3::Simulator::Stop(ns3::MilliSeconds(3));
    ns3::Simulator::Run();
    CHECK(receiver->GetReceived() == 3 * 20 * 1024);
    CHECK(receiver->GetMarked() == 2 * 20);
    CHECK(notified == std::vector<int>{4, 4, 0});
    CHECK(receiver->GetNotifications() == 8);
}

// Three flows of 10 Gb/s find one output of 10 Gb/s. Without an answer to marks two thirds of what they send is lost
// once the memory is full; with it the queue stays where it is marked, and the three share the link.
TEST_CASE("Flows that meet at a switch that marks share its link, and none of their packets is lost", "[long]") {
    const auto lost = [](bool marks, std::vector<double>* shares) {
        const Simulation simulation;
        WatershedSwitchHelper helper;
        helper.Set("MaxSize", ns3::StringValue("4MB"));
        if (marks) {
            helper.Set("WredFrom", ns3::StringValue("40kB"));
            helper.Set("WredTo", ns3::StringValue("160kB"));
            helper.Set("WredProbability", ns3::DoubleValue(0.2));
            helper.Set("Ecn", ns3::StringValue("true"));
        }
        RoceHosts hosts(4, helper);
        const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
        hosts.nodes.Get(3)->AddApplication(receiver);
        std::vector<ns3::Ptr<WatershedDcqcnSender>> senders;
        std::uint64_t sent = 0;
        for (std::uint32_t i = 0; i < 3; ++i) {
            senders.push_back(hosts.SenderTo(3, i));
            // Timer, F and R_AI of the paper.
            senders.back()->SetAttribute("RateTimer", ns3::TimeValue(ns3::MicroSeconds(55)));
            senders.back()->SetAttribute("FastRecovery", ns3::UintegerValue(5));
            senders.back()->SetAttribute("AdditiveIncrease", ns3::StringValue("40Mbps"));
            senders.back()->SetStartTime(ns3::MilliSeconds(1));
            senders.back()->SetStopTime(ns3::MilliSeconds(40));
        }
        std::vector<std::uint64_t> before;
        ns3::Simulator::Schedule(ns3::MilliSeconds(20), [&] {
            for (const auto& each : senders) before.push_back(each->GetSent());
        });
        ns3::Simulator::Stop(ns3::MilliSeconds(60));
        ns3::Simulator::Run();
        for (const auto& each : senders) sent += each->GetSent();
        if (shares)
            for (std::size_t i = 0; i < 3; ++i)
                shares->push_back(static_cast<double>(senders[i]->GetSent() - before[i]) * 8 / 20e-3 / 1e9);
        return static_cast<double>(sent - receiver->GetReceived()) / static_cast<double>(sent);
    };
    std::vector<double> shares;
    CHECK(lost(true, &shares) == 0);
    const double all = shares[0] + shares[1] + shares[2];
    CHECK(all > 0.8 * 10 * 1024 / 1090);
    CHECK(all < 1.05 * 10 * 1024 / 1090);
    for (const double share : shares) CHECK(share == Approx(all / 3).epsilon(0.25));
    CHECK(lost(false, nullptr) > 0.5);
}

// Eight hosts with four flows of class 3 each, all at the rate of the link, meet at one output that pauses them. The
// output is never idle, so 1024 of each 1090 B that it sends are payload. A flow of class 0 of the first host goes
// elsewhere, at half of its host's link at least: the port serves the classes in turn.
TEST_CASE("A port that is paused stops its flows of that class, which share the link by turns") {
    const Simulation simulation;
    WatershedSwitchHelper helper;
    for (const auto& [name, value] :
         {std::pair{"MaxSize", "4MB"}, {"FlowControl", "pfc"}, {"Scheduler", "drr"}, {"Xoff", "20kB"}, {"Xon", "15kB"}})
        helper.Set(name, ns3::StringValue(value));
    RoceHosts hosts(10, helper);
    std::vector<ns3::Ptr<WatershedDcqcnReceiver>> receivers;
    for (const std::uint32_t host : {8, 9}) {
        receivers.push_back(ns3::CreateObject<WatershedDcqcnReceiver>());
        hosts.nodes.Get(host)->AddApplication(receivers.back());
    }
    std::vector<ns3::Ptr<WatershedDcqcnSender>> senders;
    std::uint64_t sent = 0, received = 0, victim = 0;
    for (std::uint32_t i = 0; i < 32; ++i) {
        senders.push_back(hosts.SenderTo(8, i / 4));
        senders.back()->SetAttribute("Tos", ns3::UintegerValue(0x60));
        senders.back()->SetStopTime(ns3::MilliSeconds(15));
    }
    hosts.SenderTo(9)->SetStopTime(ns3::MilliSeconds(15));
    ns3::Simulator::Schedule(ns3::MilliSeconds(5), [&] {
        received = receivers[0]->GetReceived();
        victim = receivers[1]->GetReceived();
    });
    ns3::Simulator::Schedule(ns3::MilliSeconds(15), [&] {
        received = receivers[0]->GetReceived() - received;
        victim = receivers[1]->GetReceived() - victim;
    });
    ns3::Simulator::Stop(ns3::MilliSeconds(16));
    ns3::Simulator::Run();
    const double line = 10e9 / 8 * 10e-3 * 1024 / 1090;
    CHECK(static_cast<double>(received) == Approx(line).epsilon(0.001));
    CHECK(static_cast<double>(victim) > 0.5 * line);
    for (const auto& each : senders) sent += each->GetSent();
    CHECK(sent == receivers[0]->GetReceived());
    for (std::size_t i = 0; i < senders.size(); ++i) {
        const auto first = static_cast<std::int64_t>(senders[i / 4 * 4]->GetSent());
        CHECK(std::abs(static_cast<std::int64_t>(senders[i]->GetSent()) - first) <= 1024);
    }
}

TEST_CASE("A flow to an address that nobody has holds up no other, and goes on once its packet is dropped") {
    const Simulation simulation;
    RoceHosts hosts(2);
    const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
    hosts.nodes.Get(1)->AddApplication(receiver);
    const auto lost = hosts.SenderTo(1), other = hosts.SenderTo(1);
    lost->SetAttribute("Remote", ns3::AddressValue(ns3::InetSocketAddress("10.1.1.77", RoceHosts::kPort)));
    for (const auto& each : {lost, other}) each->SetAttribute("DataRate", ns3::StringValue("10Mbps"));
    ns3::Simulator::Stop(ns3::Seconds(5));  // ns-3 asks for an address three times in three seconds
    ns3::Simulator::Run();
    CHECK(static_cast<double>(receiver->GetReceived()) == Approx(10e6 / 8 * 5 * 1024 / 1090).epsilon(0.001));
    CHECK(lost->GetSent() > 1000 * 1024);
}

// With a loss p = 1/1000 of each packet, S = 884.8 ns for one of 1024 B and its 82 B of headers, preamble and gap, and
// d = 22 us for each of four cables, a packet that is lost begins at 0, and the one behind it arrives at 3 S + 2 d. The
// answer, two slots A = 68.8 ns of 86 B, is back at 3 S + 4 d + 2 A = 102.6 S. The 103rd slot behind the lost one then
// repeats it: W = 103 slots brought nothing. A packet needs on average p / (1 - p) such repetitions, so go-back-N takes
// 1 + W p / (1 - p) slots for it:
//     efficiency (1 - p) / (1 - p + p W)
// and selective repeat, for which W = 1, 1 - p.
TEST_CASE("Goodput with losses is that of the closed forms for go-back-N and selective repeat", "[long]") {
    const auto efficiency = [](const char* recovery, int milliseconds) {
        const Simulation simulation;
        WatershedSwitchHelper helper;
        helper.SetChannelAttribute("Delay", ns3::StringValue("22us"));
        RoceHosts hosts(2, helper);
        const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
        hosts.nodes.Get(1)->AddApplication(receiver);
        hosts.SenderTo(1)->SetAttribute("Recovery", ns3::StringValue(recovery));
        const auto errors = ns3::CreateObject<ns3::RateErrorModel>();
        errors->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(1e-3);
        errors->AssignStreams(1);
        hosts.nodes.Get(1)->GetDevice(0)->SetAttribute("ReceiveErrorModel", ns3::PointerValue(errors));
        std::uint64_t before = 0;
        ns3::Simulator::Schedule(ns3::MilliSeconds(2), [&] { before = receiver->GetReceived(); });
        ns3::Simulator::Stop(ns3::MilliSeconds(2 + milliseconds));
        ns3::Simulator::Run();
        return static_cast<double>(receiver->GetReceived() - before) / (10e9 / 8e3 * milliseconds * 1024 / 1106);
    };
    const double p = 1e-3;
    CHECK(efficiency("go-back-n", 60) == Approx((1 - p) / (1 - p + p * 103)).epsilon(0.02));
    CHECK(efficiency("selective-repeat", 20) == Approx(1 - p).epsilon(0.001));
}

TEST_CASE("A queue pair completes, and sends no more again than its recovery must") {
    constexpr std::uint64_t kBytes = 1'000'000;  // 977 packets of at most 1024 B, 0.86 ms
    struct Case {
        std::set<int> lost;
        bool timeout;
    };
    const std::vector<Case> cases{
        {{}, false},          // none
        {{0}, false},         // the first
        {{500, 501}, false},  // two in a row
        {{500, 504}, false},  // one, and that again: it is sent anew four slots later
        {{976}, true},        // the last, so that nothing behind it tells
    };
    for (const char* recovery : {"go-back-n", "selective-repeat"})
        for (const Case& each : cases) {
            CAPTURE(recovery, each.lost);
            const Simulation simulation;
            RoceHosts hosts(2);
            const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
            hosts.nodes.Get(1)->AddApplication(receiver);
            const auto sender = hosts.SenderTo(1);
            sender->SetAttribute("Recovery", ns3::StringValue(recovery));
            sender->SetAttribute("MaxBytes", ns3::UintegerValue(kBytes));
            int completed = 0;
            sender->TraceConnectWithoutContext(
                "Completed", ns3::Callback<void, std::uint64_t, ns3::Time>(
                                 [&](std::uint64_t bytes, ns3::Time) { completed += bytes == kBytes ? 1 : 100; }));
            hosts.nodes.Get(1)->GetDevice(0)->SetAttribute("ReceiveErrorModel",
                                                           ns3::PointerValue(ns3::CreateObject<Losses>(each.lost)));
            ns3::Simulator::Stop(ns3::MilliSeconds(20));
            ns3::Simulator::Run();
            CHECK(completed == 1);
            CHECK(receiver->GetReceived() == kBytes);
            CHECK(sender->GetAcknowledged() == kBytes);
            const std::uint64_t again = sender->GetSent() - kBytes;
            if (each.timeout)
                CHECK(again == kBytes % 1024);
            else if (std::string(recovery) == "selective-repeat")
                CHECK(again == each.lost.size() * 1024);
            else
                CHECK(again <= each.lost.size() * 6 * 1024);
            const double milliseconds = sender->GetCompletionTime().GetSeconds() * 1e3;
            const double sending = static_cast<double>(kBytes + again) * 8 * 1106 / 1024 / 1e7;
            CHECK(milliseconds == Approx(sending + (each.timeout ? 4 : 0)).margin(0.03));
        }
}

// Eight hosts at the rate of the port at which they meet bring 4 MB there at once, and its memory holds 100 kB, of
// which 40 kB are left to headers.
TEST_CASE("A packet of a queue pair can be printed, whole and cut, and its payload is zeros") {
    constexpr std::uint32_t kPayload = 1000;
    const auto whole = Transport{}.MakePacket(kPayload);
    REQUIRE(whole->GetSize() == kPayload + Transport::kSize);
    std::vector<std::uint8_t> bytes(whole->GetSize());
    whole->CopyData(bytes.data(), whole->GetSize());
    CHECK(std::all_of(bytes.begin() + roce::kBth, bytes.end(), [](std::uint8_t byte) { return byte == 0; }));
    CHECK_THAT(said_at_death([] {
                   ns3::Packet::EnablePrinting();
                   const auto packet = Transport{}.MakePacket(kPayload);
                   std::cerr << *packet << "; " << *packet->CreateFragment(0, 64);
                   std::abort();
               }),
               Contains("ns3::WatershedRawHeader () Payload (size=1004); "
                        "ns3::WatershedRawHeader () Payload Fragment [0:52]"));
}

TEST_CASE("Where switches trim, an incast completes without a timeout, and what is sent again is what was trimmed") {
    constexpr std::uint64_t kBytes = 500'000;  // 489 packets
    const auto run = [](const char* trim, double* completed) {
        const Simulation simulation;
        WatershedSwitchHelper helper;
        for (const auto& [name, value] :
             {std::pair{"MaxSize", "100kB"}, {"Scheduler", "strict-priority"}, {"ClassLimits", "60kB"}, {"Trim", trim}})
            helper.Set(name, ns3::StringValue(value));
        RoceHosts hosts(9, helper);
        WatershedSwitchHelper::PopulateNeighbors(hosts.interfaces);  // no switch trims an answer about addresses,
        WatershedSwitchHelper::PopulateTables();                     // and none sends a frame to all ports
        const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
        hosts.nodes.Get(8)->AddApplication(receiver);
        std::vector<ns3::Ptr<WatershedDcqcnSender>> senders;
        std::uint64_t sent = 0, came = 0, trimmed = 0, dropped = 0;
        const auto count = +[](std::uint64_t* number, ns3::Ptr<const ns3::Packet>) { ++*number; };
        for (std::uint32_t i = 0; i < 8; ++i) {
            senders.push_back(hosts.SenderTo(8, i));
            for (const auto& [name, value] : {std::pair{"Recovery", "selective-repeat"},
                                              {"MaxBytes", "500000"},
                                              {"Timeout", "20ms"},
                                              {"RateTimer", "55us"},
                                              {"FastRecovery", "5"},
                                              {"AdditiveIncrease", "40Mbps"}})
                senders.back()->SetAttribute(name, ns3::StringValue(value));
            senders.back()->TraceConnectWithoutContext("Tx", ns3::MakeBoundCallback(count, &sent));
        }
        const auto at = WatershedSwitch::Of(ns3::NodeList::GetNode(ns3::NodeList::GetNNodes() - 1));
        receiver->TraceConnectWithoutContext(
            "Rx",
            ns3::MakeBoundCallback(
                +[](std::uint64_t* number, ns3::Ptr<const ns3::Packet>, const ns3::Address&) { ++*number; }, &came));
        at->TraceConnectWithoutContext(
            "Trim", ns3::MakeBoundCallback(
                        +[](std::uint64_t* number, ns3::Ptr<const ns3::Packet> header, std::uint32_t, std::uint32_t) {
                            CHECK(header->GetSize() == 64);
                            ++*number;
                        },
                        &trimmed));
        at->TraceConnectWithoutContext("Drop", ns3::MakeBoundCallback(
                                                   +[](std::uint64_t* number, ns3::Ptr<const ns3::Packet>,
                                                       std::uint32_t, std::uint32_t, const LossCause&) { ++*number; },
                                                   &dropped));
        ns3::Simulator::Stop(ns3::MilliSeconds(100));
        ns3::Simulator::Run();
        CHECK(came + dropped == sent);
        CHECK(trimmed == receiver->GetTrimmed());
        CHECK(receiver->GetReceived() == 8 * kBytes);
        *completed = 0;
        for (const auto& each : senders)
            *completed = std::max(*completed, each->GetCompletionTime().GetSeconds() * 1e3);
        if (std::string(trim) != "0") {
            CHECK(trimmed > 0);
            CHECK(dropped == 0);
            CHECK(sent == 8 * 489 + trimmed);
        }
    };
    double whole = 0, by_timeouts = 0;
    run("64", &whole);
    run("0", &by_timeouts);
    const double least = 8 * kBytes * 8.0 * 1106 / 1024 / 1e7;  // milliseconds of the port
    CHECK(whole > least);
    CHECK(whole < 2 * least);
    CHECK(by_timeouts > 20);
}

// Two leaves and two spines, of which one is 3 us farther on each of its cables: frames that take turns between them
// overtake each other by up to 6 us, in which a host sends 7 packets.
TEST_CASE("Where switches spray frames, a window of reordering sends nothing twice, and go-back-N does") {
    static constexpr std::uint64_t kBytes = 1'000'000;
    const auto sent_again = [](const char* recovery, std::uint32_t window) {
        const Simulation simulation;
        const ns3::NodeContainer hosts(2), leaves(2), spines(2);
        WatershedSwitchHelper helper;
        helper.Set("UplinkSelection", ns3::StringValue("round-robin"));
        helper.SetDeviceAttribute("DataRate", ns3::StringValue("10Gbps"));
        ns3::NetDeviceContainer devices;
        for (std::uint32_t i = 0; i < 2; ++i) devices.Add(helper.Install(hosts.Get(i), leaves.Get(i)));
        for (std::uint32_t spine = 0; spine < 2; ++spine) {
            helper.SetChannelAttribute("Delay", ns3::StringValue(spine == 0 ? "0us" : "3us"));
            for (std::uint32_t leaf = 0; leaf < 2; ++leaf) helper.AddUplink(leaves.Get(leaf), spines.Get(spine));
        }
        ns3::InternetStackHelper().Install(hosts);
        const auto interfaces = ns3::Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
        WatershedSwitchHelper::PopulateTables();
        WatershedSwitchHelper::PopulateNeighbors(interfaces);
        const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
        hosts.Get(1)->AddApplication(receiver);
        const auto sender = ns3::CreateObject<WatershedDcqcnSender>();
        sender->SetAttribute("Remote",
                             ns3::AddressValue(ns3::InetSocketAddress(interfaces.GetAddress(1), RoceHosts::kPort)));
        sender->SetAttribute("Recovery", ns3::StringValue(recovery));
        sender->SetAttribute("MaxBytes", ns3::UintegerValue(kBytes));
        sender->SetAttribute("ReorderWindow", ns3::UintegerValue(window));
        hosts.Get(0)->AddApplication(sender);
        ns3::Simulator::Stop(ns3::MilliSeconds(50));
        ns3::Simulator::Run();
        CHECK(receiver->GetReceived() == kBytes);
        CHECK(sender->GetAcknowledged() == kBytes);
        return sender->GetSent() - kBytes;
    };
    CHECK(sent_again("selective-repeat", 8) == 0);
    CHECK(sent_again("selective-repeat", 0) > kBytes / 4);
    CHECK(sent_again("go-back-n", 8) > kBytes / 4);
}

}  // namespace watershed
