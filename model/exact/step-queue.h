// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/moment.h"
#include "model/switch/step.h"

/// What is yet to happen where a network is followed step by step.
namespace watershed {

/// A step of a sender or a switch, when its time has come.
struct StepEvent {
    Moment time{};
    StepPlace place;
    std::int64_t serial = 0;
    FrameId frame{};                     ///< that arrives; of a trigger or an offer its event alone
    bool whole = true;                   ///< or its header only
    Moment until{};                      ///< end of a pause, or of the frame whose header is there
    std::optional<int> traffic_class{};  ///< that pauses; absent: all
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
        line->order.clear();
        for (StepEvent& event : line->events) {
            event.serial = ++serial_;
            line->order.push_back({event.time.time, &event, line});
        }
        const auto is_earlier = [](const Due& a, const Due& b) { return is_later(b, a); };
        if (!std::is_sorted(line->order.begin(), line->order.end(), is_earlier))
            std::sort(line->order.begin(), line->order.end(), is_earlier);
        line->next = line->order.data();
        insert(*line->next);
    }

    /// That which take() will give; nothing if there is none.
    const StepEvent* first() const {
        if (first_.event || heap_.empty()) return first_.event;
        return heap_.front().event;
    }
    /// The first event, which happens now; it is there until the next call.
    const StepEvent& take() {
        if (Line* const line = now_.line; line && line->is_over())
            free_lines_.push_back(line);
        else if (now_.event && !line)
            free_.push_back(now_.event);
        if (first_.event) {
            now_ = std::exchange(first_, {});
        } else {
            std::pop_heap(heap_.begin(), heap_.end(), is_later);
            now_ = heap_.back();
            heap_.pop_back();
        }
        if (now_.line)
            if (++now_.line->next; !now_.line->is_over()) insert(*now_.line->next);
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
        std::vector<StepEvent> events;
        std::vector<Due> order;  ///< of these
        const Due* next = nullptr;

        bool is_over() const { return next == order.data() + order.size(); }
    };

    /// A heap has the first event in front if the later one is the lesser.
    static bool is_later(const Due& a, const Due& b) {
        if (a.time != b.time) return b.time < a.time;
        const StepEvent &first = *a.event, &second = *b.event;
        if (first.time != second.time) return second.time < first.time;
        return std::tie(second.place, second.serial) < std::tie(first.place, first.serial);
    }
    void insert(Due due) {
        const bool comes_first = first_.event ? is_later(first_, due) : heap_.empty() || is_later(heap_.front(), due);
        if (comes_first) std::swap(first_, due);
        if (!due.event) return;
        heap_.push_back(due);
        std::push_heap(heap_.begin(), heap_.end(), is_later);
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
