// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <memory>
#include <string>
#include <vector>

#include "model/ns3/core/watershed-switch-helper.h"
#include "model/ns3/core/watershed-switch.h"
#include "simulation.h"
#include "tcp-incast.h"
#include "test/catch.h"
#include "udp-burst.h"

namespace watershed {

TEST_CASE(
    "Priority flow control holds hosts back without loss, and with too little headroom frames are lost in spite of "
    "it") {
    const auto lost = [](const char* headroom, const char* kind) {
        WatershedSwitchHelper helper = Thresholds(85'000);
        helper.Set("Sharing", ns3::StringValue("shared"));
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
    CHECK(WatershedSwitch::Of(switches.Get(0))->GetPauses() > 0);
    CHECK(WatershedSwitch::Of(switches.Get(1))->GetPauses() > 0);
}

}  // namespace watershed
