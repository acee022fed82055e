// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "model/base/outcome.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/frontend/ledger.h"
#include "model/frontend/trigger.h"
#include "model/network/network-scenario.h"
#include "model/switch/arrival-order.h"

namespace watershed {

/// Follows the frames of any network of switches, each from its module to the server or to where it is lost: the
/// general path of the exact engine. A frame lasts at least a picosecond on a link, so that what a switch admits at one
/// instant arrives at the next switch at a later one; at each instant departures come first, then arrivals, switch by
/// switch in the order of Network, at each by ArrivalRank and input.
Outcome run_exactly(const NetworkScenario& scenario, const Observer* observer);

/// A frame whose last bit arrives at a switch. They are ordered as the switch decides on them.
struct Arrival {
    Timestamp time;
    std::uint64_t rank = 0;  ///< among those of this time
    int input = 0;           ///< of the switch, from 0; the lower one comes first where ranks are equal
    FrameId frame;

    friend bool operator<(const Arrival& a, const Arrival& b) {
        if (a.time != b.time) return a.time < b.time;
        return a.rank != b.rank ? a.rank < b.rank : a.input < b.input;
    }
};

/// Every frame that the front ends get onto their links, in order. What their FIFOs refuse goes to the ledger.
/// An event is read, and its arrivals are sorted, before the first of them may be due. Most events are over before the
/// next one is read; the arrivals of those that overlap are merged.
class Arrivals {
  public:
    /// @param sizes           of the fragments, by the numbers of modules in frames
    /// @param rank            of the switch, module i being its input i - 1
    /// @param modules_before  by which the numbers of modules in frames are higher
    /// @param grid            of their times
    Arrivals(const NetworkScenario& scenario, const FragmentSizes& sizes, Ledger& ledger, const Observer* observer,
             const ArrivalRank& rank, int modules_before, TimeGrid grid);

    /// The next one; null after the last.
    const Arrival* next() const { return next_; }
    /// Goes on to the one after that.
    void pop() {
        ++now_.next;
        if (now_.next == now_.end || now_.next->time >= alone_until_)
            turn();
        else
            next_ = now_.next->arrival;
    }

    /// Triggers read so far; all of them after the last arrival.
    std::int64_t events() const { return events_; }
    /// No more of them will be than so many, or than were read.
    void end_at(std::int64_t events) {
        most_events_ = events;
        if (events_ >= events) unread_.reset();
    }

  private:
    struct Due {
        Time time;
        const Arrival* arrival;

        friend bool operator<(const Due& a, const Due& b) {
            return a.time != b.time ? a.time < b.time : *a.arrival < *b.arrival;
        }
    };
    /// The arrivals of one event.
    struct Event {
        std::vector<Arrival> arrivals;
        std::vector<Due> order;  ///< of these
        const Due* next = nullptr;
        const Due* end = nullptr;

        friend bool operator<(const Event& a, const Event& b) {
            return *b.next < *a.next;
        }  // a heap has the largest first
    };

    /// Turns to the event of the next arrival.
    void turn();
    /// Reads the next event.
    void read();

    const FragmentSizes& sizes_;
    const Time gap_;
    Ledger& ledger_;
    const Observer* observer_;
    ArrivalRank rank_;
    int modules_before_;
    const Trigger& trigger_;
    TriggerTrain train_;
    int modules_;
    std::size_t most_;  ///< arrivals of an event
    bool synchronous_;
    std::vector<FrontEndPort> ports_;  ///< of the modules; only the first where all are synchronous
    std::optional<Time> unread_;       ///< the next trigger
    Time unread_from_{0};              ///< no arrival of an event that is yet to be read is earlier
    std::int64_t events_ = 0, most_events_ = std::numeric_limits<std::int64_t>::max();
    Event now_;
    std::vector<Event> others_;  ///< that have arrivals left: a heap
    Time alone_until_{0};        ///< nor is one of theirs earlier than this
    const Arrival* next_ = nullptr;
};

}  // namespace watershed
