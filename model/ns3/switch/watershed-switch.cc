// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch.h"

#include <ns3/abort.h>
#include <ns3/object-vector.h>

#include "model/base/roce-header.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/ns3/switch/watershed-switch-topology.h"

namespace watershed {

ns3::LogComponent WatershedSwitchImpl::g_log("WatershedSwitch", __FILE__);
NS_OBJECT_ENSURE_REGISTERED(WatershedSwitchImpl);

ns3::TypeId WatershedSwitch::GetTypeId() {
    using Self = WatershedSwitchImpl;
    static const WatershedTypeId<Self, ns3::BridgeNetDevice> type(ns3::TypeId("ns3::WatershedSwitch"), [](auto& table) {
        for (const WatershedSwitchAttribute& each : watershed_switch_attributes())
            table.id.AddAttribute(each.name, each.help, *each.initial, each.accessor, each.checker);
        table.Add("ControlClass", kTrafficClasses, ns3::MakeUintegerChecker<std::uint32_t>(0, kTrafficClasses),
                  &Self::m_controlClass,
                  "Frames of this traffic class and of higher ones are the network's own: they take no memory, no "
                  "pause stops them, and they leave before all others; 8: there are none.");
        table.Add("MarkLeaving", false, &Self::m_marksLeaving,
                  "Ecn marks a frame as it begins to leave, by what then waits behind it; else as it comes, by what it "
                  "finds.");
        table.Add("Int", false, &Self::m_reports,
                  "It writes in-band telemetry into packets that ask for it, as they begin to leave: time, bytes sent, "
                  "what waits, and rate.");
        table.Add("Trim", 0, ns3::MakeUintegerChecker<std::uint32_t>(0, 1500), &Self::m_trim,
                  "A datagram that memory refuses goes on as so many of its first bytes, without FCS: at least 60, or "
                  "0 for none.");
        table.Add("TrimTos", roce::kTrimTos, &Self::m_trimTos,
                  "Type of service of what Trim leaves, and so its traffic class.");
        table.Add("UplinkSeed", 0, &Self::m_uplinkSeed,
                  "Of the hash that chooses among uplinks: switches with seeds of their own choose independently for "
                  "the same flows; 0: the hash as it is.");
        table.id.AddAttribute("QueueLevels", "What waits at each port of each traffic class: 8 x port + class.",
                              ns3::ObjectVectorValue(),
                              ns3::MakeObjectVectorAccessor(&Self::GetQueueLevel, &Self::GetNQueueLevels),
                              ns3::MakeObjectVectorChecker<WatershedQueueLevel>());

        const auto trace = [&](const char* name, auto field, const std::string& callback, const char* help) {
            table.Trace(name, field, "ns3::WatershedSwitch::" + callback, help);
        };
        trace("Enqueue", &Self::m_enqueue, "FrameTracedCallback", "A frame was given memory.");
        trace("Dequeue", &Self::m_dequeue, "FrameTracedCallback", "A frame has left and gave its memory back.");
        trace("Drop", &Self::m_drop, "DropTracedCallback",
              "A frame was lost: its input, the output it was for, or kNoPort, and why.");
        trace("Occupancy", &Self::m_occupancy, "OccupancyTracedCallback",
              "Frames and bytes in memory, after each change.");
        trace("PortOccupancy", &Self::m_portOccupancy, "PortOccupancyTracedCallback",
              "Frames and bytes that wait for this port or are being sent by it, after each change.");
        trace("Mark", &Self::m_mark, "MarkTracedCallback", "Congestion was marked in a frame.");
        trace("Trim", &Self::m_trimmed, "MarkTracedCallback",
              "A datagram was refused, and this is its header that goes on.");
        trace("Deadlock", &Self::m_deadlock, "DeadlockTracedCallback",
              "Pauses that wait for each other in a loop of switches will never end: ports, each of which waits for "
              "the switch of the next one, and the last for that of the first; and their traffic class.");
        trace("Pause", &Self::m_pause, "PauseTracedCallback",
              "The sender on this input is told to pause for so many quanta, or to go on if there are none; and its "
              "traffic class, or 8 if all pause.");
    });
    return type.id;
}

ns3::Ptr<WatershedSwitch> WatershedSwitch::Of(const ns3::Ptr<ns3::Node>& node) { return WatershedSwitchImpl::Of(node); }

ns3::Ptr<WatershedSwitchImpl> WatershedSwitchImpl::Of(const ns3::Ptr<ns3::Node>& node) {
    for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
        if (const auto found = ns3::DynamicCast<WatershedSwitchImpl>(node->GetDevice(i))) return found;
    return node->GetObject<WatershedSwitchImpl>();
}

void WatershedSwitchImpl::AddInput(ns3::Ptr<WatershedNetDeviceImpl> device) {
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_UNLESS(m_outputs.empty(), "add the inputs before the uplinks");
    device->SetFrameHandler(this, Inputs());
    m_inputs.push_back(device);
}

void WatershedSwitchImpl::AddUplink(ns3::Ptr<WatershedNetDeviceImpl> device) {
    NS_LOG_FUNCTION(this << device);
    device->SetFrameHandler(this, Inputs() + static_cast<std::uint32_t>(m_outputs.size()));
    m_outputs.emplace_back().device = device;
}

void WatershedSwitchImpl::AddPort(ns3::Ptr<WatershedNetDeviceImpl> device) {
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_UNLESS(m_learns || (m_inputs.empty() && m_outputs.empty()),
                        "a WatershedSwitch has ports, or inputs and uplinks, not both");
    NS_ABORT_MSG_UNLESS(GetNode(), "a WatershedSwitch is a device of its node before it has ports: Node::AddDevice()");
    NS_ABORT_MSG_IF(HasBegun(), "a WatershedSwitch has all its ports when the run begins");
    m_learns = true;
    AddBridgePort(device);
    device->SetFrameHandler(this, Inputs());
    device->SetAttribute("FifoLimit", ns3::UintegerValue(0));  // it gets one frame at a time
    m_inputs.push_back(device);
    WatershedOutput& output = m_outputs.emplace_back();
    output.device = device;
    for (int each = 0; each < kTrafficClasses; ++each)
        output.levels.push_back(ns3::CreateObject<WatershedQueueLevel>());
}

void WatershedSwitchImpl::AddUplinkPort(ns3::Ptr<WatershedNetDeviceImpl> device) {
    NS_LOG_FUNCTION(this << device);
    AddPort(device);
    m_outputs.back().is_uplink = true;
    m_uplinks.push_back(device->GetPort());
    SetUplinkRates();
}

void WatershedSwitchImpl::SetUplinkRates() {
    if (!m_settings.uplink_rate) return;
    const auto rate = ValueOf(*m_settings.uplink_rate);
    for (const std::uint32_t uplink : m_uplinks) {
        const auto cable = m_inputs[uplink]->GetChannel();
        for (std::size_t i = 0; i < cable->GetNDevices(); ++i) cable->GetDevice(i)->SetAttribute("DataRate", rate);
    }
}

void WatershedSwitchImpl::MakeSelector(UplinkChoice::Rule rule) {
    if (m_selector) return;
    Switch among = m_settings.network_switch;
    among.uplinks = static_cast<int>(m_outputs.size());
    among.uplink_choice.rule = rule;
    FrontEnd front_end;
    front_end.modules = static_cast<int>(Inputs());
    m_selector.emplace(among, front_end);
}

std::int64_t WatershedSwitchImpl::AssignStreams(std::int64_t stream) {
    NS_LOG_FUNCTION(this << stream);
    m_random.SetStream(stream);
    return 1;
}

void WatershedSwitchImpl::DoInitialize() {
    NS_LOG_FUNCTION(this);
    m_context = (GetNode() ? GetNode() : GetObject<ns3::Node>())->GetId();
    NS_ABORT_MSG_IF(m_inputs.empty() || m_outputs.empty(), "a WatershedSwitch needs ports, or inputs and uplinks");
    if (m_learns && m_ways.size() != m_inputs.size()) FindTiers(*this);
    ReadLearning();
    m_isInLoop = m_learns && IsInLoop(*this);
    NS_ABORT_MSG_IF(
        m_isInLoop && m_learnsAddresses,
        "the WatershedSwitch of node "
            << m_context
            << " is part of a loop, in which a frame to all would go round for ever: there is no spanning tree. Set "
               "EnableLearning to false, and frames to all stay with the hosts at their switch");
    if (!HasBegun()) MakeInside();
    MakeSelector(UplinkChoice::Rule::Modulo);
    m_own = ns3::Mac48Address::ConvertFrom(GetAddress());
    BridgeNetDevice::DoInitialize();
}

void WatershedSwitchImpl::DoDispose() {
    NS_LOG_FUNCTION(this);
    m_inputs.clear();
    m_outputs.clear();
    m_beside.clear();
    m_upcalls = {};
    BridgeNetDevice::DoDispose();
}

}  // namespace watershed
