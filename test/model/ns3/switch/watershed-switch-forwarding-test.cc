// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/boolean.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/base/event-header.h"
#include "model/frontend/module-ports.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/ns3/frame/watershed-udp-frame.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/helper/four-hosts.h"
#include "test/model/ns3/helper/tcp-incast.h"
#include "test/model/ns3/helper/udp-burst.h"

namespace watershed {

TEST_CASE(
    "A frame to a known address leaves by its port alone, one to an unknown address or to all by every other port") {
    WatershedSwitchHelper helper;
    TcpIncast star(3, helper);  // four hosts
    const auto frame = [&](std::uint32_t from, const ns3::Address& to) {
        ns3::Simulator::Schedule(ns3::MilliSeconds(from + 1), [&star, from, to] {
            star.hosts.Get(from)->GetDevice(0)->Send(ns3::Create<ns3::Packet>(100), to, 0x88b5);
        });
    };
    const auto address = [&](std::uint32_t host) { return star.hosts.Get(host)->GetDevice(0)->GetAddress(); };
    frame(0, address(1));                         // nobody is known: 3 copies
    frame(1, address(0));                         // host 0 is: 1
    frame(2, ns3::Mac48Address::GetBroadcast());  // 3
    ns3::Simulator::Run();
    CHECK(star.enqueued == 3 + 1 + 3);
    CHECK(WatershedSwitchImpl::Of(star.node)->GetMemory().peak_frames() == 1);  // the copies share their memory
    CHECK(star.dequeued == star.enqueued);
    CHECK(star.drops.empty());
}

TEST_CASE("A switch with an address and a stack can be reached, and answers") {
    TcpIncast star(2, WatershedSwitchHelper());
    const auto network_switch = WatershedSwitchImpl::Of(star.node);
    ns3::InternetStackHelper().Install(star.node);
    ns3::Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0", "0.0.0.100");
    const auto own = addresses.Assign(ns3::NetDeviceContainer(network_switch));
    UdpBurst in(star.hosts.Get(0), star.node, own.GetAddress(0));
    in.At(ns3::Seconds(1), 2);
    UdpBurst out(star.node, star.hosts.Get(1), star.interfaces.GetAddress(1));
    out.At(ns3::Seconds(2), 3);
    ns3::Simulator::Stop(ns3::Seconds(5));
    ns3::Simulator::Run();
    CHECK(in.received == 2);
    CHECK(out.received == 3);
    CHECK(network_switch->GetMemory().frames() == 0);
}

TEST_CASE("Addresses expire, and are not learned at all where EnableLearning is false") {
    WatershedSwitchHelper helper;
    helper.Set("ExpirationTime", ns3::StringValue("5s"));
    const auto enqueued = [](const WatershedSwitchHelper& with, double wait) {
        TcpIncast star(3, with);
        const auto send = [&star](std::uint32_t from, std::uint32_t to) {
            star.hosts.Get(from)->GetDevice(0)->Send(ns3::Create<ns3::Packet>(100),
                                                     star.hosts.Get(to)->GetDevice(0)->GetAddress(), 0x88b5);
        };
        ns3::Simulator::Schedule(ns3::Seconds(1), [send] { send(0, 1); });
        ns3::Simulator::Schedule(ns3::Seconds(1 + wait), [send] { send(1, 0); });
        ns3::Simulator::Run();
        return star.enqueued;
    };
    CHECK(enqueued(helper, 4) == 3 + 1);
    CHECK(enqueued(helper, 6) == 3 + 3);
    helper.Set("EnableLearning", ns3::BooleanValue(false));
    CHECK(enqueued(helper, 4) == 3 + 3);
}

TEST_CASE("A switch for anybody looks at no data: what a camera would call its events decides no order") {
    // Frames of one instant that would be of one event, so that the same port would come first each time.
    FourHosts hosts(FourHosts::Values{{"ArrivalOrder", "rotating"}, {"MaxSize", "1p"}});
    std::vector<std::uint8_t> payload(200);
    EventHeader{1, FrameId{1, 1, 0}}.write(payload.data());
    for (int i = 0; i < 12; ++i)
        for (const std::uint32_t from : {0, 1, 3})
            ns3::Simulator::Schedule(ns3::Seconds(1) + ns3::MicroSeconds(100 * i), [&hosts, &payload, from] {
                Endpoint source = module_endpoint({}, 1), to = server_endpoint(0);
                hosts.Device(from)->GetAddress().CopyTo(source.mac.data());
                hosts.Device(2)->GetAddress().CopyTo(to.mac.data());
                ns3::DynamicCast<WatershedNetDeviceImpl>(hosts.Device(from))
                    ->SendFrame(MakeUdpFrame(source, to, payload), Now());
            });
    hosts.Run(2);
    for (const int from : {0, 1, 3}) CHECK(std::count(hosts.senders.begin(), hosts.senders.end(), from) > 2);
}

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// Two switches below, each with two hosts, and two above; each below has an uplink to each above.
struct TwoTiers {
    Simulation simulation;
    ns3::NodeContainer hosts{4}, lower{2}, upper{2};
    ns3::Ipv4InterfaceContainer interfaces;
    std::map<std::string, int> drops;

    explicit TwoTiers(const Values& values) {
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : values) helper.Set(name, ns3::StringValue(value));
        ns3::NetDeviceContainer devices;
        for (std::uint32_t i = 0; i < 2; ++i) {
            devices.Add(helper.Install(ns3::NodeContainer(hosts.Get(2 * i), hosts.Get(2 * i + 1)), lower.Get(i)));
            for (std::uint32_t above = 0; above < 2; ++above) helper.AddUplink(lower.Get(i), upper.Get(above));
        }
        ns3::InternetStackHelper().Install(hosts);
        ns3::Ipv4AddressHelper addresses;
        addresses.SetBase("10.0.0.0", "255.255.255.0");
        interfaces = addresses.Assign(devices);
        for (std::uint32_t i = 0; i < 2; ++i)
            WatershedSwitchImpl::Of(lower.Get(i))
                ->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&TwoTiers::Drop, this));
    }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) {
        ++drops[std::string(cause.reason)];
    }
    /// Frames that a switch has sent to the other switches, by uplink.
    std::pair<std::int64_t, std::int64_t> SentUp(std::uint32_t i) const {
        const auto below = WatershedSwitchImpl::Of(lower.Get(i));
        const auto sent = [&](std::uint32_t port) {
            return ns3::DynamicCast<WatershedNetDeviceImpl>(below->GetBridgePort(port))->GetFramesSent();
        };
        return {sent(2), sent(3)};
    }
};

}  // namespace

TEST_CASE("Flows are spread over uplinks by their hash, each whole on one, and nothing comes twice") {
    TwoTiers tiers(Values{{"UplinkSelection", "hash"}});
    std::vector<std::unique_ptr<UdpBurst>> bursts;
    for (int flow = 0; flow < 16; ++flow) {  // of one host, each with a source port of its own
        bursts.push_back(std::make_unique<UdpBurst>(tiers.hosts.Get(0), tiers.hosts.Get(3),
                                                    tiers.interfaces.GetAddress(3), 9 + flow));
        bursts.back()->At(ns3::MilliSeconds(100 * flow), flow == 0 ? 1 : 10);
    }
    ns3::Simulator::Run();
    for (const auto& burst : bursts) CHECK(burst->received == (burst == bursts.front() ? 1 : 10));
    const auto [one, other] = tiers.SentUp(0);
    CHECK(one + other == 1 + 150 + 1);  // and a question for the address of host 3
    CHECK(one % 10 <= 2);
    CHECK(one > 10);
    CHECK(other > 10);
    CHECK(tiers.drops.empty());
}

TEST_CASE("Frames that take turns use both uplinks alike, those of a list the ones that it names") {
    const auto sent = [](const Values& values) {
        TwoTiers tiers(values);
        UdpBurst burst(tiers.hosts.Get(0), tiers.hosts.Get(3), tiers.interfaces.GetAddress(3));
        burst.At(ns3::Seconds(1), 1);
        burst.At(ns3::Seconds(2), 100);
        ns3::Simulator::Run();
        CHECK(burst.received == 101);
        return tiers.SentUp(0);
    };
    const auto [one, other] = sent({{"UplinkSelection", "round-robin"}});
    CHECK(one + other == 102);
    CHECK(one == other);
    CHECK(sent({{"UplinkSelection", "static"}, {"UplinkList", "2"}}) == std::pair<std::int64_t, std::int64_t>{0, 102});
    CHECK(sent({{"UplinkSelection", "static"}, {"UplinkList", "1,2"}}) ==
          std::pair<std::int64_t, std::int64_t>{102, 0});  // host 0 is input 0
    CHECK(sent({{"UplinkSelection", "modulo"}}) == std::pair<std::int64_t, std::int64_t>{102, 0});
}

namespace {

void note_uplink(std::vector<int>* numbers, int number, ns3::Ptr<const ns3::Packet>) { numbers->push_back(number); }

/// The uplinks, in their order, by which frames leave that host 0 sends to host 3: after a question for its address one
/// of each flow, then so many of the first.
std::vector<int> UplinksTaken(const Values& values, std::int64_t stream, int flows, int frames) {
    TwoTiers tiers(values);
    CHECK(WatershedSwitchHelper().AssignStreams(tiers.lower, stream) == 2);
    std::vector<int> numbers;
    for (const int number : {0, 1})
        WatershedSwitchImpl::Of(tiers.lower.Get(0))
            ->GetBridgePort(static_cast<std::uint32_t>(2 + number))
            ->TraceConnectWithoutContext("MacTx", ns3::MakeBoundCallback(&note_uplink, &numbers, number));
    std::vector<std::unique_ptr<UdpBurst>> bursts;
    for (int flow = 0; flow < flows; ++flow) {
        bursts.push_back(std::make_unique<UdpBurst>(tiers.hosts.Get(0), tiers.hosts.Get(3),
                                                    tiers.interfaces.GetAddress(3), 9 + flow));
        bursts.back()->At(ns3::MilliSeconds(100 * flow), 1);
    }
    bursts.front()->At(ns3::MilliSeconds(100 * flows), frames);
    ns3::Simulator::Run();
    CHECK(bursts.front()->received == 1 + frames);
    CHECK(tiers.drops.empty());
    CHECK(numbers.size() == static_cast<std::size_t>(1 + flows + frames));
    return numbers;
}

/// Number of a binomial law with so many trials and probability 1/2: within five standard deviations, as it is but one
/// time in 1.7 million.
bool IsHalf(std::ptrdiff_t number, std::size_t of) {
    const auto trials = static_cast<double>(of);
    return std::abs(static_cast<double>(number) - trials / 2) < 5 * std::sqrt(trials) / 2;
}

}  // namespace

TEST_CASE("Frames that draw lots use both uplinks alike but for chance, the same ones with the same stream") {
    const auto taken = [](std::int64_t stream) {
        return UplinksTaken({{"UplinkSelection", "random"}}, stream, 1, 400);
    };
    const std::vector<int> drawn = taken(7);
    CHECK(IsHalf(std::count(drawn.begin(), drawn.end(), 1), drawn.size()));
    // Neighbours differ half of the time, not always as those that take turns.
    std::ptrdiff_t changes = 0;
    for (std::size_t i = 1; i < drawn.size(); ++i) changes += drawn[i] != drawn[i - 1];
    CHECK(IsHalf(changes, drawn.size() - 1));
    CHECK(taken(7) == drawn);
    CHECK(taken(8) != drawn);
}

TEST_CASE("Switches whose hashes have seeds of their own choose independently of each other for the same flows") {
    const auto taken = [](const char* seed) {
        return UplinksTaken({{"UplinkSelection", "hash"}, {"UplinkSeed", seed}}, 0, 200, 0);
    };
    const auto plain = taken("0"), one = taken("1"), other = taken("2");
    for (const auto& [first, second] : {std::pair{plain, one}, {plain, other}, {one, other}}) {
        std::ptrdiff_t same = 0;
        for (std::size_t flow = 0; flow < first.size(); ++flow) same += first[flow] == second[flow];
        CHECK(IsHalf(same, first.size()));
        CHECK(IsHalf(std::count(second.begin(), second.end(), 1), second.size()));
    }
    CHECK(taken("1") == one);
}

TEST_CASE("A list of uplinks that is not there ends the program with that word") {
    CHECK_THAT(said_at_death([] {
                   TwoTiers tiers(Values{{"UplinkSelection", "static"}, {"UplinkList", "3"}});
                   ns3::Simulator::Run();
               }),
               Contains("UplinkList has 3, and there are 2"));
    CHECK_THAT(said_at_death([] {
                   TwoTiers tiers(Values{{"UplinkSelection", "static"}});
                   ns3::Simulator::Run();
               }),
               Contains("static UplinkSelection needs UplinkList"));
}

TEST_CASE("The rate of uplinks is that of the cables that are there, and of those that come") {
    const Simulation simulation;
    const ns3::NodeContainer lower(1), upper(2);
    WatershedSwitchHelper helper;
    auto ports = helper.AddUplink(lower.Get(0), upper.Get(0));
    WatershedSwitchImpl::Of(lower.Get(0))->SetAttribute("UplinkRate", ns3::StringValue("40Gbps"));
    ports.Add(helper.AddUplink(lower.Get(0), upper.Get(1)));
    ns3::Simulator::Run();
    for (std::uint32_t i = 0; i < ports.GetN(); ++i)
        CHECK(ns3::DynamicCast<WatershedNetDeviceImpl>(ports.Get(i))->GetRate() == BitRate{40'000'000'000});
}

TEST_CASE("Cables in a bundle are one link between two switches") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(2), switches(2);
    WatershedSwitchHelper helper;
    helper.Set("UplinkSelection", ns3::StringValue("round-robin"));
    helper.Set("UplinkRate", ns3::StringValue("10Gbps"));
    helper.Set("Uplinks", ns3::StringValue("3"));
    ns3::NetDeviceContainer devices = helper.Install(hosts.Get(0), switches.Get(0));
    devices.Add(helper.Install(hosts.Get(1), switches.Get(1)));
    ns3::NetDeviceContainer cables;
    for (int i = 0; i < 3; ++i) cables.Add(helper.Bundle(switches.Get(0), switches.Get(1)));
    ns3::InternetStackHelper().Install(hosts);
    ns3::Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0");
    UdpBurst burst(hosts.Get(0), hosts.Get(1), addresses.Assign(devices).GetAddress(1));
    burst.At(ns3::Seconds(1), 1);
    burst.At(ns3::Seconds(2), 90);
    ns3::Simulator::Run();
    CHECK(burst.received == 91);
    for (std::uint32_t i = 0; i < cables.GetN(); ++i) {
        const auto port = ns3::DynamicCast<WatershedNetDeviceImpl>(cables.Get(i));
        CHECK(port->GetRate() == BitRate{10'000'000'000});
        if (i % 2 == 0) CHECK(port->GetFramesSent() >= 30);
    }
}

}  // namespace watershed
