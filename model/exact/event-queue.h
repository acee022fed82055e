// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/sort-by-time.h"
#include "model/base/timestamp.h"
#include "model/switch/event-driven-switch.h"
#include "model/switch/step.h"

/// Future events of a network that is followed step by step.
namespace watershed {

/// A frame that a sender sends.
struct SentFrame {
    FrameId id;
    Bytes buffer{0};
    Bytes wire{0};
    Time ready{0};  ///< time at which it was first ready to be sent
    int traffic_class = 0;
};

/// A step of a sender or a switch, when its time has come; of an arrival it is the frame, for as long as the switch has
/// it, and of a trigger or an offer that frame's id alone.
struct ScheduledEvent : SwitchedFrame {
    Timestamp time{};
    SameTimeOrder place;
    std::int64_t serial = 0;
    bool whole = true;                    ///< false: its header only
    Timestamp until{};                    ///< end of a pause, or of the frame whose header is there
    std::optional<int> paused_class{};    ///< absent: all
    ScheduledEvent* next_free = nullptr;  ///< next free place, once the event is gone

    ScheduledEvent() = default;
    ScheduledEvent(const Timestamp& when, const SameTimeOrder& where) : time(when), place(where) {}
    ScheduledEvent(const Timestamp& when, const SameTimeOrder& where, const FrameId& of) : ScheduledEvent(when, where) {
        id = of;
    }
    ScheduledEvent(const Timestamp& when, const SameTimeOrder& where, const SentFrame& sent)
        : SwitchedFrame{sent.id,
                        {where.index, 0, sent.buffer, 0, false, true, sent.traffic_class},
                        sent.wire,
                        {},
                        static_cast<std::uint64_t>(sent.ready.count())},
          time(when),
          place(where) {}
    /// Arrival of a header; the frame's end follows at `end`.
    ScheduledEvent(const Timestamp& when, const SameTimeOrder& where, const SentFrame& sent, const Timestamp& end)
        : ScheduledEvent(when, where, sent) {
        whole = false;
        until = end;
    }
};

/// Future events: a heap of times, which are small, beside the events, which are not. Events that become known together
/// stand in line, with only the first in the heap. An event that precedes all others bypasses the heap: often another
/// one has made it necessary at once.
class EventQueue {
  public:
    /// An event, and its time, by which it is compared first.
    struct Timed {
        Time time{0};
        ScheduledEvent* event = nullptr;
    };

    /// Keeps an event for add(). @param what  makes it
    template <class... What>
    Timed keep(const What&... what) {
        ScheduledEvent* const place = free_ ? free_ : &events_.emplace_back();
        free_ = place->next_free;
        ScheduledEvent* const event = new (place) ScheduledEvent(what...);  // an event is slower to copy
        event->serial = ++serial_;
        return {event->time.time, event};
    }
    template <class... What>
    void add(const What&... what) {
        insert({keep(what...), nullptr});
    }
    /// Adds all that were kept, and leaves none.
    void add(std::vector<Timed>& together) {
        if (together.empty()) return;
        if (free_lines_.empty()) free_lines_.push_back(&lines_.emplace_back());
        Line* const line = free_lines_.back();
        free_lines_.pop_back();
        line->order.swap(together);
        together.clear();
        line->sort();
        insert({*line->next, line});
    }

    /// The next event, which take() will give; null if there is none.
    const ScheduledEvent* first() {
        if (!first_.event && !heap_.empty()) pull();
        return first_.event;
    }
    /// Takes the event that first() gave last. It stays valid until gone(). @pre nothing was added since first()
    ScheduledEvent& take() {
        ScheduledEvent& event = *first_.event;
        first_.event = nullptr;
        if (Line* const line = first_.line) {
            constexpr std::ptrdiff_t kAhead = 4;
            if (line->end - line->next > kAhead) fetch(line->next[kAhead].event);
            if (++line->next != line->end)
                insert_first(*line->next, line);
            else
                free_lines_.push_back(line);
        }
        return event;
    }
    void gone(ScheduledEvent& event) { event.next_free = std::exchange(free_, &event); }

  private:
    /// Prefetches an event into the caches before it is needed.
    static void fetch(const ScheduledEvent* event) {
        constexpr std::size_t kCacheLine = 64;
        for (std::size_t i = 0; i < sizeof *event; i += kCacheLine)
            __builtin_prefetch(reinterpret_cast<const char*>(event) + i, 1);
    }

    struct Line;
    struct Due : Timed {
        Line* line = nullptr;  ///< line of the event; null: none
        Due() = default;
        Due(const Timed& due, Line* in) : Timed(due), line(in) {}
    };
    struct Line {
        std::vector<Timed> order;
        const Timed* next = nullptr;
        const Timed* end = nullptr;

        void sort() {
            sort_by_time(
                order, [](const Timed& one) { return one.time.count(); },
                [](const Timed& a, const Timed& b) { return is_later(b, a); });
            next = order.data();
            end = next + order.size();
        }
    };

    /// Order of the heap: it has the first event in front if the later one is the lesser.
    static bool is_later(const Timed& a, const Timed& b) {
        return b.time < a.time || (a.time == b.time && is_later_then(*a.event, *b.event));
    }
    static bool is_later_then(const ScheduledEvent& a, const ScheduledEvent& b) {
        if (a.time.early != b.time.early) return a.time.early < b.time.early;
        if (a.place < b.place) return false;  // events of a line mostly stand so
        return b.place < a.place || b.serial < a.serial;
    }
    void insert(Due due) {
        if (!first_.event) return insert_first(due, due.line);
        if (is_later(first_, due)) std::swap(first_, due);
        push(due);
    }
    /// Inserts an event while first_ is empty.
    void insert_first(const Timed& due, Line* line) {
        if (heap_.empty() || is_later(heap_.front(), due))
            first_ = {due, line};
        else
            push({due, line});
    }
    [[gnu::noinline]] void pull() {
        std::pop_heap(heap_.begin(), heap_.end(), is_later);
        first_ = heap_.back();
        heap_.pop_back();
    }
    [[gnu::noinline]] void push(const Due& due) {
        heap_.push_back(due);
        std::push_heap(heap_.begin(), heap_.end(), is_later);
    }

    std::deque<ScheduledEvent> events_;
    ScheduledEvent* free_ = nullptr;  ///< the first of those that are gone
    std::deque<Line> lines_;
    std::vector<Line*> free_lines_;
    std::vector<Due> heap_;
    Due first_;  ///< before all in the heap
    std::int64_t serial_ = 0;
};

/// A frame that leaves its switch.
struct Departure {
    Timestamp done{};
    int link = 0;

    friend bool operator<(const Departure& a, const Departure& b) {
        return a.done != b.done ? a.done < b.done : a.link < b.link;
    }
};

/// When links that send are done, the next one first; at one instant they take turns by their numbers. A single one
/// needs no heap.
class Departures {
  public:
    bool empty() const { return !any_; }
    const Departure& first() const { return first_; }
    bool are_at(const Timestamp& now) const { return any_ && first_.done == now; }
    void add(Departure departure) {
        if (!std::exchange(any_, true)) {
            first_ = departure;
            return;
        }
        if (departure < first_) std::swap(departure, first_);
        later_.push_back(departure);
        std::push_heap(later_.begin(), later_.end(), is_later);
    }
    /// @return the link of the first
    int take() {
        const int link = first_.link;
        if (later_.empty()) {
            any_ = false;
            return link;
        }
        std::pop_heap(later_.begin(), later_.end(), is_later);
        first_ = later_.back();
        later_.pop_back();
        return link;
    }

  private:
    static bool is_later(const Departure& a, const Departure& b) { return b < a; }

    bool any_ = false;
    Departure first_;
    std::vector<Departure> later_;  ///< a heap
};

}  // namespace watershed
