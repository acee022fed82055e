// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch.h"

#include <ns3/abort.h>
#include <ns3/boolean.h>
#include <ns3/object-vector.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include "model/base/roce-header.h"
#include "model/ns3/switch/watershed-switch-attributes.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/ns3/switch/watershed-switch-topology.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedSwitchImpl);

namespace {

ns3::TypeId WithItsAttributes(ns3::TypeId tid) {
    for (const WatershedSwitchAttribute& each : watershed_switch_attributes())
        tid.AddAttribute(each.name, each.help, *each.initial, each.accessor, each.checker);
    return tid;
}

}  // namespace

ns3::TypeId WatershedSwitch::GetTypeId() {
    using Self = WatershedSwitchImpl;
    static const ns3::TypeId tid =
        WithItsAttributes(ns3::TypeId("ns3::WatershedSwitch")
                              .SetParent<ns3::BridgeNetDevice>()
                              .SetGroupName("Watershed")
                              .AddConstructor<Self>())
            .AddAttribute("ControlClass",
                          "Frames of this traffic class and of higher ones are the network's own: they take no memory, "
                          "no pause stops them, and they leave before all others; 8: there are none.",
                          ns3::UintegerValue(kTrafficClasses), ns3::MakeUintegerAccessor(&Self::m_controlClass),
                          ns3::MakeUintegerChecker<std::uint32_t>(0, kTrafficClasses))
            .AddAttribute("MarkLeaving",
                          "Ecn marks a frame as it begins to leave, by what then waits behind it; else as it comes, by "
                          "what it finds.",
                          ns3::BooleanValue(false), ns3::MakeBooleanAccessor(&Self::m_marksLeaving),
                          ns3::MakeBooleanChecker())
            .AddAttribute("Int",
                          "It writes in-band telemetry into packets that ask for it, as they begin to leave: time, "
                          "bytes sent, what waits, and rate.",
                          ns3::BooleanValue(false), ns3::MakeBooleanAccessor(&Self::m_reports),
                          ns3::MakeBooleanChecker())
            .AddAttribute("Trim",
                          "A datagram that memory refuses goes on as so many of its first bytes, without FCS: at least "
                          "60, or 0 for none.",
                          ns3::UintegerValue(0), ns3::MakeUintegerAccessor(&Self::m_trim),
                          ns3::MakeUintegerChecker<std::uint32_t>(0, 1500))
            .AddAttribute("TrimTos", "Type of service of what Trim leaves, and so its traffic class.",
                          ns3::UintegerValue(roce::kTrimTos), ns3::MakeUintegerAccessor(&Self::m_trimTos),
                          ns3::MakeUintegerChecker<std::uint8_t>())
            .AddAttribute(
                "UplinkSeed",
                "Of the hash that chooses among uplinks: switches with seeds of their own choose independently "
                "for the same flows; 0: the hash as it is.",
                ns3::UintegerValue(0), ns3::MakeUintegerAccessor(&Self::m_uplinkSeed),
                ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("QueueLevels", "What waits at each port of each traffic class: 8 x port + class.",
                          ns3::ObjectVectorValue(),
                          ns3::MakeObjectVectorAccessor(&Self::GetQueueLevel, &Self::GetNQueueLevels),
                          ns3::MakeObjectVectorChecker<WatershedQueueLevel>())
            .AddTraceSource("Enqueue", "A frame was given memory.", ns3::MakeTraceSourceAccessor(&Self::m_enqueue),
                            "ns3::WatershedSwitch::FrameTracedCallback")
            .AddTraceSource("Dequeue", "A frame has left and gave its memory back.",
                            ns3::MakeTraceSourceAccessor(&Self::m_dequeue), "ns3::WatershedSwitch::FrameTracedCallback")
            .AddTraceSource("Drop", "A frame was lost: its input, the output it was for, or kNoPort, and why.",
                            ns3::MakeTraceSourceAccessor(&Self::m_drop), "ns3::WatershedSwitch::DropTracedCallback")
            .AddTraceSource("Occupancy", "Frames and bytes in memory, after each change.",
                            ns3::MakeTraceSourceAccessor(&Self::m_occupancy),
                            "ns3::WatershedSwitch::OccupancyTracedCallback")
            .AddTraceSource("PortOccupancy",
                            "Frames and bytes that wait for this port or are being sent by it, after each change.",
                            ns3::MakeTraceSourceAccessor(&Self::m_portOccupancy),
                            "ns3::WatershedSwitch::PortOccupancyTracedCallback")
            .AddTraceSource("Mark", "Congestion was marked in a frame.", ns3::MakeTraceSourceAccessor(&Self::m_mark),
                            "ns3::WatershedSwitch::MarkTracedCallback")
            .AddTraceSource("Trim", "A datagram was refused, and this is its header that goes on.",
                            ns3::MakeTraceSourceAccessor(&Self::m_trimmed), "ns3::WatershedSwitch::MarkTracedCallback")
            .AddTraceSource(
                "Deadlock",
                "Pauses that wait for each other in a loop of switches will never end: ports, each of which "
                "waits for the switch of the next one, and the last for that of the first; and their "
                "traffic class.",
                ns3::MakeTraceSourceAccessor(&Self::m_deadlock), "ns3::WatershedSwitch::DeadlockTracedCallback")
            .AddTraceSource(
                "Pause",
                "The sender on this input is told to pause for so many quanta, or to go on if there are none; and its "
                "traffic class, or 8 if all pause.",
                ns3::MakeTraceSourceAccessor(&Self::m_pause), "ns3::WatershedSwitch::PauseTracedCallback");
    return tid;
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
    const ns3::DataRateValue rate(ns3::DataRate(static_cast<std::uint64_t>(m_settings.uplink_rate->count)));
    for (const std::uint32_t uplink : m_uplinks) {
        const auto cable = m_inputs[uplink]->GetChannel();
        for (std::size_t i = 0; i < cable->GetNDevices(); ++i) cable->GetDevice(i)->SetAttribute("DataRate", rate);
    }
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
    if (!m_selector) {
        Switch choice = m_settings.network_switch;
        choice.uplinks = static_cast<int>(m_outputs.size());
        choice.uplink_choice.rule = UplinkChoice::Rule::Modulo;
        FrontEnd front_end;
        front_end.modules = static_cast<int>(Inputs());
        m_selector.emplace(choice, front_end);
    }
    m_own = ns3::Mac48Address::ConvertFrom(GetAddress());
    BridgeNetDevice::DoInitialize();
}

void WatershedSwitchImpl::DoDispose() {
    NS_LOG_FUNCTION(this);
    m_inputs.clear();
    m_outputs.clear();
    m_beside.clear();
    m_upcalls.Nullify();
    BridgeNetDevice::DoDispose();
}

}  // namespace watershed
