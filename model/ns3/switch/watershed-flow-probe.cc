// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-flow-probe.h"

#include <ns3/packet.h>
#include <ns3/tag.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "model/switch/event-driven-switch.h"
#include "model/switch/switch-control.h"
#include "model/switch/switch-memory.h"

namespace watershed {

ns3::LogComponent WatershedFlowProbe::g_log("WatershedFlowProbe", __FILE__);
NS_OBJECT_ENSURE_REGISTERED(WatershedFlowProbe);

namespace {

constexpr std::uint32_t kFirstReason = 16;  // ns-3's probes use the first ten

/// Causes in the order of their codes. One that is not here yet takes the next code when it is first asked for.
std::vector<LossCause>& Causes() {
    static std::vector<LossCause> all{
        SwitchMemory::kBufferFull,         SwitchMemory::kThreshold,     SwitchMemory::kDescriptors,
        SwitchMemory::kEarlyDrop,          SwitchMemory::kHeadroomFull,  SwitchMemory::kResume,
        WatershedSwitch::kSamePort,        WatershedSwitch::kFromUplink, SwitchMemory::kPushedOut,
        EventDrivenSwitch::kInputFifoFull, SwitchControl<>::kLinkDown,   SwitchMemory::kDramFull};
    return all;
}

struct FlowPacket {
    std::uint32_t flow, packet, size;
};

/// The tag that ns3::Ipv4FlowProbe left with the packet; its class is private to it: the tag can still be read as
/// bytes.
std::optional<FlowPacket> FlowPacketOf(const ns3::Packet& frame) {
    for (ns3::ByteTagIterator tags = frame.GetByteTagIterator(); tags.HasNext();) {
        const auto item = tags.Next();
        if (item.GetTypeId().GetName() != "ns3::Ipv4FlowProbeTag") continue;
        const std::unique_ptr<ns3::ObjectBase> made(item.GetTypeId().GetConstructor()());
        auto& tag = dynamic_cast<ns3::Tag&>(*made);
        item.GetTag(tag);
        std::vector<std::uint8_t> bytes(tag.GetSerializedSize());
        tag.Serialize(ns3::TagBuffer(bytes.data(), bytes.data() + bytes.size()));
        ns3::TagBuffer reader(bytes.data(), bytes.data() + bytes.size());
        FlowPacket read{};
        read.flow = reader.ReadU32();
        read.packet = reader.ReadU32();
        read.size = reader.ReadU32();
        return read;
    }
    return std::nullopt;
}

}  // namespace

ns3::TypeId WatershedFlowProbe::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedFlowProbe").SetParent<ns3::FlowProbe>().SetGroupName("Watershed");
    return tid;
}

WatershedFlowProbe::WatershedFlowProbe(ns3::Ptr<ns3::FlowMonitor> monitor, ns3::Ptr<WatershedSwitch> network_switch)
    : FlowProbe(monitor) {
    network_switch->TraceConnectWithoutContext(
        "Drop", ns3::MakeCallback(&WatershedFlowProbe::Drop, ns3::Ptr<WatershedFlowProbe>(this)));
}

std::uint32_t WatershedFlowProbe::GetReasonCode(const LossCause& cause) {
    std::vector<LossCause>& causes = Causes();
    const auto place = static_cast<std::size_t>(std::find(causes.begin(), causes.end(), cause) - causes.begin());
    if (place == causes.size()) causes.push_back(cause);
    return kFirstReason + static_cast<std::uint32_t>(place);
}

void WatershedFlowProbe::Drop(ns3::Ptr<const ns3::Packet> frame, std::uint32_t, std::uint32_t, const LossCause& cause) {
    NS_LOG_FUNCTION(this << frame << cause.reason);
    if (const auto lost = FlowPacketOf(*frame))
        m_flowMonitor->ReportDrop(this, lost->flow, lost->packet, lost->size, GetReasonCode(cause));
}

}  // namespace watershed
