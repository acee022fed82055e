// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/sort-by-time.h"
#include "model/base/timestamp.h"
#include "model/exact/time-grid.h"
#include "model/frontend/front-end.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "model/switch/arrival-order.h"

namespace watershed {

/// Returns the duration of a frame on a link, in ticks. @throws TimeExceeded as span_of() does
inline Wide slot_in_ticks(Bytes wire, BitRate rate, ClockTolerance tolerance, TimeGrid grid) {
    return grid.ticks_of(span_of(TransmissionTime::of(wire, rate, tolerance), rate, grid));
}

/// Arrivals of the frames of a switch's modules, one after the other. @tparam Tick  tick of the grid, from 0
template <class Tick>
class UniformArrivals {
  public:
    struct Arrival {
        Tick time;
        int input;
    };

    /// @param modules   of the switch, as a scenario of their own, with one frame of this size each
    /// @param rank      of the switch, module i being its input i - 1
    /// @param observer  told of `progress`, if not null
    UniformArrivals(const NetworkScenario& modules, Bytes wire, const ArrivalRank& rank, TimeGrid grid,
                    const Observer* observer)
        : ticks_(grid.ticks),
          observer_(observer),
          rank_(rank),
          by_number_(rank.is_by_number()),
          train_(modules.trigger, modules.seed),
          link_(modules.front_end.link_rate),
          last_(Tick{kLastDeparture.count()} * ticks_) {
        const FrontEnd& front_end = modules.front_end;
        for (int number = 1; number <= front_end.modules; ++number) {
            const ClockTolerance tolerance = module_timing(front_end, modules.seed, number).tolerance;
            ports_.push_back({FragmentTiming(front_end, modules.seed, number),
                              static_cast<Tick>(slot_in_ticks(wire, link_, tolerance, grid)), 0});
        }
        trigger_ = train_.next();
        turn();
    }

    /// The next arrival; null after the last.
    const Arrival* next() const { return next_; }
    /// Event of the next arrival.
    std::int64_t event() const { return now_.number; }
    /// Goes on to the arrival after that.
    void pop() {
        if (++next_ == end_) turn();
    }
    /// Goes through those until then. @param visit  given an event's number and an arrival
    template <class Visit>
    void pop_until(Tick until, Visit visit) {
        while (next_ && next_->time <= until) {
            const Arrival* const begin = next_;
            next_ = end_[-1].time <= until ? end_ : first_from(until + 1);
            for (const Arrival* each = begin; each != next_; ++each) visit(now_.number, *each);
            if (next_ == end_) turn();
        }
    }
    /// Triggers read so far; all of them after the last arrival.
    std::int64_t events() const { return events_; }
    /// No more of them will be than so many, or than were read.
    void end_at(std::int64_t events) {
        most_events_ = events;
        if (events_ >= events) trigger_.reset();
    }

  private:
    struct Port {
        FragmentTiming timing;
        Tick slot;
        Tick free;
    };
    /// The arrivals of one event, in their order.
    struct Event {
        std::int64_t number = 0;
        std::vector<Arrival> arrivals;
        const Arrival* next = nullptr;
        const Arrival* end = nullptr;
    };

    /// @param event_of_a  whose arrival it is
    bool precedes(const Arrival& a, std::int64_t event_of_a, const Arrival& b, std::int64_t event_of_b) const {
        return a.time != b.time ? a.time < b.time
               : by_number_     ? a.input < b.input
                                : is_asked_first(a, event_of_a, b, event_of_b);
    }
    /// Returns true if `a` asks before `b`, at one instant; such pairs are rare.
    [[gnu::noinline]] bool is_asked_first(const Arrival& a, std::int64_t event_of_a, const Arrival& b,
                                          std::int64_t event_of_b) const {
        const std::uint64_t rank_of_a = rank_(event_of_a, a.input + 1), rank_of_b = rank_(event_of_b, b.input + 1);
        return rank_of_a != rank_of_b ? rank_of_a < rank_of_b : a.input < b.input;
    }
    /// A heap has the largest first.
    auto later() const {
        return [this](const Event& a, const Event& b) { return precedes(*b.next, b.number, *a.next, a.number); };
    }

    const Arrival* first_from(Tick time) const {
        return std::partition_point(next_, end_, [time](const Arrival& each) { return each.time < time; });
    }

    /// Turns to the event of the next arrival.
    [[gnu::noinline, gnu::flatten]] void turn() {  // so that pop() stays small
        if (next_ != now_.end) {
            now_.next = next_;
            others_.push_back(std::move(now_));
            std::push_heap(others_.begin(), others_.end(), later());
        }
        while (trigger_ && (others_.empty() || others_.front().next->time >= unread_from_)) read();
        next_ = nullptr;
        if (others_.empty()) return;
        std::pop_heap(others_.begin(), others_.end(), later());
        std::swap(now_, others_.back());
        spare_ = std::move(others_.back().arrivals);
        others_.pop_back();
        next_ = now_.next;
        Tick alone_until = trigger_ ? unread_from_ : last_ + 1;
        if (!others_.empty()) alone_until = std::min(alone_until, others_.front().next->time);
        end_ = now_.end;
        if (end_[-1].time >= alone_until) end_ = std::max(next_ + 1, first_from(alone_until));
    }

    /// Reads the next event.
    void read() {
        const std::int64_t number = ++events_;
        if (observer_ && observer_->progress && number % 1024 == 0) observer_->progress(number);
        Event event;
        event.number = number;
        event.arrivals = std::move(spare_);
        event.arrivals.resize(ports_.size());
        Arrival* arrival = event.arrivals.data();
        int input = 0;
        for (Port& port : ports_) {
            const Tick offered = port.timing.offer_time(number, *trigger_).count() * ticks_;
            port.free = std::max(offered, port.free) + port.slot;
            *arrival++ = {port.free, input++};
        }
        trigger_ = number < most_events_ ? train_.next() : std::nullopt;
        const auto in_order = [this, number](const Arrival& a, const Arrival& b) {
            return precedes(a, number, b, number);
        };
        sort_by_time(
            event.arrivals, [](const Arrival& one) { return one.time; }, in_order);
        if (event.arrivals.back().time > last_) throw TimeExceeded(link_);
        if (trigger_) unread_from_ = std::max(trigger_->count() * ticks_, event.arrivals.front().time);
        event.next = event.arrivals.data();
        event.end = event.next + event.arrivals.size();
        others_.push_back(std::move(event));
        std::push_heap(others_.begin(), others_.end(), later());
    }

    const Tick ticks_;  ///< ticks of a picosecond
    const Observer* observer_;
    ArrivalRank rank_;
    const bool by_number_;
    TriggerTrain train_;
    BitRate link_;
    const Tick last_;
    std::vector<Port> ports_;
    std::optional<Time> trigger_;  ///< the next one, unread
    Tick unread_from_ = 0;         ///< no arrival of an event that is yet to be read is earlier
    std::int64_t events_ = 0, most_events_ = std::numeric_limits<std::int64_t>::max();
    Event now_;
    std::vector<Event> others_;  ///< events that have arrivals left: a heap
    std::vector<Arrival> spare_;
    const Arrival* next_ = nullptr;
    const Arrival* end_ = nullptr;  ///< end of the arrivals before which no other event has one
};

}  // namespace watershed
