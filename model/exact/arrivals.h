// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "model/exact/tournament.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/frontend/ledger.h"
#include "model/frontend/trigger.h"
#include "model/network/incast.h"
#include "model/switch/arrival-order.h"

namespace watershed {

/// A frame whose last bit has arrived at the switch.
struct Arrival {
    FrameId frame;
    Moment time;
};

/// Every frame that the front ends get onto their links, in the order in which the switch decides on them: by time,
/// then by arrival rank, then by module. What their FIFOs refuse goes to the ledger.
class Arrivals {
  public:
    /// @param sizes           of the fragments, by the numbers of modules in frames
    /// @param rank            of the switch, module i being its input i - 1
    /// @param modules_before  by which the numbers of modules in frames are higher
    /// @param grid            of their times
    Arrivals(const Incast& scenario, const FragmentSizes& sizes, Ledger& ledger, const Observer* observer,
             const ArrivalRank& rank, int modules_before, TimeGrid grid);

    std::optional<Arrival> next();

    /// Triggers read so far; all of them once next() has given nothing.
    std::int64_t events() const { return events_read_; }

  private:
    /// A module on its way through the triggers.
    struct Module {
        FrontEndPort port;
        std::int64_t event = 0;       ///< the one whose frames are queued
        std::vector<Arrival> queued;  ///< of that event
        std::size_t taken = 0;        ///< of these
    };
    /// The next arrival of a module.
    struct Head {
        Moment time;
        std::uint64_t rank;
        friend bool operator<(const Head& a, const Head& b) {
            return a.time != b.time ? a.time < b.time : a.rank < b.rank;
        }
    };
    struct Read {
        Time trigger;
        int modules;  ///< that have yet to read it
    };

    bool load(Module& module, int number);
    /// Of a module that has loaded frames.
    Head head_of(const Module& module, int number) const;
    std::optional<Time> trigger_of(std::int64_t event);
    std::optional<Arrival> next_synchronous();

    const FragmentSizes& sizes_;
    Ledger& ledger_;
    const Observer* observer_;
    ArrivalRank rank_;
    int modules_before_;
    const Trigger& trigger_;
    TriggerTrain train_;
    int modules_count_;
    bool synchronous_;
    std::deque<Read> triggers_;  ///< those some module has yet to read, the first of event `first_trigger_`
    std::int64_t first_trigger_ = 1;
    std::int64_t events_read_ = 0;
    bool train_ended_ = false;
    std::vector<Module> modules_;  ///< only the first where all are synchronous
    Tournament<Head> heads_;       ///< of all modules; none where all are synchronous
    std::vector<int> order_;       ///< synchronous: modules by rank in the event `ordered_event_`
    std::int64_t ordered_event_ = 0;
    std::size_t position_ = 0;  ///< in `order_`
};

}  // namespace watershed
