// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/base/watershed-instant.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace watershed {

void WatershedInstant::Do(const Moment& moment, const Place& place, Action action) {
    m_entries.push_back({moment, place, m_serial++, std::move(action)});
    std::push_heap(m_entries.begin(), m_entries.end());
    if (m_pending) return;
    m_pending = true;
    m_event.Schedule(ns3::Simulator::GetContext(), Time{0});
}

void WatershedInstant::DoAt(const Moment& moment, const Place& place, Action action) {
    const Time now = Now();
    if (moment.time == now) {
        Do(moment, place, std::move(action));
        return;
    }
    ns3::Simulator::Schedule(ToNs3(moment.time - now),
                             [instant = ns3::Ptr<WatershedInstant>(this), moment, place, action = std::move(action)] {
                                 instant->Do(moment, place, action);
                             });
}

void WatershedInstant::CarryOut() {
    const ns3::Ptr<WatershedInstant> keep(this);
    while (!m_entries.empty()) {
        std::pop_heap(m_entries.begin(), m_entries.end());
        const Moment moment = m_entries.back().moment;
        const Action action = std::move(m_entries.back().action);
        m_entries.pop_back();
        action(moment);
    }
    m_pending = false;
}

}  // namespace watershed
