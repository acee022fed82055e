// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/moment.h"
#include "model/switch/step.h"

/// What is yet to happen where a network is followed step by step.
namespace watershed {

/// A frame that a sender has sent, and all that is known of it wherever it comes.
struct SentFrame {
    FrameId id;
    Bytes buffer{0};
    Bytes wire{0};
    Time ready{0};  ///< to be sent, for the first time
    int traffic_class = 0;
};

/// A step of a sender or a switch, when its time has come.
struct StepEvent {
    Moment time{};
    StepPlace place;
    std::int64_t serial = 0;
    SentFrame frame{};                  ///< that arrives; of a trigger or an offer its event alone
    bool whole = true;                  ///< or its header only
    Moment until{};                     ///< end of a pause, or of the frame whose header is there
    std::optional<int> paused_class{};  ///< absent: all

    StepEvent() = default;
    StepEvent(const Moment& when, const StepPlace& where) : time(when), place(where) {}
    StepEvent(const Moment& when, const StepPlace& where, const FrameId& id) : time(when), place(where), frame{id} {}
    StepEvent(const Moment& when, const StepPlace& where, const SentFrame& arriving)
        : time(when), place(where), frame(arriving) {}
    /// Of a header.
    StepEvent(const Moment& when, const StepPlace& where, const SentFrame& arriving, const Moment& end)
        : time(when), place(where), frame(arriving), whole(false), until(end) {}
};

/// What is yet to happen: a heap of times, which are small, beside the events, which are not. Events that become known
/// together stand in line, of which only the first is in the heap. One that comes before all others need not go through
/// the heap: often it is one that another has made necessary at once.
class StepQueue {
  public:
    void add(const StepEvent& event) {
        if (free_.empty()) free_.push_back(&events_.emplace_back());
        StepEvent* const place = free_.back();
        free_.pop_back();
        *place = event;
        place->serial = ++serial_;
        insert({event.time.time, place, nullptr});
    }
    /// Adds all, and leaves none.
    void add(std::vector<StepEvent>& together) {
        if (together.empty()) return;
        if (free_lines_.empty()) free_lines_.push_back(&lines_.emplace_back());
        Line* const line = free_lines_.back();
        free_lines_.pop_back();
        line->events.swap(together);
        together.clear();
        line->sort(serial_);
        insert({line->next->time, line->next->event, line});
    }

    /// That which take() will give; nothing if there is none.
    const StepEvent* first() {
        if (!first_.event && !heap_.empty()) pull();
        return first_.event;
    }
    /// What first() gave last, if nothing was added since; it happens now, and is there until the next call.
    const StepEvent& take() {
        if (!now_.line) {
            if (now_.event) free_.push_back(now_.event);
        } else if (now_.line->is_over()) {
            free_lines_.push_back(now_.line);
        }
        now_ = first_;
        first_.event = nullptr;
        if (Line* const line = now_.line)
            if (++line->next; !line->is_over()) insert_first({line->next->time, line->next->event, line});
        return *now_.event;
    }

  private:
    struct Line;
    struct Due {
        Time time{0};
        StepEvent* event = nullptr;
        Line* line = nullptr;  ///< in which it stands
    };
    struct Line {
        struct Place {
            Time time{0};
            StepEvent* event = nullptr;
        };
        std::vector<StepEvent> events;
        std::vector<Place> order;  ///< of these
        const Place* next = nullptr;
        const Place* end = nullptr;

        bool is_over() const { return next == end; }
        void sort(std::int64_t& serial) {
            order.resize(events.size());
            bool sorted = true;
            Place* last = order.data();
            Place* place = last;
            for (StepEvent& event : events) {
                event.serial = ++serial;
                *place = {event.time.time, &event};
                sorted = sorted && !is_later(*last, *place);
                last = place++;
            }
            next = order.data();
            end = place;
            if (!sorted)
                std::sort(order.begin(), order.end(), [](const Place& a, const Place& b) { return is_later(b, a); });
        }
    };

    /// A heap has the first event in front if the later one is the lesser.
    template <class Any>
    static bool is_later(const Any& a, const Any& b) {
        return a.time != b.time ? b.time < a.time : is_later_then(*a.event, *b.event);
    }
    static bool is_later_then(const StepEvent& a, const StepEvent& b) {
        if (a.time.early != b.time.early) return a.time.early < b.time.early;
        if (b.place < a.place) return true;
        return !(a.place < b.place) && b.serial < a.serial;
    }
    void insert(Due due) {
        if (!first_.event) return insert_first(due);
        if (is_later(first_, due)) std::swap(first_, due);
        push(due);
    }
    /// Where no other is known to be the first.
    void insert_first(const Due& due) {
        if (heap_.empty() || is_later(heap_.front(), due))
            first_ = due;
        else
            push(due);
    }
    [[gnu::noinline]] void pull() {
        std::pop_heap(heap_.begin(), heap_.end(), is_later<Due>);
        first_ = heap_.back();
        heap_.pop_back();
    }
    [[gnu::noinline]] void push(const Due& due) {
        heap_.push_back(due);
        std::push_heap(heap_.begin(), heap_.end(), is_later<Due>);
    }

    std::deque<StepEvent> events_;  ///< those that stand in no line
    std::vector<StepEvent*> free_;
    std::deque<Line> lines_;
    std::vector<Line*> free_lines_;
    std::vector<Due> heap_;
    Due first_;  ///< before all in the heap
    Due now_;    ///< what take() gave
    std::int64_t serial_ = 0;
};

}  // namespace watershed
