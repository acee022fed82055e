// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/config.h>
#include <ns3/inet-socket-address.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/string.h>
#include <ns3/udp-socket-factory.h>

#include <string>
#include <utility>
#include <vector>

namespace watershed {

/// Defaults of attributes for the length of one test.
struct Defaults {
    explicit Defaults(const std::vector<std::pair<std::string, std::string>>& defaults) {
        for (const auto& [name, value] : defaults) ns3::Config::SetDefault(name, ns3::StringValue(value));
    }
    ~Defaults() { ns3::Config::Reset(); }
};

/// UDP datagrams from a socket of one node to an address, all at one time; what comes there is counted.
class UdpBurst {
  public:
    UdpBurst(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, ns3::Ipv4Address address, int port = 9)
        : m_to(address, static_cast<std::uint16_t>(port)) {
        const auto udp = ns3::TypeId::LookupByName("ns3::UdpSocketFactory");
        m_sender = ns3::Socket::CreateSocket(from, udp);
        m_receiver = ns3::Socket::CreateSocket(to, udp);
        m_receiver->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), static_cast<std::uint16_t>(port)));
        m_receiver->SetRecvCallback(ns3::MakeCallback(&UdpBurst::Read, this));
    }
    void At(ns3::Time time, int datagrams, std::uint32_t bytes = 1000) {
        ns3::Simulator::Schedule(time, &UdpBurst::Send, this, datagrams, bytes);
    }

    int received = 0;

  private:
    void Send(int datagrams, std::uint32_t bytes) {
        for (int i = 0; i < datagrams; ++i) m_sender->SendTo(ns3::Create<ns3::Packet>(bytes), 0, m_to);
    }
    void Read(ns3::Ptr<ns3::Socket> socket) {
        while (socket->Recv()) ++received;
    }

    ns3::InetSocketAddress m_to;
    ns3::Ptr<ns3::Socket> m_sender, m_receiver;
};

}  // namespace watershed
