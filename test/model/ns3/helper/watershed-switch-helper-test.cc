// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/helper/watershed-switch-helper.h"

#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-global-routing-helper.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/traffic-control-helper.h>
#include <ns3/traffic-control-layer.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/helper/tcp-incast.h"
#include "test/model/ns3/helper/udp-burst.h"

namespace watershed {

TEST_CASE("Global routing sees through switches, one or two of them, as it does through ns3::BridgeNetDevice") {
    //   a - switch 1 = switch 2 - router - switch 3 - b
    const Simulation simulation;
    const ns3::NodeContainer ends(3), switches(3);  // a, router, b
    const WatershedSwitchHelper helper;
    ns3::NetDeviceContainer left = helper.Install(ends.Get(0), switches.Get(0));
    const auto joint = helper.Join(switches.Get(0), switches.Get(1));
    left.Add(helper.Install(ends.Get(1), switches.Get(1)));
    const ns3::NetDeviceContainer right = helper.Install(ns3::NodeContainer(ends.Get(1), ends.Get(2)), switches.Get(2));
    CHECK(joint.GetN() == 2);
    ns3::InternetStackHelper().Install(ends);
    ns3::Ipv4AddressHelper addresses;
    addresses.SetBase("10.1.1.0", "255.255.255.0");
    addresses.Assign(left);
    addresses.SetBase("10.1.2.0", "255.255.255.0");
    const auto there = addresses.Assign(right);
    ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    UdpBurst burst(ends.Get(0), ends.Get(2), there.GetAddress(1));
    burst.At(ns3::Seconds(1), 2);
    ns3::Simulator::Run();
    CHECK(burst.received == 2);
}

TEST_CASE(
    "What a host's device has no room for waits in its queue disc, which drops what exceeds that; byte queue limits "
    "keep the device's share short") {
    const auto dropped = [](bool limits) {
        const Simulation simulation;
        const ns3::NodeContainer hosts(2);
        WatershedSwitchHelper helper;
        helper.SetDeviceAttribute("DataRate", ns3::StringValue("10Mbps"));
        const auto devices = helper.Install(hosts, ns3::CreateObject<ns3::Node>());
        ns3::InternetStackHelper().Install(hosts);
        ns3::TrafficControlHelper control;
        control.SetRootQueueDisc("ns3::PfifoFastQueueDisc", "MaxSize", ns3::StringValue("50p"));
        if (limits) control.SetQueueLimits("ns3::DynamicQueueLimits");
        const auto discs = control.Install(devices);
        ns3::Ipv4AddressHelper addresses;
        addresses.SetBase("10.0.0.0", "255.255.255.0");
        const auto interfaces = addresses.Assign(devices);
        UdpBurst burst(hosts.Get(0), hosts.Get(1), interfaces.GetAddress(1));
        burst.At(ns3::Seconds(1), 1);  // finds the address
        burst.At(ns3::Seconds(2), 1000);
        ns3::Simulator::Run();
        const auto count = static_cast<int>(discs.Get(0)->GetStats().nTotalDroppedPackets);
        CHECK(burst.received == 1001 - count);
        return count;
    };
    CHECK(dropped(false) == 1000 - 100 - 50);
    CHECK(dropped(true) > 1000 - 100);  // a few frames on the device
}

TEST_CASE("A second Install adds ports of another speed to the same switch") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(2);
    const auto node = ns3::CreateObject<ns3::Node>(), server = ns3::CreateObject<ns3::Node>();
    WatershedSwitchHelper helper;
    helper.Install(hosts, node);
    const auto network_switch = WatershedSwitchImpl::Of(node);
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("10Gbps"));
    helper.Install(server, node);
    CHECK(WatershedSwitchImpl::Of(node) == network_switch);
    REQUIRE(network_switch->GetNBridgePorts() == 3);
    CHECK(ns3::DynamicCast<WatershedNetDeviceImpl>(network_switch->GetBridgePort(1))->GetRate() ==
          BitRate{1'000'000'000});
    CHECK(ns3::DynamicCast<WatershedNetDeviceImpl>(network_switch->GetBridgePort(2))->GetRate() ==
          BitRate{10'000'000'000});
}

TEST_CASE("Hosts with neighbours and switches with tables ask nobody: the first datagram comes when the links let it") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(3), switches(2);
    WatershedSwitchHelper helper;
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
    ns3::NetDeviceContainer devices = helper.Install(ns3::NodeContainer(hosts.Get(0), hosts.Get(1)), switches.Get(0));
    devices.Add(helper.Install(hosts.Get(2), switches.Get(1)));
    helper.Join(switches.Get(0), switches.Get(1));
    ns3::InternetStackHelper().Install(hosts);
    ns3::Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0");
    const auto interfaces = addresses.Assign(devices);
    WatershedSwitchHelper::PopulateTables();
    WatershedSwitchHelper::PopulateNeighbors(interfaces);
    UdpBurst burst(hosts.Get(0), hosts.Get(2), interfaces.GetAddress(2));
    burst.At(ns3::Seconds(1), 1);
    ns3::Time came;
    int elsewhere = 0;
    const auto on_each = [&](std::uint32_t host, auto&& what) {
        devices.Get(host)->TraceConnectWithoutContext("PhyRxEnd",
                                                      ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(what));
    };
    on_each(1, [&](const ns3::Ptr<const ns3::Packet>&) { ++elsewhere; });
    on_each(2, [&](const ns3::Ptr<const ns3::Packet>&) { came = ns3::Simulator::Now(); });
    ns3::Simulator::Run();
    CHECK(burst.received == 1);
    CHECK(elsewhere == 0);
    // Three links carry 1000 B of payload, UDP 8, IP 20, Ethernet 18, preamble 8 and gap 12.
    CHECK(came - ns3::Seconds(1) == ns3::NanoSeconds(3 * (1000 + 8 + 20 + 18 + 8 + 12) * 8));
}

TEST_CASE("EnablePcap and EnableAscii write files as the helpers of ns-3 do") {
    const std::string folder = std::filesystem::temp_directory_path() / ("watershed-pcap-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    {
        WatershedSwitchHelper helper;
        TcpIncast star(1, helper);
        helper.EnablePcap(folder + "/star", star.hosts.Get(0)->GetDevice(0));
        helper.EnablePcap(folder + "/port.pcap", star.node->GetDevice(1), true, true);
        helper.EnableAscii(folder + "/star", star.hosts.Get(0)->GetDevice(0));
        CHECK(star.SendByTcp(10'000) == 10'000);
    }
    const auto size = [&](const char* name) { return std::filesystem::file_size(folder + "/" + name); };
    CHECK(size("star-0-0.pcap") > 10'000);
    CHECK(size("port.pcap") > 10'000);
    std::ifstream ascii(folder + "/star-0-0.tr");
    const std::string text{std::istreambuf_iterator<char>(ascii), {}};
    CHECK_THAT(text,
               Contains("+ ") && Contains("r ") && Contains("/NodeList/0/DeviceList/0") && Contains("ns3::TcpHeader"));
    std::filesystem::remove_all(folder);
}

}  // namespace watershed
