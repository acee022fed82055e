// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// Node of each slot; an event's slot is its number modulo the number of slots.
using EjfatCalendar = std::vector<int>;
constexpr int kNoNode = -1;

/// A node that wants slots.
struct EjfatMember {
    int node = 0;
    double weight = 1000;
};

/// Number of slots of each member, as udplbd2 has it: its share by weight, rounded, at least `min_factor` and at most
/// `max_factor` (0: no limit) of an even share, rounded down; slots that are left over one by one. With more members
/// than slots, or where rounding gave out too many, the members take turns until none is left. The sum is `slots`, or 0
/// where there are no members.
std::vector<int> slots_from_weights(const std::vector<EjfatMember>& members, int slots, Ratio min_factor,
                                    Ratio max_factor);

/// Makes a calendar with these shares, in an order drawn from the seed for each epoch.
EjfatCalendar make_calendar(const std::vector<EjfatMember>& members, const std::vector<int>& shares, int slots,
                            std::uint64_t seed, std::uint64_t epoch);

/// The calendars of a balancer: each holds from one event number until the next begins, so an event belongs to exactly
/// one.
class EjfatEpochs {
  public:
    /// A calendar and the first event it is for.
    struct Epoch {
        std::uint64_t first_event = 0;
        EjfatCalendar calendar;
    };

    /// @throws std::logic_error if it does not begin behind the last
    void add(Epoch epoch);
    /// The node for this event, or kNoNode.
    int node_of(std::uint64_t event) const;
    const std::vector<Epoch>& all() const { return epochs_; }

  private:
    std::vector<Epoch> epochs_;
};

}  // namespace watershed
