// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/udpmon/udpmon-simulation.h"

#include <ns3/integer.h>
#include <ns3/node-container.h>
#include <ns3/simulator.h>

#include <stdexcept>

#include "model/base/frame.h"
#include "model/ns3/base/ns3-session.h"
#include "model/ns3/device/watershed-pcap.h"
#include "model/ns3/helper/watershed-helper.h"
#include "model/ns3/udpmon/udpmon-path.h"
#include "model/ns3/udpmon/udpmon-receiver.h"
#include "model/ns3/udpmon/udpmon-sender.h"

namespace watershed {
namespace {

constexpr std::int64_t kLinkOverhead = 24;  // preamble 8, FCS 4, gap 12

FrameSizes sizes_of(Bytes payload) {
    FrameFormat format;
    format.payload = payload;
    format.mtu = Bytes{65535};
    return frames_of_fragment(format).front();
}

Bytes counted(UdpmonPath::Accounting accounting, const FrameSizes& frame) {
    switch (accounting) {
        case UdpmonPath::Accounting::Payload: return frame.payload;
        case UdpmonPath::Accounting::Ip: return frame.payload + kIpUdpHeaders;
        case UdpmonPath::Accounting::Frame: return frame.buffer;
        case UdpmonPath::Accounting::Wire: return frame.wire;
    }
    throw std::logic_error("unknown accounting");
}

void set_link(WatershedNetDeviceImpl& device, BitRate rate, Bytes extra) {
    device.SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(static_cast<std::uint64_t>(rate.count))));
    device.SetAttribute("LinkOverhead", ns3::IntegerValue(kLinkOverhead + extra.count));
}

}  // namespace

UdpmonResult simulate_udpmon(const Udpmon& udpmon, Bytes payload, std::size_t spacing, std::uint64_t seed,
                             const std::string& pcap) {
    const FrameSizes sizes = sizes_of(payload);
    const Time requested = udpmon.spacings.at(spacing);
    UdpmonMonitor monitor(udpmon.receiver, payload);
    const UdpmonPacer pacer(udpmon.sender, payload, requested, seed);
    UdpmonReader reader(udpmon.receiver, payload, spacing, seed);
    const WatershedFragmentFrame frames(ModuleEndpoint(1), ServerEndpoint(0), payload, 0, 1, 0);

    const Ns3Session session;
    ns3::NodeContainer nodes(3);
    WatershedHelper helper;
    const auto [from, hop_in] = helper.Connect(nodes.Get(0), nodes.Get(1));
    helper.SetChannelAttribute("Delay", ns3::TimeValue(ToNs3(udpmon.path.delay)));
    const auto [hop_out, to] = helper.Connect(nodes.Get(1), nodes.Get(2));
    set_link(*from, udpmon.path.rate, pacer.extra_slot(sizes.wire));
    set_link(*hop_out, udpmon.path.rate, Bytes{0});

    const auto network = ns3::CreateObject<UdpmonNetwork>();
    network->Configure(hop_in, hop_out, udpmon.path, counted(udpmon.path.accounting, sizes), seed, monitor);
    nodes.Get(1)->AggregateObject(network);
    const auto server = ns3::CreateObject<UdpmonServer>();
    server->Configure(to, reader, monitor);
    nodes.Get(2)->AddApplication(server);
    const auto client = ns3::CreateObject<UdpmonClient>();
    client->Configure(from, frames, pacer, monitor, udpmon.packets);
    nodes.Get(0)->AddApplication(client);

    WatershedPcap capture;
    if (!pcap.empty()) capture.Capture(*to, pcap);
    ns3::Simulator::Run();
    capture.Commit();
    return monitor.result(requested);
}

}  // namespace watershed
