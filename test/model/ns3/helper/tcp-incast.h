// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/double.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-interface-container.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-socket-factory.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

/// Hosts with ns-3's own protocol stack round one switch; the last one listens.
class TcpIncast {
  public:
    TcpIncast(std::uint32_t senders, const WatershedSwitchHelper& helper) : hosts(senders + 1) {
        const ns3::NetDeviceContainer devices = helper.Install(hosts, node);
        ns3::InternetStackHelper stack;
        stack.Install(hosts);
        // The same whichever tests went before. Where frames are lost, the TCP of ns-3 3.37 crashes with other streams,
        // in TcpRateLinux::SkbSent(); it does so behind the stock bridge and CSMA, too.
        stack.AssignStreams(hosts, 300);
        ns3::Ipv4AddressHelper addresses;
        addresses.SetBase("10.0.0.0", "255.255.255.0");
        interfaces = addresses.Assign(devices);
        const auto network_switch = WatershedSwitchImpl::Of(node);
        network_switch->TraceConnectWithoutContext("Enqueue", ns3::MakeCallback(&TcpIncast::Enqueue, this));
        network_switch->TraceConnectWithoutContext("Dequeue", ns3::MakeCallback(&TcpIncast::Dequeue, this));
        network_switch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&TcpIncast::Drop, this));
        network_switch->TraceConnectWithoutContext("Mark", ns3::MakeCallback(&TcpIncast::Mark, this));
        network_switch->TraceConnectWithoutContext("Pause", ns3::MakeCallback(&TcpIncast::Pause, this));
        network_switch->TraceConnectWithoutContext("PortOccupancy", ns3::MakeCallback(&TcpIncast::PortOccupancy, this));
    }

    ns3::Ptr<ns3::Socket> Open(std::uint32_t host, const char* factory) const {
        return ns3::Socket::CreateSocket(hosts.Get(host), ns3::TypeId::LookupByName(factory));
    }

    /// Everybody sends so many bytes by TCP to the last host, at once; @return what it got
    std::uint64_t SendByTcp(std::uint32_t bytes) {
        const std::uint32_t last = hosts.GetN() - 1;
        const auto listener = Open(last, "ns3::TcpSocketFactory");
        listener->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), 9));
        listener->Listen();
        listener->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                                    ns3::MakeCallback(&TcpIncast::Accept, this));
        std::vector<ns3::Ptr<ns3::Socket>> sockets;
        for (std::uint32_t host = 0; host < last; ++host) {
            sockets.push_back(Open(host, "ns3::TcpSocketFactory"));
            sockets.back()->SetAttribute("SndBufSize", ns3::UintegerValue(bytes));
            sockets.back()->SetAttribute("SegmentSize", ns3::UintegerValue(1448));
            sockets.back()->Connect(ns3::InetSocketAddress(interfaces.GetAddress(last), 9));
            sockets.back()->Send(ns3::Create<ns3::Packet>(bytes));
        }
        ns3::Simulator::Stop(ns3::Seconds(60));
        ns3::Simulator::Run();
        return m_received;
    }

    Simulation simulation;
    ns3::NodeContainer hosts;
    ns3::Ptr<ns3::Node> node = ns3::CreateObject<ns3::Node>();
    ns3::Ipv4InterfaceContainer interfaces;
    std::int64_t enqueued = 0, dequeued = 0, marked = 0, pauses = 0;
    std::map<std::string, std::int64_t> drops;
    std::map<std::uint32_t, std::int64_t> dropped_for;       ///< by output
    std::map<std::uint32_t, std::int64_t> waiting, longest;  ///< bytes, by port
    double byte_seconds = 0;                                 ///< of the last port's queue, over time

  private:
    void Enqueue(ns3::Ptr<const ns3::Packet>, std::uint32_t) { ++enqueued; }
    void Dequeue(ns3::Ptr<const ns3::Packet>, std::uint32_t) { ++dequeued; }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t output, const LossCause& cause) {
        ++drops[std::string(cause.reason)];
        ++dropped_for[output];
    }
    void Mark(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t) { ++marked; }
    void Pause(std::uint32_t, std::uint32_t quanta, std::uint32_t) { pauses += quanta > 0; }
    void PortOccupancy(std::uint32_t port, std::int64_t, std::int64_t bytes) {
        const double now = ns3::Simulator::Now().GetSeconds();
        if (port + 1 == hosts.GetN()) byte_seconds += static_cast<double>(waiting[port]) * (now - m_since);
        if (port + 1 == hosts.GetN()) m_since = now;
        waiting[port] = bytes;
        longest[port] = std::max(longest[port], bytes);
    }
    void Accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address&) {
        socket->SetRecvCallback(ns3::MakeCallback(&TcpIncast::Read, this));
    }
    void Read(ns3::Ptr<ns3::Socket> socket) {
        while (const auto packet = socket->Recv()) m_received += packet->GetSize();
    }

    std::uint64_t m_received = 0;
    double m_since = 0;
};

inline WatershedSwitchHelper Thresholds(std::uint64_t bytes) {
    WatershedSwitchHelper helper;
    helper.Set("Sharing", ns3::StringValue("dynamic-threshold"));
    helper.Set("Alpha", ns3::DoubleValue(1));
    helper.Set("SizeUnit", ns3::StringValue("bytes"));
    helper.Set("Size", ns3::UintegerValue(bytes));
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
    helper.SetChannelAttribute("Delay", ns3::StringValue("10us"));
    return helper;
}

}  // namespace watershed
