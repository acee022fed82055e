// SPDX-License-Identifier: GPL-2.0-only
// Flow control of a WatershedSwitch: whom it tells to pause, and when it is told to.
#include <ns3/simulator.h>

#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/ns3/switch/watershed-switch-queues.h"
#include "model/ns3/switch/watershed-switch-topology.h"

namespace watershed {

void WatershedSwitchQueues::MakePauses(const FlowControl& flow_control) {
    NS_LOG_FUNCTION(this);
    const bool by_class = flow_control.kind == FlowControl::Kind::Pfc && m_switch.HasClasses();
    std::vector<PauseControl::Sender> senders;
    for (int input = 0; input < static_cast<int>(m_switch.Inputs()); ++input) {
        const WatershedNetDeviceImpl& port = *m_switch.m_inputs[static_cast<std::size_t>(input)];
        const BitRate link = port.GetRate();
        for (int each = 0; each < kTrafficClasses; ++each) {
            const bool pauses = !by_class || flow_control.pauses(each);
            if (pauses && (by_class || each == 0))
                senders.push_back(
                    {input, by_class ? std::optional<int>(each) : std::nullopt, link, port.GetPauseAlpha(each)});
            m_senders.push_back(pauses ? static_cast<int>(senders.size()) - 1 : kNobody);
        }
    }
    m_pauses.emplace(flow_control, std::move(senders), *m_memory);
}

void WatershedSwitchQueues::Order(int sender, const Timestamp& now) {
    if (sender == kNobody) return;
    const auto quanta = m_pauses->order(sender, *m_memory, now);
    if (!quanta) return;
    *quanta > 0 ? void(m_paused.insert(sender)) : void(m_paused.erase(sender));
    Tell(sender, *quanta, now);
}

void WatershedSwitchQueues::OrderPaused(const Timestamp& now) {
    for (auto each = m_paused.begin(); each != m_paused.end();) {
        const int sender = *each;  // it may go on, and others begin to pause
        Order(sender, now);
        each = m_paused.upper_bound(sender);
    }
}

void WatershedSwitchQueues::Tell(int sender, std::int64_t quanta, const Timestamp& now) {
    SendOrder(sender, quanta, now);
    if (quanta == 0) return;
    const Timestamp renewal = m_pauses->renewal(sender);
    ns3::Simulator::Schedule(ToNs3Up(renewal.time - Now()), &WatershedSwitchQueues::Renew, this, sender, renewal);
}

void WatershedSwitchQueues::SendOrder(int sender, std::int64_t quanta, const Timestamp& now) {
    const PauseControl::Sender& who = m_pauses->senders()[static_cast<std::size_t>(sender)];
    const auto port = static_cast<std::uint32_t>(who.input);
    if (m_switch.m_inputs[port]->HasFailed()) return;  // said when the cable is back, if it holds then
    WatershedOutput& to = m_switch.OutputAt(port);
    // Classes that share one queue pause together.
    SendFree(to, to.control, m_switch.MakeOrder(port, quanta, who.traffic_class.value_or(kAllClasses)), now);
}

void WatershedSwitchQueues::Renew(int sender, Timestamp at) {
    NS_LOG_FUNCTION(this << sender);
    if (const auto quanta = m_pauses->renew(sender, at)) Tell(sender, *quanta, at);
}

void WatershedSwitchQueues::LinkChanged(std::uint32_t port, const Timestamp& now) {
    NS_LOG_FUNCTION(this << port);
    WatershedOutput& to = m_switch.OutputAt(port);
    if (to.device->HasFailed()) {
        LoseWaiting(to, to.control, now);
        for (WatershedOutput::Queue& queue : to.queues) LoseWaiting(to, queue, now);
    } else if (m_pauses) {
        for (const int sender : m_pauses->senders_at(static_cast<int>(port)))
            if (m_pauses->is_paused(sender))
                SendOrder(sender, m_switch.m_settings.network_switch.flow_control.quanta, now);
    }
}

void WatershedSwitchQueues::Pause(std::uint32_t port, std::optional<int>, const Timestamp& now, Time length) {
    SendHead(m_switch.OutputAt(port), now);
    if (length == Time{0}) return;
    ns3::Simulator::Schedule(ToNs3Up(now.time + length - Now()), &WatershedSwitchQueues::Ready, this, port);
}

ns3::Ptr<ns3::Packet> WatershedSwitchImpl::MakeOrder(std::uint32_t port, std::int64_t quanta, int traffic_class) const {
    NS_LOG_LOGIC("node " << m_context << " tells the sender on port " << port << " to pause for " << quanta
                         << " quanta, class " << traffic_class);
    const auto number = static_cast<std::uint16_t>(quanta);
    m_pause(port, number, static_cast<std::uint32_t>(traffic_class));
    const auto own = ns3::Mac48Address::ConvertFrom(m_inputs[port]->GetAddress());
    return MakePauseFrame(m_settings.network_switch.flow_control.kind, own, number, traffic_class);
}

void WatershedSwitchImpl::LinkChanged(std::uint32_t port) {
    NS_LOG_FUNCTION(this << port);
    if (!m_learns) return;
    NoteFailures(*this);
    if (!HasBegun()) return;
    if (!m_inputs[port]->HasFailed()) Pause(port, {}, Now());  // the other end begins anew
    m_inside->LinkChanged(port, Now());
}

void WatershedSwitchImpl::Obey(std::uint32_t port, const PauseOrder& order, const Timestamp& now) {
    const Switch& self = m_settings.network_switch;
    if (!self.obeys_pause) return;
    const Timestamp then = (m_learns ? Timestamp(now.time) : now) + self.pause_reaction;
    if (self.pause_reaction == Time{0}) return Pause(port, order, then);
    ns3::Simulator::Schedule(ToNs3(self.pause_reaction), &WatershedSwitchImpl::Pause, this, port, order, then);
}

void WatershedSwitchImpl::Pause(std::uint32_t port, const PauseOrder& order, const Timestamp& now) {
    NS_LOG_FUNCTION(this << port << order.quanta << order.trafficClass.value_or(kAllClasses));
    WatershedOutput& to = OutputAt(port);
    const Time length = pause_length(to.device->GetRate(), order.quanta);
    bool stops = false;
    for (int each = 0; each < kTrafficClasses; ++each) {
        if (order.trafficClass.value_or(each) != each) continue;
        PauseGate& gate = to.gates[static_cast<std::size_t>(each)];
        stops = stops || (order.quanta > 0 && gate.is_open(now.time));
        gate.order(now.time, length);
    }
    m_pausesObeyed += stops;
    m_inside->Pause(port, order.trafficClass, now, length);
    const int classes = HasClasses() ? kTrafficClasses : 1;
    for (int each = 0; m_isInLoop && each < classes; ++each) {
        if (order.trafficClass.value_or(each) != each) continue;
        if (order.quanta > 0)
            SeekDeadlock({this, port, each});
        else
            m_deadlocked.erase({port, each});
    }
}

std::int64_t WatershedSwitchImpl::GetPauses() const {
    const PauseControl* const pauses = m_inside ? m_inside->GetPauseControl() : nullptr;
    return pauses ? pauses->pauses() : 0;
}

Time WatershedSwitchImpl::GetPauseTime(Time now) const {
    Time sum{0};
    for (const WatershedOutput& output : m_outputs)
        for (std::size_t each = 0; each < (output.scheduler ? output.gates.size() : 1); ++each)
            sum += output.gates[each].closed(now);
    return sum;
}

}  // namespace watershed
