// SPDX-License-Identifier: GPL-2.0-only
// One burst of UDP datagrams from all front ends of a scenario file to its server, one for each event, and what the
// switches lose of it.
//
//   scenario-burst FILE EVENTS SEPARATION PAYLOAD [KEY=VALUE ...]      scenario-burst camera.toml 200 16us 1000
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/watershed-scenario.h>
#include <ns3/watershed-switch-helper.h>

#include <iostream>
#include <map>

using namespace ns3;
using watershed::LossCause;
using watershed::WatershedScenario;
using watershed::WatershedSwitch;
using watershed::WatershedSwitchHelper;

namespace {

void Drop(std::map<std::string, int>* lost, Ptr<const Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) {
    ++(*lost)[std::string(cause.reason)];
}
void Receive(int* frames, Ptr<Socket> socket) {
    while (socket->Recv()) ++*frames;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::cerr << "usage: scenario-burst FILE EVENTS SEPARATION PAYLOAD [KEY=VALUE ...]\n";
        return 2;
    }
    Time::SetResolution(Time::PS);
    const auto network = WatershedScenario::Read(argv[1], {argv + 5, argv + argc});
    const int events = std::stoi(argv[2]), payload = std::stoi(argv[4]);
    const Time separation(argv[3]);
    InternetStackHelper stack;
    stack.Install(network.GetHosts());
    stack.Install(network.GetServer());
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(network.GetDevices());
    WatershedSwitchHelper::PopulateNeighbors(interfaces);
    std::map<std::string, int> lost;
    for (std::uint32_t i = 0; i < network.GetSwitches().GetN(); ++i)
        WatershedSwitch::Of(network.GetSwitches().Get(i))
            ->TraceConnectWithoutContext("Drop", MakeBoundCallback(&Drop, &lost));

    constexpr std::uint16_t kPort = 9;
    const auto udp = UdpSocketFactory::GetTypeId();
    const auto sink = Socket::CreateSocket(network.GetServer(), udp);
    int received = 0;
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), kPort));
    sink->SetRecvCallback(MakeBoundCallback(&Receive, &received));
    const std::uint32_t hosts = network.GetHosts().GetN();
    const InetSocketAddress server(interfaces.GetAddress(hosts), kPort);
    for (std::uint32_t host = 0; host < hosts; ++host) {
        const auto socket = Socket::CreateSocket(network.GetHosts().Get(host), udp);
        for (int event = 0; event < events; ++event)
            Simulator::Schedule(separation * event, [=] {
                socket->SendTo(Create<Packet>(static_cast<std::uint32_t>(payload)), 0, server);
            });
    }
    Simulator::Run();
    std::cout << "received " << received << "\n";
    for (const auto& [reason, frames] : lost) std::cout << reason << " " << frames << "\n";
    Simulator::Destroy();
}
