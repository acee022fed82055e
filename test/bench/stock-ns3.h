// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/node-container.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-helper.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/string.h>
#include <ns3/traffic-control-helper.h>
#include <ns3/udp-socket-factory.h>

#include <functional>

#include "model/scenario.h"

/// The synchronous burst as users of ns-3 write it without this project: PointToPoint links, a node in the middle, DropTail.
namespace stock {

enum class Stack {
    Devices,      ///< packets handed from device to device
    Sockets,      ///< UDP sockets over IP, routed, without queue discs
    AsInstalled   ///< the same with the queue discs, and on the uplink the queue, that ns-3 installs by itself
};

/// What a run told.
struct Result {
    std::int64_t received = 0;
    std::uint64_t events = 0;
    double queued_heap = 0;   ///< bytes, when most frames wait
};

constexpr int kPppHeader = 2;
constexpr int kIpUdpHeaders = 28;

/// @param heap bytes in use
inline Result run(const watershed::Scenario& scenario, Stack stack, const std::function<double()>& heap) {
    using namespace ns3;
    using watershed::Bytes;
    const bool sockets = stack != Stack::Devices;
    const auto modules = static_cast<std::uint32_t>(scenario.front_end.modules);
    const std::int64_t events = *scenario.trigger.events;
    // PointToPoint charges a link PPP's header alone, so the payload makes up for preamble, Ethernet header, FCS and gap.
    const Bytes wire = scenario.frame.payload + scenario.frame.wire_overhead;
    const auto payload = static_cast<std::uint32_t>(wire.count - kPppHeader - (sockets ? kIpUdpHeaders : 0));

    NodeContainer cameras(modules), others(2);
    const Ptr<Node> middle = others.Get(0), server = others.Get(1);
    PointToPointHelper link, uplink;
    link.SetDeviceAttribute("DataRate", StringValue(std::to_string(scenario.front_end.link_rate.count) + "bps"));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000000p"));
    uplink.SetDeviceAttribute("DataRate", StringValue(std::to_string(scenario.network_switch.uplink_rate.count) + "bps"));
    // The packet being sent is not in the device's queue.
    if (stack != Stack::AsInstalled) uplink.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(std::to_string(scenario.network_switch.buffer.size.amount - 1) + "p"));
    for (auto* each : {&link, &uplink}) each->SetDeviceAttribute("Mtu", UintegerValue(9000));

    std::vector<NetDeviceContainer> links;
    for (std::uint32_t i = 0; i < modules; ++i) links.push_back(link.Install(cameras.Get(i), middle));
    const NetDeviceContainer up = uplink.Install(middle, server);

    Result result;
    std::vector<std::function<void()>> send;
    if (sockets) {
        InternetStackHelper().InstallAll();
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
        TrafficControlHelper control;
        Ipv4InterfaceContainer server_addresses = addresses.Assign(up);
        if (stack == Stack::Sockets) control.Uninstall(up);
        const Ptr<Socket> sink = Socket::CreateSocket(server, UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        sink->SetRecvCallback([&result](Ptr<Socket> socket) {
            while (socket->Recv()) ++result.received;
        });
        for (std::uint32_t i = 0; i < modules; ++i) {
            addresses.NewNetwork();
            const Ipv4InterfaceContainer ends = addresses.Assign(links[i]);
            if (stack == Stack::Sockets) control.Uninstall(links[i]);
            Ipv4StaticRoutingHelper().GetStaticRouting(cameras.Get(i)->GetObject<Ipv4>())->SetDefaultRoute(ends.GetAddress(1), 1);
            const Ptr<Socket> socket = Socket::CreateSocket(cameras.Get(i), UdpSocketFactory::GetTypeId());
            socket->Connect(InetSocketAddress(server_addresses.GetAddress(1), 9));
            send.push_back([socket, payload] { socket->Send(Create<Packet>(payload)); });
        }
    } else {
        const Ptr<NetDevice> out = up.Get(0);
        for (std::uint32_t i = 0; i < modules; ++i) {
            links[i].Get(1)->SetReceiveCallback([out](Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t protocol, const Address&) {
                out->Send(packet->Copy(), out->GetBroadcast(), protocol);
                return true;
            });
            const Ptr<NetDevice> device = links[i].Get(0);
            send.push_back([device, payload] { device->Send(Create<Packet>(payload), device->GetBroadcast(), 0x0800); });
        }
        up.Get(1)->SetReceiveCallback([&result](Ptr<NetDevice>, Ptr<const Packet>, std::uint16_t, const Address&) {
            ++result.received;
            return true;
        });
    }

    const Time separation = PicoSeconds(static_cast<std::uint64_t>(scenario.trigger.separation.count()));
    std::int64_t sent = 0;
    std::function<void()> trigger = [&] {
        for (const auto& each : send) each();
        if (++sent < events) Simulator::Schedule(separation, [&] { trigger(); });
    };
    Simulator::Schedule(Seconds(0), [&] { trigger(); });
    const double before = heap();
    Simulator::Schedule(separation * (events - 1), [&] { result.queued_heap = heap() - before; });
    Simulator::Run();
    result.events = Simulator::GetEventCount();
    Simulator::Destroy();
    return result;
}

}  // namespace stock
