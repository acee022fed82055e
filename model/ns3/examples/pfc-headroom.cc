// SPDX-License-Identifier: GPL-2.0-only
// A storm of priority flow control: hosts send more than the receiver's link carries, the switches pause them, and with
// too little headroom frames are lost all the same. For each headroom it prints losses, pauses, and how long a victim
// waits: a host behind the same joint whose own receiver is idle.
//
//   [ hosts ]--10 Gb/s--[ switch ]--10 Gb/s--[ switch ]--1 Gb/s--[ receiver ]
//   [ victim ]--10 Gb/s----+                     +-------10 Gb/s--[ its receiver ]
//
//   pfc-headroom --hosts=4 --frames=400
//
// quick: --hosts=2 --frames=100 --steps=2
#include <ns3/core-module.h>
#include <ns3/network-module.h>
#include <ns3/watershed-switch-helper.h>

#include <iostream>
#include <string>

using namespace ns3;

namespace {

struct Counted {
    std::uint64_t lost = 0, pauses = 0;
    Time victim;
};

void Send(Ptr<NetDevice> from, Address to) { from->Send(Create<Packet>(1400), to, 0x88b5); }
void Drop(Counted* counted, Ptr<const Packet>, std::uint32_t, std::uint32_t, const WatershedSwitch::LossCause&) {
    ++counted->lost;
}
void Pause(Counted* counted, std::uint32_t, std::uint32_t quanta, std::uint32_t) { counted->pauses += quanta > 0; }
void Victim(Counted* counted, Ptr<const Packet>) { counted->victim = Simulator::Now(); }

Counted Run(std::uint32_t hosts, std::uint32_t frames, std::uint32_t headroom) {
    Counted counted;
    const NodeContainer senders(hosts + 1), receivers(2), switches(2);  // the last sender is the victim
    WatershedSwitchHelper helper;
    helper.Set("Headroom", StringValue(std::to_string(headroom) + "B"));
    helper.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    helper.SetDeviceAttribute("FifoLimit", StringValue("100000"));
    helper.SetChannelAttribute("Delay", StringValue("5us"));
    const NetDeviceContainer from = helper.Install(senders, switches.Get(0));
    helper.Join(switches.Get(0), switches.Get(1));
    const auto its_receiver = helper.Install(receivers.Get(1), switches.Get(1)).Get(0);
    helper.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    const auto receiver = helper.Install(receivers.Get(0), switches.Get(1)).Get(0);
    for (std::uint32_t i = 0; i < 2; ++i) {
        const auto network_switch = WatershedSwitch::Of(switches.Get(i));
        network_switch->TraceConnectWithoutContext("Drop", MakeBoundCallback(&Drop, &counted));
        network_switch->TraceConnectWithoutContext("Pause", MakeBoundCallback(&Pause, &counted));
    }
    its_receiver->TraceConnectWithoutContext("MacRx", MakeBoundCallback(&Victim, &counted));
    // The switches learn where both receivers are.
    Simulator::Schedule(MilliSeconds(1), &Send, receiver, from.Get(0)->GetAddress());
    Simulator::Schedule(MilliSeconds(1), &Send, its_receiver, from.Get(0)->GetAddress());
    for (std::uint32_t host = 0; host < hosts; ++host)
        for (std::uint32_t frame = 0; frame < frames; ++frame)
            Simulator::Schedule(MilliSeconds(2), &Send, from.Get(host), receiver->GetAddress());
    Simulator::Schedule(MilliSeconds(3), &Send, from.Get(hosts), its_receiver->GetAddress());
    Simulator::Run();
    Simulator::Destroy();
    return counted;
}

}  // namespace

int main(int argc, char** argv) {
    Time::SetResolution(Time::PS);
    std::uint32_t hosts = 4, frames = 400, steps = 9;
    Config::SetDefault("ns3::WatershedSwitch::MaxSize", StringValue("200000B"));
    Config::SetDefault("ns3::WatershedSwitch::FlowControl", StringValue("pfc"));
    Config::SetDefault("ns3::WatershedSwitch::Xoff", StringValue("40000B"));
    Config::SetDefault("ns3::WatershedSwitch::Xon", StringValue("20000B"));
    CommandLine command(__FILE__);
    command.AddValue("hosts", "Hosts that send at once", hosts);
    command.AddValue("frames", "Frames that each sends", frames);
    command.AddValue("steps", "Headrooms from 0 on, 2500 B apart", steps);
    command.Parse(argc, argv);
    std::cout << "# headroom_bytes  lost  pauses  victim_us\n";
    for (std::uint32_t step = 0; step < steps; ++step) {
        const Counted counted = Run(hosts, frames, 2500 * step);
        std::cout << 2500 * step << "  " << counted.lost << "  " << counted.pauses << "  "
                  << (counted.victim - MilliSeconds(3)).GetMicroSeconds() << "\n";
    }
}
