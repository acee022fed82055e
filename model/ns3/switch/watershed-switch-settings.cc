// SPDX-License-Identifier: GPL-2.0-only
// The attributes of a WatershedSwitch: checks that they go together, and makes the switch when the run begins.
#include <ns3/abort.h>
#include <ns3/string.h>

#include <algorithm>
#include <map>

#include "model/base/unsupported-key.h"
#include "model/ns3/switch/watershed-event-driven-bridge.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/ns3/switch/watershed-switch-queues.h"

namespace watershed {
namespace {

constexpr const char* kModelKey = "switch.model";

const WatershedSwitchAttribute& AttributeNamed(const std::string& name) {
    const auto& all = watershed_switch_attributes();
    return *std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
}

/// True for an attribute of the switch that is not another name for two others.
bool IsOfModel(const WatershedSwitchAttribute& attribute) {
    return attribute.key.rfind("switch.", 0) == 0 && attribute.key != kModelKey && attribute.name != "MaxSize";
}

/// Ends the program if attributes do not go together.
void RefuseIf(bool wrong, const std::string& why) { NS_ABORT_MSG_IF(wrong, "WatershedSwitch: " << why); }

}  // namespace

void WatershedSwitchImpl::NotifyConstructionCompleted() {
    NS_LOG_FUNCTION(this);
    BridgeNetDevice::NotifyConstructionCompleted();
    // Defaults that were changed, and what an ns3::ObjectFactory sets, are chosen.
    for (const WatershedSwitchAttribute& each : watershed_switch_attributes()) {
        if (!IsOfModel(each)) continue;
        const auto now = each.initial->Copy();
        each.accessor->Get(this, *now);
        if (now->SerializeToString(each.checker) != each.initial->SerializeToString(each.checker))
            m_settings.chosen.insert(each.key);
    }
    m_constructed = true;
    if (!m_settings.network_switch.model.empty()) FollowModel();
}

void WatershedSwitchImpl::ChangeSetting(const std::string& name,
                                        const std::function<void(WatershedSwitchSettings&)>& change) {
    NS_LOG_FUNCTION(this << name);
    change(m_settings);
    if (!m_constructed || m_following) return;
    const std::string& key = AttributeNamed(name).key;
    if (key == kModelKey)
        FollowModel();
    else
        m_settings.chosen.insert(key);
    SetUplinkRates();
}

void WatershedSwitchImpl::FollowModel() {
    NS_LOG_FUNCTION(this);
    m_following = true;
    for (const WatershedSwitchAttribute& each : watershed_switch_attributes())
        if (IsOfModel(each) && !IsChosen(each)) each.accessor->Set(this, *each.initial);
    if (const WatershedSwitchModel* model = ModelNamed(m_settings.network_switch.model))
        for (const auto& [name, text] : model->values) {
            const WatershedSwitchAttribute& attribute = AttributeNamed(name);
            if (IsChosen(attribute)) continue;
            const auto value = attribute.checker->CreateValidValue(ns3::StringValue(text));
            NS_ABORT_MSG_UNLESS(value && attribute.accessor->Set(this, *value),
                                "WatershedSwitch: " << name << " of " << model->name << ": " << text);
        }
    m_following = false;
}

void WatershedSwitchImpl::CheckModel() const {
    const WatershedSwitchModel* model = ModelNamed(m_settings.network_switch.model);
    if (!model) return;
    for (const std::string& name : model->unknown) {
        const bool needed = name == "Size" || name == "Sharing" ||
                            (name == "Alpha" && m_settings.network_switch.buffer.sharing->has_alpha);
        NS_ABORT_MSG_IF(needed && !IsChosen(AttributeNamed(name)),
                        "WatershedSwitch: " << name << " is unknown for the model " << model->name << ": set it");
    }
}

void WatershedSwitchImpl::CheckPorts() const {
    if (m_settings.network_switch.ports.empty()) return;
    std::map<std::int64_t, int> left;
    for (const PortGroup& group : m_settings.network_switch.ports) left[group.speed.count] += group.count;
    for (const auto& device : m_inputs) {
        const auto found = left.find(device->GetRate().count);
        NS_ABORT_MSG_IF(found == left.end(), "WatershedSwitch: Ports has none of "
                                                 << device->GetRate().count << " bps, and a device has that rate");
        NS_ABORT_MSG_IF(found->second-- == 0, "WatershedSwitch: Ports has fewer of " << device->GetRate().count
                                                                                     << " bps than there are devices");
    }
}

void WatershedSwitchImpl::CheckUplinks() {
    const auto& choice = m_settings.network_switch.uplink_choice;
    const std::size_t there = m_learns ? m_uplinks.size() : m_outputs.size();
    NS_ABORT_MSG_IF(m_settings.uplinks && static_cast<std::size_t>(*m_settings.uplinks) != there,
                    "WatershedSwitch: Uplinks is " << *m_settings.uplinks << ", and there are " << there);
    if (there == 0) return;
    RefuseIf(choice.rule == UplinkChoice::Rule::Static && choice.list.empty(),
             "static UplinkSelection needs UplinkList");
    for (const std::int64_t uplink : choice.list)
        NS_ABORT_MSG_IF(uplink > static_cast<std::int64_t>(there),
                        "WatershedSwitch: UplinkList has " << uplink << ", and there are " << there << " uplinks");
    if (!m_learns && choice.rule != UplinkChoice::Rule::Modulo) {
        RefuseIf(choice.rule == UplinkChoice::Rule::Hash || choice.rule == UplinkChoice::Rule::Random,
                 "UplinkSelection hash and random are for uplinks of a switch with ports: AddUplinkPort()");
        MakeSelector(choice.rule);
    }
}

void WatershedSwitchImpl::CheckMemory() const {
    const Buffer& buffer = m_settings.network_switch.buffer;
    for (int each = 0; each < kTrafficClasses; ++each) {
        const Buffer::Early early = buffer.early_of(each);
        const bool is_none = early.to.amount == 0 && !buffer.class_wred_to.empty();
        RefuseIf(!is_none && early.from.unit == early.to.unit && early.from.amount > early.to.amount,
                 "WredFrom is above WredTo");
    }
    RefuseIf(buffer.ecn && !buffer.drops_early() && !HasEarlyPort(),
             "Ecn marks where random early detection would drop: set WredTo");
    RefuseIf(m_marksLeaving && !buffer.ecn, "MarkLeaving needs Ecn");
    RefuseIf((m_marksLeaving || m_reports || m_trim > 0) && !m_learns,
             "MarkLeaving, Int and Trim are for ports in both directions: AddPort()");
    NS_ABORT_MSG_IF(m_trim > 0 && m_trim < kShortestFrame,
                    "WatershedSwitch: Trim is " << m_trim << ", expected 0, or at least " << kShortestFrame);
    RefuseIf(HasEarlyPort() && !m_learns, "WredTo of a port is for ports in both directions");
}

void WatershedSwitchImpl::CheckFlowControl() const {
    const FlowControl& control = m_settings.network_switch.flow_control;
    const Buffer& buffer = m_settings.network_switch.buffer;
    const bool diverts = control.rule != FlowControl::Rule::Memory;
    const bool by_class = control.kind == FlowControl::Kind::Pfc && HasClasses();
    RefuseIf(buffer.accounting == Buffer::Accounting::Mixed && !(by_class && diverts),
             "Accounting mixed needs FlowControl pfc, a Scheduler, and PauseRule hpcc or sonic");
    RefuseIf(
        !(by_class || (buffer.class_headrooms.empty() && control.class_alphas.empty() && !buffer.egress_lossless_size &&
                       std::none_of(m_inputs.begin(), m_inputs.end(),
                                    [](const auto& each) { return each->HasPausesOfClasses(); }))),
        "ClassHeadrooms, PauseClassAlphas and EgressLosslessSize need FlowControl pfc and a Scheduler");
    RefuseIf(buffer.egress_lossless_size && !(buffer.egress_size && buffer.accounting == Buffer::Accounting::Both),
             "EgressLosslessSize needs Accounting both and EgressSize");
    RefuseIf(diverts && (control.kind != FlowControl::Kind::Pfc || !control.alpha),
             "PauseRule needs FlowControl pfc and PauseAlpha");
    RefuseIf(diverts && control.xon_fixed, "XonFixed conflicts with PauseRule");
    if (control.kind == FlowControl::Kind::None) {
        for (const auto& device : m_inputs)
            RefuseIf(device->HasPauses(),
                     "Headroom, PauseAlpha, ClassHeadrooms and PauseClassAlphas of a port need FlowControl");
        return;
    }
    RefuseIf(!m_learns, "FlowControl is between ports in both directions: AddPort()");
    RefuseIf(control.xoff.amount == 0 && !control.alpha, "FlowControl needs Xoff or PauseAlpha");
    RefuseIf(control.rule != FlowControl::Rule::Sonic && control.xon.unit == control.xoff.unit &&
                 control.xon.amount > control.xoff.amount,
             "Xon is above Xoff");
    RefuseIf(!diverts && buffer.threshold_whole && buffer.sharing->may_be_whole,
             "ThresholdWhole conflicts with FlowControl: it refuses frames whose sender was not told to pause");
}

bool WatershedSwitchImpl::NeedsSteps() const {
    const Switch& s = m_settings.network_switch;
    return s.queueing != Queueing::Output || s.input_fifo || s.fabric_rate || s.cut_through ||
           !s.scheduling.rates.empty() || !s.scheduling.gates.empty() || s.buffer.dram;
}

void WatershedSwitchImpl::CheckSteps() const {
    const Switch& s = m_settings.network_switch;
    RefuseIf(s.fabric_rate && !s.input_fifo, "FabricRate needs InputFifo");
    RefuseIf(s.port_groups > 1 && !s.fabric_rate, "PortGroups needs FabricRate");
    RefuseIf(
        s.scheduling.kind == Scheduling::Kind::Fifo &&
            (!s.scheduling.weights.empty() || !s.scheduling.rates.empty() || !s.scheduling.gates.empty() ||
             !s.buffer.class_alphas.empty() || !s.buffer.class_limits.empty() || !s.buffer.class_wred_from.empty() ||
             !s.buffer.class_wred_to.empty() || !s.buffer.class_wred_probability.empty()),
        "Weights, ClassRates, Gates, ClassAlphas, ClassLimits, ClassWredFrom, ClassWredTo and ClassWredProbability "
        "need a Scheduler");
    RefuseIf(s.scheduling.rates.empty() && !s.scheduling.bursts.empty(), "ClassBursts needs ClassRates");
    RefuseIf(s.buffer.first_bytes.count > 0 && (!s.buffer.sharing->knows_first || s.cut_through),
             "FirstBytes is for Sharing dynamic-threshold, abm and reverie without CutThrough");
    RefuseIf(HasClasses() && !m_learns, "Scheduler is for ports in both directions: AddPort()");
    RefuseIf(HasClasses() && s.buffer.sharing->evicts, "Scheduler conflicts with a Sharing that pushes out");
    if (!NeedsSteps()) return;
    const std::string steps =
        "Queueing other than output, InputFifo, FabricRate, CutThrough, ClassRates, Gates and Dram";
    RefuseIf(m_controlClass < kTrafficClasses || m_reports || m_trim > 0,
             "ControlClass, Int and Trim conflict with " + steps);
    RefuseIf(HasClasses() && s.queueing != Queueing::Output, "Scheduler conflicts with Queueing other than output");
    RefuseIf(!m_learns, steps + " are for ports in both directions: AddPort()");
    RefuseIf(s.cut_through && (s.queueing != Queueing::Output || s.input_fifo),
             "CutThrough conflicts with Queueing other than output and with InputFifo");
    RefuseIf(s.cut_through && !s.scheduling.gates.empty(), "CutThrough conflicts with Gates");
    RefuseIf(s.flow_control.kind != FlowControl::Kind::None || s.buffer.ecn || s.buffer.sharing->evicts,
             steps + " conflict with FlowControl, Ecn and a Sharing that pushes out");
    RefuseIf(s.buffer.drops_early() && s.input_fifo, "InputFifo conflicts with WredTo");
    RefuseIf(HasEarlyPort(), steps + " conflict with WredTo of a port");
    RefuseIf(s.buffer.dram && (s.queueing != Queueing::Output || s.input_fifo || s.cut_through ||
                               s.buffer.accounting != Buffer::Accounting::Egress || s.buffer.egress_pipeline > 0 ||
                               s.buffer.sharing->pools != SharingPolicy::Pools::One),
             "Dram conflicts with Queueing other than output, InputFifo, CutThrough, Accounting other than egress, "
             "EgressPipeline and a Sharing of no common memory");
    RefuseIf(s.buffer.dram && !s.buffer.dram_rate, "Dram needs DramRate");
    for (const auto& device : m_inputs)
        RefuseIf(device->GetRate() != m_inputs.front()->GetRate(), steps + " are for ports of one rate");
}

bool WatershedSwitchImpl::HasEarlyPort() const {
    return std::any_of(m_outputs.begin(), m_outputs.end(),
                       [](const WatershedOutput& output) { return output.device->GetEarlyDetection().has_value(); });
}

bool WatershedSwitchImpl::MakeEarlyDetection(const Buffer& buffer) {
    NS_LOG_FUNCTION(this);
    const bool by_input = buffer.accounting == Buffer::Accounting::Ingress ||
                          buffer.accounting == Buffer::Accounting::Mixed ||
                          buffer.sharing->pools == SharingPolicy::Pools::PerInput;
    const bool ports_have_own = HasEarlyPort();
    if (!ports_have_own && !((by_input || m_marksLeaving) && m_earlyDrop)) return false;
    const MemoryUnits units(buffer);
    m_earlyDrop = buffer;
    for (WatershedOutput& output : m_outputs) {
        const auto of_port = output.device->GetEarlyDetection();
        if (!of_port && !buffer.drops_early()) continue;
        auto& ours = output.early.emplace();
        for (int each = 0; each < kTrafficClasses; ++each)
            ours[static_cast<std::size_t>(each)] = EarlyRange(of_port.value_or(buffer.early_of(each)), units);
        if (of_port) m_earlyDrop->wred_to = of_port->to;  // not 0: lots are drawn
    }
    return true;
}

void WatershedSwitchImpl::MakeMemory() {
    NS_LOG_FUNCTION(this);
    Switch inside = m_settings.network_switch;
    const int ports = static_cast<int>(Inputs());
    if (inside.flow_control.kind == FlowControl::Kind::None) inside.buffer.headroom = {0, MemorySize::Unit::Byte};
    if (inside.buffer.drops_early()) m_earlyDrop = inside.buffer;
    if (NeedsSteps()) {
        inside.uplinks = ports;
        inside.uplink_rate = m_inputs.front()->GetRate();
        inside.uplink_choice = {};
        m_inside = std::make_unique<WatershedEventDrivenBridge>(*this, inside);
        return;
    }
    if (HasClasses()) {
        inside.buffer.classes = kTrafficClasses;
        for (WatershedOutput& output : m_outputs) output.scheduler.emplace(inside.scheduling);
    }
    if (m_learns && MakeEarlyDetection(inside.buffer)) inside.buffer.forget_early();
    inside.buffer.lossless = lossless_classes(inside.flow_control);
    auto& own = inside.buffer.class_headrooms;
    for (const auto& device : m_inputs)
        own.resize(std::max(own.size(), device->GetClassesWithHeadroom()), inside.buffer.headroom);
    auto memory = make_switch_memory(inside.buffer, ports, static_cast<int>(m_outputs.size()));
    for (int port = 0; port < ports; ++port)
        for (int each = 0; each <= static_cast<int>(own.size()); ++each)
            if (const auto headroom = m_inputs[static_cast<std::size_t>(port)]->GetHeadroom(each))
                memory->set_headroom(port, each, memory->units().amount("switch.buffer.headroom", *headroom));
    auto queues = std::make_unique<WatershedSwitchQueues>(*this, std::move(memory), inside.buffer);
    if (inside.flow_control.kind != FlowControl::Kind::None) queues->MakePauses(inside.flow_control);
    m_inside = std::move(queues);
}

void WatershedSwitchImpl::MakeInside() {
    NS_LOG_FUNCTION(this);
    CheckModel();
    CheckPorts();
    CheckUplinks();
    CheckMemory();
    CheckFlowControl();
    CheckSteps();
    if (m_settings.network_switch.cut_through)
        for (const auto& device : m_inputs) {
            const auto cable = device->GetChannel();
            for (std::size_t i = 0; i < cable->GetNDevices(); ++i)
                ns3::DynamicCast<WatershedNetDeviceImpl>(cable->GetDevice(i))->AnnounceFrames();
        }
    // Told outside of the handler, where ns-3's end of the program does not repeat it in other words.
    std::string wrong;
    try {
        MakeMemory();
    } catch (const KeyError& error) {
        wrong = AttributeOf(error.key) + ": " + error.why;
    }
    NS_ABORT_MSG_UNLESS(wrong.empty(), "WatershedSwitch: " << wrong);
}

}  // namespace watershed
