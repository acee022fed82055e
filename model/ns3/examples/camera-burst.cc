// SPDX-License-Identifier: GPL-2.0-only
// The burst of a synchronous camera: all modules send a frame at each trigger, and the memory of the switch decides how
// many arrive at the server. For each separation of triggers it prints what was lost, and what the closed form says.
//
//   [ module 1 ]--1 Gb/s--+
//         ...             +--[ switch, shared memory ]--10 Gb/s--[ server ]
//   [ module N ]--1 Gb/s--+
//
//   camera-burst --modules=44 --events=200 --ns3::WatershedSwitch::MaxSize=1000p
//
// quick: --modules=12 --events=20 --steps=2 --ns3::WatershedSwitch::MaxSize=20p
#include <ns3/core-module.h>
#include <ns3/network-module.h>
#include <ns3/watershed-switch-helper.h>

#include <algorithm>
#include <iostream>

using namespace ns3;

namespace {

constexpr std::uint32_t kPayload = 1038;                     // and 14 B of header; 24 B more on a link
constexpr double kUplinkFrame = (1038 + 14 + 24) * 8 / 10.;  // ns

void Send(Ptr<NetDevice> from, Address to) { from->Send(Create<Packet>(kPayload), to, 0x88b5); }
void Count(std::uint64_t* frames, Ptr<const Packet>) { ++*frames; }

/// Frames that come to the server.
std::uint64_t Run(std::uint32_t modules, std::uint32_t events, Time separation) {
    NodeContainer nodes(modules);
    const auto server = CreateObject<Node>(), switch_node = CreateObject<Node>();
    WatershedSwitchHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    const NetDeviceContainer devices = helper.Install(nodes, switch_node);
    helper.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    const auto sink = helper.Install(server, switch_node).Get(0);
    std::uint64_t received = 0;
    sink->TraceConnectWithoutContext("MacRx", MakeBoundCallback(&Count, &received));
    // The switch learns where the server is.
    Simulator::Schedule(MilliSeconds(1), &Send, sink, devices.Get(0)->GetAddress());
    for (std::uint32_t event = 0; event < events; ++event)
        for (std::uint32_t module = 0; module < modules; ++module)
            Simulator::Schedule(MilliSeconds(2) + event * separation, &Send, devices.Get(module), sink->GetAddress());
    Simulator::Run();
    Simulator::Destroy();
    return received;
}

}  // namespace

int main(int argc, char** argv) {
    Time::SetResolution(Time::PS);
    std::uint32_t modules = 44, events = 200, steps = 12;
    Config::SetDefault("ns3::WatershedSwitch::MaxSize", StringValue("1000p"));
    CommandLine command(__FILE__);
    command.AddValue("modules", "Modules of the camera", modules);
    command.AddValue("events", "Triggers of the burst", events);
    command.AddValue("steps", "Separations from 10 us on, 2.5 us apart", steps);
    command.Parse(argc, argv);
    StringValue size;
    ObjectFactory("ns3::WatershedSwitch").Create()->GetAttribute("Size", size);
    const double room = std::stod(size.Get());
    std::cout << "# separation_us  lost  lost_by_closed_form  of\n";
    for (std::uint32_t step = 0; step < steps; ++step) {
        const Time separation = NanoSeconds(10'000 + 2500 * step);
        const std::uint64_t sent = std::uint64_t{modules} * events;
        // Arrivals less departures until the last trigger, if that is more than there is room for.
        const double left = static_cast<double>(separation.GetNanoSeconds()) / kUplinkFrame * (events - 1);
        const double over = std::max(0., static_cast<double>(sent) - left - room);
        std::cout << separation.GetMicroSeconds() << (step % 2 ? ".5" : "") << "  "
                  << sent - Run(modules, events, separation) << "  " << static_cast<std::uint64_t>(over) << "  " << sent
                  << "\n";
    }
}
