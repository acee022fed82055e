// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/bridge-helper.h>
#include <ns3/csma-helper.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/node-container.h>
#include <ns3/simple-net-device-helper.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/string.h>
#include <ns3/udp-socket-factory.h>
#include <ns3/uinteger.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"

// How much faster packets of hosts pass the switch than a bridge of CSMA devices, which is what ns-3 has for it: eight
// hosts send bursts of 1000 B, each to one of eight others, as packets of their devices or from UDP sockets. With
// priority flow control two send to one, at twice the rate of its link. `NETWORK TRAFFIC BURSTS` runs one case, for
// callgrind: of `device`, which is two hosts on a SimpleChannel and no switch, `raw` and `udp`.

namespace {

using namespace ns3;

constexpr std::uint32_t kPairs = 8, kBurst = 50, kPayload = 1000;

enum class Network { Watershed, Csma, Device };
enum class Traffic { Raw, Udp, Pfc };

NetDeviceContainer connect(Network network, Traffic traffic, const NodeContainer& hosts) {
    const Ptr<Node> middle = NodeContainer(1).Get(0);
    if (network == Network::Watershed) {
        watershed::WatershedSwitchHelper helper;
        helper.Set("MaxSize", StringValue("16MB"));
        if (traffic == Traffic::Pfc) {
            helper.Set("FlowControl", StringValue("pfc"));
            helper.Set("Scheduler", StringValue("drr"));
            helper.Set("Xoff", StringValue("20kB"));
            helper.Set("Xon", StringValue("10kB"));
        }
        helper.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
        helper.SetDeviceAttribute("FifoLimit", UintegerValue(0));
        return helper.Install(hosts, middle);
    }
    NetDeviceContainer devices, ports;
    if (network == Network::Device) {
        for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
            SimpleNetDeviceHelper helper;
            helper.SetNetDevicePointToPointMode(true);
            helper.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
            helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000000p"));
            devices.Add(helper.Install(NodeContainer(hosts.Get(pair), hosts.Get(kPairs + pair))));
        }
        NetDeviceContainer in_order;
        for (const std::uint32_t end : {0u, 1u})
            for (std::uint32_t pair = 0; pair < kPairs; ++pair) in_order.Add(devices.Get(2 * pair + end));
        return in_order;
    }
    CsmaHelper helper;
    helper.SetChannelAttribute("DataRate", StringValue("10Gbps"));
    helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000000p"));
    for (std::uint32_t host = 0; host < hosts.GetN(); ++host) {
        const NetDeviceContainer cable = helper.Install(NodeContainer(hosts.Get(host), middle));
        devices.Add(cable.Get(0));
        ports.Add(cable.Get(1));
    }
    BridgeHelper().Install(middle, ports);
    return devices;
}

/// Runs until all packets have arrived.
void run(Network network, Traffic traffic, std::uint32_t bursts) {
    const NodeContainer hosts(2 * kPairs);
    const NetDeviceContainer devices = connect(network, traffic, hosts);
    const auto receiver_of = [&](std::uint32_t host) { return kPairs + (traffic == Traffic::Pfc ? host / 2 : host); };
    std::uint64_t received = 0;
    std::vector<std::function<void()>> senders;
    if (traffic == Traffic::Udp) {
        InternetStackHelper().Install(hosts);
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
        for (std::uint32_t host = 0; host < kPairs; ++host) {
            const auto receiver = Socket::CreateSocket(hosts.Get(receiver_of(host)), UdpSocketFactory::GetTypeId());
            receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            receiver->SetRecvCallback([&received](Ptr<Socket> socket) {
                while (socket->Recv()) ++received;
            });
            const auto socket = Socket::CreateSocket(hosts.Get(host), UdpSocketFactory::GetTypeId());
            socket->Connect(InetSocketAddress(interfaces.GetAddress(receiver_of(host)), 9));
            senders.emplace_back([socket] { socket->Send(Create<Packet>(kPayload)); });
        }
    } else {
        for (std::uint32_t host = 0; host < kPairs; ++host) {
            devices.Get(kPairs + host)
                ->SetReceiveCallback([&received](Ptr<NetDevice>, Ptr<const Packet>, std::uint16_t, const Address&) {
                    ++received;
                    return true;
                });
            const Ptr<NetDevice> device = devices.Get(host);
            const Address to = devices.Get(receiver_of(host))->GetAddress();
            senders.emplace_back([device, to] { device->Send(Create<Packet>(kPayload), to, 0x0800); });
        }
    }
    // Before the first burst each has heard of the others: by a frame to all, or by ARP.
    for (std::uint32_t host = 0; host < kPairs; ++host)
        Simulator::Schedule(MicroSeconds(1 + 10 * host), [&, host] {
            if (traffic == Traffic::Udp) return senders[host]();
            const auto from = devices.Get(kPairs + host);
            from->Send(Create<Packet>(kPayload), from->GetBroadcast(), 0x0801);
        });
    const auto begin = MilliSeconds(50);  // ARP takes its time at random
    Simulator::Schedule(begin - MilliSeconds(1), [&] { received = 0; });
    std::uint32_t burst = 0;
    const ns3::Time separation = MicroSeconds(traffic == Traffic::Pfc ? 100 : 50);
    const std::function<void()> send = [&] {
        for (std::uint32_t i = 0; i < kBurst; ++i)
            for (const auto& sender : senders) sender();
        if (++burst < bursts) Simulator::Schedule(separation, [&] { send(); });
    };
    Simulator::Schedule(begin, [&] { send(); });
    Simulator::Stop(begin + MilliSeconds(1) + separation * bursts);
    Simulator::Run();
    Simulator::Destroy();
    const std::uint64_t expected = std::uint64_t{bursts} * kBurst * kPairs;
    if (received != expected)
        throw std::runtime_error("found " + std::to_string(received) + " packets at hosts, expected " +
                                 std::to_string(expected));
}

/// Processor time of this process, which others on the machine do not disturb.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds(Network network, Traffic traffic, std::uint32_t bursts) {
    const double start = processor_time();
    run(network, traffic, bursts);
    return processor_time() - start;
}

}  // namespace

int main(int argc, char** argv) {
    ns3::Time::SetResolution(ns3::Time::PS);
    const std::vector<std::string> networks{"watershed", "csma", "device"}, traffics{"raw", "udp", "pfc"};
    const auto number = [](const std::vector<std::string>& names, const std::string& name) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) throw std::runtime_error("found " + name + ", expected NETWORK TRAFFIC BURSTS");
        return static_cast<int>(found - names.begin());
    };
    try {
        if (argc == 4) {
            run(static_cast<Network>(number(networks, argv[1])), static_cast<Traffic>(number(traffics, argv[2])),
                static_cast<std::uint32_t>(std::stoul(argv[3])));
            return 0;
        }
        std::printf("times the speed of the CSMA bridge, median of five pairs of runs\n");
        for (const Traffic traffic : {Traffic::Raw, Traffic::Udp, Traffic::Pfc}) {
            std::vector<double> ratios;
            for (int pair = 0; pair < 5; ++pair) {
                const double stock = seconds(Network::Csma, traffic, 200);
                ratios.push_back(stock / seconds(Network::Watershed, traffic, 200));
            }
            std::sort(ratios.begin(), ratios.end());
            std::printf("%-4s %5.2f\n", traffics[static_cast<std::size_t>(traffic)].c_str(), ratios[2]);
        }
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
