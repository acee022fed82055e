// SPDX-License-Identifier: GPL-2.0-only
// One memory that ports share, against a queue for each port with its part of it, as the stock bridge has: bursts of
// growing length to one host at a time, and what of them is lost.
//
//   [ host 1 ]--1 Gb/s--+
//        ...            +--[ switch or stock bridge ]
//   [ host N ]--1 Gb/s--+
//
//   shared-buffer --hosts=8 --frames=256
//
// quick: --hosts=4 --frames=64 --steps=2
#include <ns3/bridge-module.h>
#include <ns3/core-module.h>
#include <ns3/csma-module.h>
#include <ns3/network-module.h>
#include <ns3/watershed-switch-helper.h>

#include <iostream>
#include <string>

using namespace ns3;

namespace {

constexpr std::uint32_t kPayload = 1400;

void Send(Ptr<NetDevice> from, Address to) { from->Send(Create<Packet>(kPayload), to, 0x88b5); }
void Count(std::uint64_t* frames, Ptr<const Packet>) { ++*frames; }

/// All hosts but the last send so many frames each to it, as fast as their links carry them.
std::uint64_t Received(const NetDeviceContainer& devices, std::uint32_t burst) {
    const auto last = devices.Get(devices.GetN() - 1);
    std::uint64_t received = 0;
    last->TraceConnectWithoutContext("MacRx", MakeBoundCallback(&Count, &received));
    Simulator::Schedule(MilliSeconds(1), &Send, last, devices.Get(0)->GetAddress());  // the bridge learns where it is
    const Time frame = DataRate("1Gbps").CalculateBytesTxTime(kPayload + 14 + 24);
    for (std::uint32_t i = 0; i < burst; ++i)
        for (std::uint32_t host = 0; host + 1 < devices.GetN(); ++host)
            Simulator::Schedule(MilliSeconds(2) + i * frame, &Send, devices.Get(host), last->GetAddress());
    Simulator::Run();
    Simulator::Destroy();
    return received;
}

std::uint64_t WithSwitch(std::uint32_t hosts, std::uint32_t frames, const std::string& sharing, std::uint32_t burst) {
    WatershedSwitchHelper helper;
    helper.Set("Sharing", StringValue(sharing));
    helper.Set("MaxSize", StringValue(std::to_string(frames) + "p"));
    return Received(helper.Install(NodeContainer(hosts), CreateObject<Node>()), burst);
}

std::uint64_t WithBridge(std::uint32_t hosts, std::uint32_t frames, std::uint32_t burst) {
    const NodeContainer nodes(hosts);
    const auto bridge = CreateObject<Node>();
    NetDeviceContainer devices, ports;
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    for (std::uint32_t i = 0; i < hosts; ++i) {
        csma.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(std::to_string(frames / hosts) + "p"));
        const NetDeviceContainer link = csma.Install(NodeContainer(nodes.Get(i), bridge));
        devices.Add(link.Get(0));
        ports.Add(link.Get(1));
    }
    BridgeHelper().Install(bridge, ports);
    return Received(devices, burst);
}

}  // namespace

int main(int argc, char** argv) {
    std::uint32_t hosts = 8, frames = 256, steps = 10;
    CommandLine command(__FILE__);
    command.AddValue("hosts", "Hosts; all send to the last one", hosts);
    command.AddValue("frames", "Frames that the memory holds, or all queues together", frames);
    command.AddValue("steps", "Lengths of bursts, from 8 frames a host on, 8 apart", steps);
    command.Parse(argc, argv);
    std::cout << "# frames_each  lost_shared  lost_dynamic_threshold  lost_stock_bridge  of\n";
    for (std::uint32_t step = 1; step <= steps; ++step) {
        const std::uint32_t burst = 8 * step;
        const std::uint64_t sent = std::uint64_t{burst} * (hosts - 1);
        std::cout << burst << "  " << sent - WithSwitch(hosts, frames, "shared", burst) << "  "
                  << sent - WithSwitch(hosts, frames, "dynamic-threshold", burst) << "  "
                  << sent - WithBridge(hosts, frames, burst) << "  " << sent << "\n";
    }
}
