// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-flow-probe.h"

#include <ns3/flow-monitor-helper.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/socket.h>
#include <ns3/string.h>

#include <set>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/switch/event-driven-switch.h"
#include "model/switch/switch-control.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

TEST_CASE("FlowMonitor knows of which flow the packets were that a switch lost, and why") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(3);
    const auto node = ns3::CreateObject<ns3::Node>();
    WatershedSwitchHelper helper;
    helper.Set("MaxSize", ns3::StringValue("4p"));
    const auto devices = helper.Install(hosts, node);
    ns3::InternetStackHelper().Install(hosts);
    ns3::Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0");
    const auto interfaces = addresses.Assign(devices);
    ns3::FlowMonitorHelper flows;
    const auto monitor = flows.Install(hosts);
    const auto probe = ns3::CreateObject<WatershedFlowProbe>(monitor, WatershedSwitchImpl::Of(node));

    const auto send = [&](std::uint32_t host, int datagrams) {
        const auto socket =
            ns3::Socket::CreateSocket(hosts.Get(host), ns3::TypeId::LookupByName("ns3::UdpSocketFactory"));
        for (int i = 0; i < datagrams; ++i)
            socket->SendTo(ns3::Create<ns3::Packet>(1000), 0, ns3::InetSocketAddress(interfaces.GetAddress(2), 9));
    };
    for (std::uint32_t host : {0u, 1u}) {
        ns3::Simulator::Schedule(ns3::MilliSeconds(1000 + host), [send, host] { send(host, 1); });
        ns3::Simulator::Schedule(ns3::Seconds(2), [send, host] { send(host, 50); });
    }
    ns3::Simulator::Stop(ns3::Seconds(3));  // the monitor looks for lost packets without end
    ns3::Simulator::Run();

    const std::uint32_t full = WatershedFlowProbe::GetReasonCode(SwitchMemory::kBufferFull);
    std::uint32_t lost = 0;
    int flows_with_loss = 0;
    for (const auto& [flow, stats] : monitor->GetFlowStats()) {
        CHECK(stats.rxPackets + stats.lostPackets == stats.txPackets);
        if (stats.lostPackets == 0) continue;
        REQUIRE(stats.packetsDropped.size() == full + 1);
        CHECK(stats.packetsDropped[full] == stats.lostPackets);
        ++flows_with_loss;
        lost += stats.lostPackets;
    }
    // Two come for each that leaves, so of 100 near half find the four places taken.
    CHECK(lost >= 40);
    CHECK(lost <= 50);
    CHECK(flows_with_loss >= 1);
    CHECK(probe->GetStats().size() == static_cast<std::size_t>(flows_with_loss));
    monitor->Dispose();
}

TEST_CASE("Each reason has a code of its own, behind those of ns-3's probes") {
    std::set<std::uint32_t> codes;
    for (const LossCause& cause : {SwitchMemory::kBufferFull,
                                   SwitchMemory::kThreshold,
                                   SwitchMemory::kDescriptors,
                                   SwitchMemory::kEarlyDrop,
                                   SwitchMemory::kHeadroomFull,
                                   SwitchMemory::kResume,
                                   WatershedSwitchImpl::kSamePort,
                                   WatershedSwitchImpl::kFromUplink,
                                   SwitchMemory::kPushedOut,
                                   EventDrivenSwitch::kInputFifoFull,
                                   SwitchControl<>::kLinkDown,
                                   SwitchMemory::kDramFull,
                                   LossCause{"switch", "one"},
                                   {"switch", "another"}})
        for (int i = 0; i < 2; ++i) codes.insert(WatershedFlowProbe::GetReasonCode(cause));
    CHECK(codes.size() == 14);
    CHECK(*codes.begin() == 16);
    CHECK(*codes.rbegin() == 16 + 13);
}

}  // namespace watershed
