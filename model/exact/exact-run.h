// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/unsupported-key.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/frontend/ledger.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
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
    int input = 0;           ///< input of the switch, from 0; the lower one comes first if ranks are equal
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
        std::vector<Due> order;  ///< the arrivals in order
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
    std::vector<FrontEndPort> ports_;  ///< ports of the modules; only the first where all are synchronous
    std::optional<Time> unread_;       ///< the next trigger
    Time unread_from_{0};              ///< no arrival of an event that is yet to be read is earlier
    std::int64_t events_ = 0, most_events_ = std::numeric_limits<std::int64_t>::max();
    Event now_;
    std::vector<Event> others_;  ///< events that have arrivals left: a heap
    Time alone_until_{0};        ///< nor is one of theirs earlier than this
    const Arrival* next_ = nullptr;
};

/// Whether run_by_frame() can run the camera; run_by_trigger() wants one for which counts suffice.
inline bool runs_fast(const SynchronousCamera& camera) { return camera.times.whole; }

/// Runs a synchronous camera trigger by trigger, with the outcome of the general path: a trigger's frames meet one
/// occupancy, and an uplink's frames are only counted.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_trigger(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// Runs a synchronous camera frame by frame, with the outcome of the general path.
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_frame(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// Runs frames of one size through plain switches one by one, with the outcome of the general path.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_uniform(const UniformCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// The first key of this scenario that makes frames wait or leave otherwise than in the order of admission,
/// pushes them out, or holds their senders, at any of its switches: a departure is then not known at admission, and
/// run_event_driven() must follow every event. The key is named as of [switch].
UnsupportedKey needs_events(const NetworkScenario& scenario);

/// Follows a scenario, of any network of switches, event by event in integer arithmetic; at one instant in the order of
/// SameTimeOrder.
Outcome run_event_driven(const NetworkScenario& scenario, const Observer* observer);

/// The first key, if any, that is modelled at a single switch only, although the scenario has several; otherwise empty.
std::string key_for_one_switch(const NetworkScenario& scenario);

/// Whether run_per_switch() can run this scenario: all switches lead to the server alone, so that each is a scenario of
/// its own.
bool is_separable(const NetworkScenario& scenario, const Network& network);

/// For each switch the first one, perhaps itself, that sees the same: what happens there is known once that one has
/// been followed.
std::vector<int> representative_switch(const NetworkScenario& scenario, const Network& network);

/// Runs switch by switch and puts the outcomes together. Of switches that see the same, only the first is run.
/// @param observer  of whose members only `progress` and `incomplete` are told
/// @param run       runs one switch
Outcome run_per_switch(const NetworkScenario& scenario, const Network& network, const Observer* observer,
                       const std::function<Outcome(const NetworkScenario&, const Observer*)>& run);

}  // namespace watershed
