// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/watershed-instant.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace watershed {

void WatershedInstant::Do(const Place& place, Action action) {
    m_entries.push_back({place, m_serial++, std::move(action)});
    std::push_heap(m_entries.begin(), m_entries.end());
    if (m_pending) return;
    m_pending = true;
    m_event.Schedule(ns3::Simulator::GetContext(), Time{0});
}

void WatershedInstant::DoAt(Time time, const Place& place, Action action) {
    const Time now = Now();
    if (time == now) {
        Do(place, std::move(action));
        return;
    }
    ns3::Simulator::Schedule(ToNs3(time - now), [instant = ns3::Ptr<WatershedInstant>(this), place, action = std::move(action)] { instant->Do(place, action); });
}

void WatershedInstant::CarryOut() {
    const ns3::Ptr<WatershedInstant> keep(this);
    const Time now = Now();
    while (!m_entries.empty()) {
        std::pop_heap(m_entries.begin(), m_entries.end());
        const Action action = std::move(m_entries.back().action);
        m_entries.pop_back();
        action(now);
    }
    m_pending = false;
}

}  // namespace watershed
