// SPDX-License-Identifier: GPL-2.0-only
// TCP incast through a switch with dynamic thresholds: the hosts answer one client at once, with ns-3's own BulkSend
// and PacketSink.
//
//   [ host 1 ]--1 Gb/s--+
//        ...            +--[ switch, shared memory ]--1 Gb/s--[ client ]
//   [ host N ]--1 Gb/s--+
//
// Every attribute of the switch can be set on the command line:
//   tcp-incast --hosts=32 --bytes=200000 --ns3::WatershedSwitch::Size=200000
//   --ns3::WatershedSwitch::Alpha=0.5
// With --marks=20kB the hosts speak DCTCP, and the switch marks what finds so much in the client's queue. --queue=FILE
// writes that queue over time.
//
// quick: --hosts=4 --bytes=20000
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/watershed-switch-helper.h>

#include <fstream>
#include <iostream>
#include <map>

using namespace ns3;

namespace {

std::map<std::string, std::uint64_t> g_drops;
std::int64_t g_peak = 0;

void Drop(Ptr<const Packet>, std::uint32_t, std::uint32_t, const WatershedSwitch::LossCause& cause) {
    ++g_drops[std::string(cause.reason)];
}
void Occupancy(std::int64_t, std::int64_t bytes) { g_peak = std::max(g_peak, bytes); }
void Queue(std::ofstream* file, std::uint32_t client, std::uint32_t port, std::int64_t, std::int64_t bytes) {
    if (port == client) *file << Simulator::Now().GetSeconds() << ' ' << bytes << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    std::uint32_t hosts = 16;
    std::uint64_t bytes = 100'000;
    double stop = 60;
    std::string pcap, marks, queue;
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::WatershedSwitch::Sharing", StringValue("dynamic-threshold"));
    Config::SetDefault("ns3::WatershedSwitch::SizeUnit", StringValue("bytes"));
    Config::SetDefault("ns3::WatershedSwitch::Size", UintegerValue(100'000));
    Config::SetDefault("ns3::WatershedSwitch::Alpha", DoubleValue(1));
    CommandLine command(__FILE__);
    command.AddValue("hosts", "Hosts that answer at once", hosts);
    command.AddValue("bytes", "Bytes that each sends", bytes);
    command.AddValue("pcap", "Beginning of the name of a capture of what the client's port carries", pcap);
    command.AddValue("marks", "The K of DCTCP, 20kB for instance; without it the hosts speak NewReno", marks);
    command.AddValue("queue", "File for the bytes that wait for the client, by time", queue);
    command.AddValue("stop", "Seconds after which the simulation ends, whatever is under way", stop);
    command.Parse(argc, argv);
    if (!marks.empty()) {
        Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
        Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
        for (const char* level : {"WredFrom", "WredTo"})
            Config::SetDefault(std::string("ns3::WatershedSwitch::") + level, StringValue(marks));
        Config::SetDefault("ns3::WatershedSwitch::Ecn", BooleanValue(true));
    } else {
        Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
    }

    NodeContainer nodes(hosts + 1);
    const auto switch_node = CreateObject<Node>();
    WatershedSwitchHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    helper.SetChannelAttribute("Delay", StringValue("10us"));
    const NetDeviceContainer devices = helper.Install(nodes, switch_node);
    InternetStackHelper().Install(nodes);
    const Ipv4InterfaceContainer interfaces = Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(devices);

    const InetSocketAddress client(interfaces.GetAddress(hosts), 9);
    const ApplicationContainer sink =
        PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9))
            .Install(nodes.Get(hosts));
    BulkSendHelper source("ns3::TcpSocketFactory", client);
    source.SetAttribute("MaxBytes", UintegerValue(bytes));
    for (std::uint32_t i = 0; i < hosts; ++i) source.Install(nodes.Get(i)).Start(Seconds(1));

    const auto network_switch = WatershedSwitch::Of(switch_node);
    network_switch->TraceConnectWithoutContext("Drop", MakeCallback(&Drop));
    network_switch->TraceConnectWithoutContext("Occupancy", MakeCallback(&Occupancy));
    std::ofstream file(queue);
    if (!queue.empty())
        network_switch->TraceConnectWithoutContext("PortOccupancy", MakeBoundCallback(&Queue, &file, hosts));
    if (!pcap.empty()) helper.EnablePcap(pcap, devices.Get(hosts));

    Simulator::Stop(Seconds(stop));
    Simulator::Run();
    std::cout << "bytes received   " << DynamicCast<PacketSink>(sink.Get(0))->GetTotalRx() << " of " << hosts * bytes
              << "\n"
              << "switch peak      " << g_peak << " B\n";
    for (const auto& [reason, frames] : g_drops) std::cout << "frames lost      " << frames << "  " << reason << "\n";
    Simulator::Destroy();
}
