// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-switch-helper.h"

#include "test/catch.h"

#include <ns3/double.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-interface-container.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-socket-factory.h>
#include <ns3/udp-socket-factory.h>
#include <ns3/uinteger.h>

#include <map>
#include <vector>

#include "simulation.h"

namespace watershed {
namespace {

/// Hosts with ns-3's own protocol stack round one switch; the last one listens.
class TcpIncast {
  public:
    TcpIncast(std::uint32_t senders, const WatershedSwitchHelper& helper) : hosts(senders + 1) {
        const ns3::NetDeviceContainer devices = helper.Install(hosts, node);
        ns3::InternetStackHelper().Install(hosts);
        ns3::Ipv4AddressHelper addresses;
        addresses.SetBase("10.0.0.0", "255.255.255.0");
        interfaces = addresses.Assign(devices);
        const auto network_switch = node->GetObject<WatershedSwitch>();
        network_switch->TraceConnectWithoutContext("Enqueue", ns3::MakeCallback(&TcpIncast::Enqueue, this));
        network_switch->TraceConnectWithoutContext("Dequeue", ns3::MakeCallback(&TcpIncast::Dequeue, this));
        network_switch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&TcpIncast::Drop, this));
    }

    ns3::Ptr<ns3::Socket> Open(std::uint32_t host, const char* factory) const { return ns3::Socket::CreateSocket(hosts.Get(host), ns3::TypeId::LookupByName(factory)); }

    /// Everybody sends so many bytes by TCP to the last host, at once; @return what it got
    std::uint64_t SendByTcp(std::uint32_t bytes) {
        const std::uint32_t last = hosts.GetN() - 1;
        const auto listener = Open(last, "ns3::TcpSocketFactory");
        listener->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), 9));
        listener->Listen();
        listener->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(), ns3::MakeCallback(&TcpIncast::Accept, this));
        std::vector<ns3::Ptr<ns3::Socket>> sockets;
        for (std::uint32_t host = 0; host < last; ++host) {
            sockets.push_back(Open(host, "ns3::TcpSocketFactory"));
            sockets.back()->SetAttribute("SndBufSize", ns3::UintegerValue(bytes));
            sockets.back()->SetAttribute("SegmentSize", ns3::UintegerValue(1448));
            sockets.back()->Connect(ns3::InetSocketAddress(interfaces.GetAddress(last), 9));
            sockets.back()->Send(ns3::Create<ns3::Packet>(bytes));
            sockets.back()->Close();
        }
        ns3::Simulator::Stop(ns3::Seconds(60));
        ns3::Simulator::Run();
        return m_received;
    }

    Simulation simulation;
    ns3::NodeContainer hosts;
    ns3::Ptr<ns3::Node> node = ns3::CreateObject<ns3::Node>();
    ns3::Ipv4InterfaceContainer interfaces;
    std::int64_t enqueued = 0, dequeued = 0;
    std::map<std::string, std::int64_t> drops;

  private:
    void Enqueue(ns3::Ptr<const ns3::Packet>, std::uint32_t) { ++enqueued; }
    void Dequeue(ns3::Ptr<const ns3::Packet>, std::uint32_t) { ++dequeued; }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, const LossCause& cause) { ++drops[std::string(cause.reason)]; }
    void Accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address&) { socket->SetRecvCallback(ns3::MakeCallback(&TcpIncast::Read, this)); }
    void Read(ns3::Ptr<ns3::Socket> socket) {
        while (const auto packet = socket->Recv()) m_received += packet->GetSize();
    }

    std::uint64_t m_received = 0;
};

WatershedSwitchHelper Thresholds(std::uint64_t bytes) {
    WatershedSwitchHelper helper;
    helper.Set("Sharing", ns3::StringValue("dynamic-threshold"));
    helper.Set("Alpha", ns3::DoubleValue(1));
    helper.Set("SizeUnit", ns3::StringValue("bytes"));
    helper.Set("Size", ns3::UintegerValue(bytes));
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
    helper.SetChannelAttribute("Delay", ns3::StringValue("10us"));
    return helper;
}

}  // namespace

TEST_CASE("ns-3's own TCP passes a learning switch whole, and where memory is scarce it loses frames, sends them again and still does") {
    constexpr std::uint32_t kSenders = 8, kBytes = 1'000'000;   // 8 ms each, against up to 10 ms of ns-3's random delay of ARP requests
    {
        TcpIncast ample(kSenders, Thresholds(10'000'000));
        CHECK(ample.SendByTcp(kBytes) == kSenders * kBytes);
        CHECK(ample.drops.empty());
        CHECK(ample.enqueued == ample.dequeued);
    }
    TcpIncast scarce(kSenders, Thresholds(30'000));
    CHECK(scarce.SendByTcp(kBytes) == kSenders * kBytes);
    CHECK(scarce.drops["threshold"] > 0);
    CHECK(scarce.enqueued == scarce.dequeued);
    // One queue under alpha = 1 comes to half of the memory, and passes it by less than one frame.
    CHECK(scarce.node->GetObject<WatershedSwitch>()->GetMemory().peak_bytes().count <= 15'000 + 2 * 1518);
}

TEST_CASE("A frame to a known address leaves by its port alone, one to an unknown address or to all by every other port") {
    WatershedSwitchHelper helper;
    TcpIncast star(3, helper);   // four hosts
    const auto frame = [&](std::uint32_t from, const ns3::Address& to) {
        ns3::Simulator::Schedule(ns3::MilliSeconds(from + 1), [&star, from, to] { star.hosts.Get(from)->GetDevice(0)->Send(ns3::Create<ns3::Packet>(100), to, 0x88b5); });
    };
    const auto address = [&](std::uint32_t host) { return star.hosts.Get(host)->GetDevice(0)->GetAddress(); };
    frame(0, address(1));                     // nobody is known: 3 copies
    frame(1, address(0));                     // host 0 is: 1
    frame(2, ns3::Mac48Address::GetBroadcast());   // 3
    ns3::Simulator::Run();
    CHECK(star.enqueued == 3 + 1 + 3);
    CHECK(star.dequeued == star.enqueued);
    CHECK(star.drops.empty());
}

}  // namespace watershed
