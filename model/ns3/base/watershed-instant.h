// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/simple-ref-count.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "model/base/timestamp.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/switch/step.h"

namespace watershed {

/// Gives what several components do at one instant an order that they agree on; ns-3 alone runs events of the same time
/// in the order in which they were scheduled, which for them is an accident. A component that an ns-3 event calls does
/// not act, but hands its action over with its place. The first of an instant schedules one more event, for now, behind
/// everything that ns-3 holds for this time already; it carries all actions out by their places, and those that they
/// hand over in their turn among the rest.
///
/// The order therefore holds for whatever was scheduled before its instant came, as the end of every frame is that
/// lasts at least a picosecond, and for what actions hand over. An event that is scheduled with ns-3 for the very time
/// at which that happens comes after all of them, and so does what it hands over.
class WatershedInstant : public ns3::SimpleRefCount<WatershedInstant> {
  public:
    /// The lowest goes first; at equal places, what was handed over first. Within the picosecond exact times come
    /// before places.
    using Place = SameTimeOrder;
    using Action = std::function<void(const Timestamp& now)>;

    /// Carries the action out at `moment`, which is not before now. An action whose place is before that of the one
    /// that hands it over for the same moment comes next.
    void DoAt(const Timestamp& moment, const Place& place, Action action) {
        const Time now = Now();
        if (moment.time == now) {
            Do(moment, place, std::move(action));
            return;
        }
        ns3::Simulator::Schedule(ToNs3(moment.time - now),
                                 [instant = ns3::Ptr<WatershedInstant>(this), moment, place,
                                  action = std::move(action)] { instant->Do(moment, place, action); });
    }

  private:
    struct Entry {
        Timestamp moment;
        Place place;
        std::uint64_t serial;
        Action action;

        friend bool operator<(const Entry& a, const Entry& b) {  // a heap gives the largest first
            return std::tie(b.moment, b.place, b.serial) < std::tie(a.moment, a.place, a.serial);
        }
    };

    void Do(const Timestamp& moment, const Place& place, Action action) {
        m_entries.push_back({moment, place, m_serial++, std::move(action)});
        std::push_heap(m_entries.begin(), m_entries.end());
        if (m_pending) return;
        m_pending = true;
        m_event.Schedule(ns3::Simulator::GetContext(), Time{0});
    }
    void CarryOut() {
        const ns3::Ptr<WatershedInstant> keep(this);
        while (!m_entries.empty()) {
            std::pop_heap(m_entries.begin(), m_entries.end());
            const Timestamp moment = m_entries.back().moment;
            const Action action = std::move(m_entries.back().action);
            m_entries.pop_back();
            action(moment);
        }
        m_pending = false;
    }

    std::vector<Entry> m_entries;  ///< a heap
    std::uint64_t m_serial = 0;
    bool m_pending = false;  ///< the event is scheduled, or runs
    WatershedTimer<WatershedInstant, &WatershedInstant::CarryOut> m_event{this};
};

}  // namespace watershed
