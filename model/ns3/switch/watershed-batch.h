// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/timestamp.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/frame/watershed-frame.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// Actions at a switch in one picosecond, in the order of their values where the exact time is the same.
enum class WatershedHappeningKind { Departure, Release, Arrival };

struct WatershedHappening {
    Timestamp moment;
    WatershedHappeningKind what = WatershedHappeningKind::Departure;
    std::uint32_t port = 0;  ///< input, or the port by which a frame departs
    std::uint64_t rank = 0;
    std::int64_t event = 0;  ///< event of the frame that arrives; 0 if it is of none
    int module = 0;          ///< number of the module, from 1
    WatershedFrame frame{};
    std::unique_ptr<MemoryClaim> claim{};  ///< memory to be released

    friend bool operator<(const WatershedHappening& a, const WatershedHappening& b) {
        if (a.moment != b.moment) return a.moment < b.moment;
        if (a.what != b.what) return a.what < b.what;
        return a.rank != b.rank ? a.rank < b.rank : a.port < b.port;
    }
};

/// Gathers what happens at its owner in one picosecond, and has all of it carried out in order, behind every event that
/// ns-3 holds for this time already.
template <class Owner, void (Owner::*kCarry)(WatershedHappening&)>
class WatershedBatch {
  public:
    explicit WatershedBatch(Owner* owner) : m_owner(owner) {}

    /// @param context the node on whose behalf the owner acts
    void Await(WatershedHappening&& happening, std::uint32_t context) {
        if (m_settling) {
            const auto later =
                std::upper_bound(m_waiting.begin() + static_cast<std::ptrdiff_t>(m_next), m_waiting.end(), happening);
            m_waiting.insert(later, std::move(happening));
            return;
        }
        if (m_waiting.empty()) {
            m_settle.Schedule(context, Time{0});
        } else if (happening < m_waiting.back()) {
            ++m_breaks;
            m_break = m_waiting.end() - m_waiting.begin();
        }
        m_waiting.push_back(std::move(happening));
    }

    /// For good.
    void Cancel() {
        m_settle.Cancel();
        m_waiting.clear();
    }

  private:
    void Settle() {
        if (m_breaks == 1)  // as where inputs take turns
            std::inplace_merge(m_waiting.begin(), m_waiting.begin() + m_break, m_waiting.end());
        else if (m_breaks > 1)
            std::stable_sort(m_waiting.begin(), m_waiting.end());
        m_settling = true;
        for (m_next = 0; m_next < m_waiting.size();) {
            WatershedHappening next = std::move(m_waiting[m_next++]);  // more may come while it is carried out
            (m_owner->*kCarry)(next);
        }
        m_waiting.clear();
        m_settling = false;
        m_breaks = 0;
    }

    Owner* m_owner;
    std::vector<WatershedHappening> m_waiting;
    std::size_t m_next = 0;  ///< index of the action being carried out
    bool m_settling = false;
    int m_breaks = 0;            ///< actions that belong before the one that came before them
    std::ptrdiff_t m_break = 0;  ///< the last of these
    WatershedTimer<WatershedBatch, &WatershedBatch::Settle> m_settle{this};
};

}  // namespace watershed
