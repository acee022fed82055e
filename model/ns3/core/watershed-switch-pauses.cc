// SPDX-License-Identifier: GPL-2.0-only
// Flow control of a WatershedSwitch: whom it tells to pause, and when it is told to.
#include <ns3/simulator.h>

#include <algorithm>

#include "model/ns3/core/watershed-pause-frame.h"
#include "model/ns3/core/watershed-switch.h"

namespace watershed {

void WatershedSwitch::Order(int input, const Moment& now) {
    if (const auto quanta = m_pauses->order(input, *m_memory, now)) Tell(input, *quanta, now);
}

void WatershedSwitch::OrderPaused(const Moment& now) {
    for (int input = 0; input < static_cast<int>(Inputs()); ++input)
        if (m_pauses->is_paused(input)) Order(input, now);
}

void WatershedSwitch::Tell(int input, std::int64_t quanta, const Moment& now) {
    const auto number = static_cast<std::uint16_t>(quanta);
    const auto port = static_cast<std::uint32_t>(input);
    NS_LOG_LOGIC("node " << m_context << " tells the sender on port " << port << " to pause for " << number
                         << " quanta");
    m_pause(port, number);
    const auto own = ns3::Mac48Address::ConvertFrom(m_inputs[port]->GetAddress());
    SendOwn(port, MakePauseFrame(m_settings.network_switch.flow_control.kind, own, number), true, now);
    if (quanta == 0) return;
    const Moment renewal = m_pauses->renewal(input);
    ns3::Simulator::Schedule(ToNs3Up(renewal.time - Now()), &WatershedSwitch::Renew, this, input, renewal);
}

void WatershedSwitch::Renew(int input, Moment at) {
    if (const auto quanta = m_pauses->renew(input, at)) Tell(input, *quanta, at);
}

void WatershedSwitch::Pause(std::uint32_t port, std::uint16_t quanta, Time now) {
    WatershedOutput& to = OutputAt(port);
    to.gate.order(now, quanta == 0 ? Time{0} : pause_length(to.device->GetRate(), quanta));
    PauseOver(port);
}

void WatershedSwitch::PauseOver(std::uint32_t port) {
    const Time now = Now();
    WatershedOutput& to = OutputAt(port);
    if (to.gate.is_open(now))
        SendHead(to, now);
    else
        ns3::Simulator::Schedule(ToNs3Up(to.gate.until() - now), &WatershedSwitch::PauseOver, this, port);
}

}  // namespace watershed
