// SPDX-License-Identifier: GPL-2.0-only
// Two tiers of switches, where each lower one has an uplink to each upper one: flows are spread over the uplinks by a
// hash (ECMP), by the number of their input, or frame by frame, in turn or by lot. It prints what each uplink of the
// first switch carried, and what was lost where more flows met on one than it carries.
//
//   [ host ]--1 Gb/s--[ lower ]--1 Gb/s--[ upper ]--1 Gb/s--[ lower ]--1 Gb/s--[ host ]
//     ... each                x each                               each ...
//
//   two-tiers --hosts=8 --uppers=4 --flows=4
//
// quick: --hosts=4 --uppers=2 --frames=50
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/watershed-switch-helper.h>

#include <iostream>
#include <vector>

using namespace ns3;

namespace {

std::uint64_t g_received = 0, g_lost = 0;

void Send(Ptr<Socket> socket, InetSocketAddress to) { socket->SendTo(Create<Packet>(1400), 0, to); }
void Read(Ptr<Socket> socket) {
    while (socket->Recv()) ++g_received;
}
void Drop(Ptr<const Packet>, std::uint32_t, std::uint32_t output, const WatershedSwitch::LossCause&) {
    g_lost += output != WatershedSwitch::kNoPort;
}

void Run(std::uint32_t hosts, std::uint32_t uppers, std::uint32_t flows, std::uint32_t frames, const char* selection) {
    g_received = g_lost = 0;
    const NodeContainer left(hosts), right(hosts), lower(2), upper(uppers);
    WatershedSwitchHelper helper;
    helper.Set("UplinkSelection", StringValue(selection));
    helper.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    NetDeviceContainer devices = helper.Install(left, lower.Get(0));
    devices.Add(helper.Install(right, lower.Get(1)));
    NetDeviceContainer uplinks;
    for (std::uint32_t i = 0; i < 2; ++i)
        for (std::uint32_t above = 0; above < uppers; ++above)
            uplinks.Add(helper.AddUplink(lower.Get(i), upper.Get(above)).Get(0));
    NodeContainer all(left, right);
    InternetStackHelper().Install(all);
    const Ipv4InterfaceContainer interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(devices);
    WatershedSwitchHelper::PopulateTables();
    WatershedSwitchHelper::PopulateNeighbors(interfaces);
    for (const auto& tier : {lower, upper})
        for (std::uint32_t i = 0; i < tier.GetN(); ++i)
            WatershedSwitch::Of(tier.Get(i))->TraceConnectWithoutContext("Drop", MakeCallback(&Drop));

    const auto udp = UdpSocketFactory::GetTypeId();
    std::vector<Ptr<Socket>> sockets;
    const Time gap = DataRate("1Gbps").CalculateBytesTxTime(1400 + 28 + 14 + 24) * flows;
    for (std::uint32_t host = 0; host < hosts; ++host) {
        sockets.push_back(Socket::CreateSocket(right.Get(host), udp));
        sockets.back()->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        sockets.back()->SetRecvCallback(MakeCallback(&Read));
        const InetSocketAddress to(interfaces.GetAddress(hosts + host), 9);
        for (std::uint32_t flow = 0; flow < flows; ++flow) {
            sockets.push_back(Socket::CreateSocket(left.Get(host), udp));
            for (std::uint32_t frame = 0; frame < frames; ++frame)
                Simulator::Schedule(Seconds(1) + gap * frame + gap * flow / flows, &Send, sockets.back(), to);
        }
    }
    Simulator::Run();
    std::cout << selection << "  " << g_lost << "  " << g_received << "  " << std::uint64_t{hosts} * flows * frames;
    for (std::uint32_t above = 0; above < uppers; ++above)
        std::cout << "  " << DynamicCast<WatershedNetDevice>(uplinks.Get(above))->GetFramesSent();
    std::cout << "\n";
    Simulator::Destroy();
}

}  // namespace

int main(int argc, char** argv) {
    std::uint32_t hosts = 4, uppers = 4, flows = 4, frames = 500;
    Config::SetDefault("ns3::WatershedSwitch::MaxSize", StringValue("200p"));
    CommandLine command(__FILE__);
    command.AddValue("hosts", "Hosts of each lower switch", hosts);
    command.AddValue("uppers", "Upper switches", uppers);
    command.AddValue("flows", "Flows of each host, which together fill its link", flows);
    command.AddValue("frames", "Frames of each flow", frames);
    command.Parse(argc, argv);
    std::cout << "# uplinks_by  lost  received  of  frames of each uplink\n";
    for (const char* selection : {"hash", "modulo", "round-robin", "random"})
        Run(hosts, uppers, flows, frames, selection);
}
