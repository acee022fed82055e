// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/class-delays.h"

#include <algorithm>
#include <utility>

#include "model/base/timestamp.h"

namespace watershed {
namespace {

/// Work, in ticks of transmission time, and frames that have come up to and including `time`.
struct CumulativeArrivals {
    Wide time = 0, work = 0, frames = 0;
};

/// Returns the cumulative arrivals of the sources that satisfy `includes`, by ascending time.
template <class Predicate>
std::vector<CumulativeArrivals> cumulative_arrivals(const std::vector<QueueSource>& sources,
                                                    const Predicate& includes) {
    std::vector<CumulativeArrivals> all;
    for (const QueueSource& each : sources)
        if (includes(each))
            for (const Wide& time : each.distances) all.push_back({time, each.slot * each.each, each.each});
    std::sort(all.begin(), all.end(),
              [](const CumulativeArrivals& a, const CumulativeArrivals& b) { return a.time < b.time; });
    std::vector<CumulativeArrivals> sums;
    CumulativeArrivals sum;
    for (const CumulativeArrivals& each : all) {
        sum = {each.time, sum.work + each.work, sum.frames + each.frames};
        if (!sums.empty() && sums.back().time == each.time)
            sums.back() = sum;
        else
            sums.push_back(sum);
    }
    return sums;
}

/// Interfering work: arrivals that are served before the work in question.
class InterferingWork {
  public:
    explicit InterferingWork(std::vector<CumulativeArrivals> brought) : brought_(std::move(brought)) {}

    /// Returns the time at which all interfering work that has come by then, and `beside`, are served: the least fixed
    /// point. @param beside  other work; must not fall from call to call
    Wide until(Wide beside) {
        while (next_ < brought_.size() && brought_[next_].time <= beside + work_) work_ = brought_[next_++].work;
        return beside + work_;
    }

  private:
    std::vector<CumulativeArrivals> brought_;
    std::size_t next_ = 0;
    Wide work_ = 0;
};

/// Returns the longest slot of the sources that satisfy `includes`; 0 if none does.
template <class Predicate>
Wide longest_slot(const std::vector<QueueSource>& sources, const Predicate& includes) {
    Wide longest = 0;
    for (const QueueSource& each : sources)
        if (includes(each)) longest = std::max(longest, each.slot);
    return longest;
}

/// Longest delay of one class in competition with all others, without the latency of the switch.
class ClassDelay {
  public:
    ClassDelay(const std::vector<QueueSource>& sources, int traffic_class, const Scheduling& scheduling, Wide byte)
        : sources_(sources),
          class_(traffic_class),
          scheduling_(scheduling),
          byte_(byte),
          own_(cumulative_arrivals(sources, [&](const QueueSource& each) { return each.traffic_class == class_; })) {}

    /// Returns the delay. @param busy  longest busy period of the uplink
    Wide longest(Wide busy) const {
        return scheduling_.kind == Scheduling::Kind::StrictPriority ? by_priority(busy) : by_turns(busy);
    }

  private:
    /// Returns the longest delay over the arrivals of one busy period of the class.
    /// @param left   function that returns when the last frame of these arrivals has left
    /// @param alone  function that returns when the busy period of the class ends after these arrivals
    template <class Left, class Alone>
    Wide longest(Wide busy, const Left& left, const Alone& alone) const {
        Wide delay = 0, until = 0;
        for (const CumulativeArrivals& each : own_) {
            if (each.time > until) break;
            delay = std::max<Wide>(delay, std::min<Wide>(busy, left(each)) - each.time);
            until = std::min<Wide>(busy, alone(each));
        }
        return delay;
    }
    Wide by_priority(Wide busy) const {
        Wide least = 0;
        for (const QueueSource& each : sources_)
            if (each.traffic_class == class_ && (least == 0 || each.slot < least)) least = each.slot;
        const Wide begun = longest_slot(sources_, [&](const QueueSource& each) { return each.traffic_class < class_; });
        InterferingWork higher(
            cumulative_arrivals(sources_, [&](const QueueSource& each) { return each.traffic_class > class_; }));
        // Assumes that the last frame is the shortest of its class: a longer one begins sooner and ends no later.
        return longest(
            busy, [&](const CumulativeArrivals& own) { return higher.until(begun + own.work - least) + least; },
            [&](const CumulativeArrivals& own) { return higher.until(begun + own.work); });
    }
    Wide by_turns(Wide busy) const {
        const bool by_bytes = scheduling_.kind == Scheduling::Kind::DeficitRoundRobin;
        Wide each_turn = 0, once = 0;
        for (int other = 0; other < kTrafficClasses; ++other) {
            const Wide slot =
                longest_slot(sources_, [&](const QueueSource& each) { return each.traffic_class == other; });
            if (other == class_ || slot == 0) continue;
            each_turn += by_bytes ? turn_of(other) : slot * turn_of(other);
            if (by_bytes) once += slot;
        }
        const auto left = [&](const CumulativeArrivals& own) {
            return own.work + once + each_turn * ceil_div(by_bytes ? own.work : own.frames, turn_of(class_));
        };
        return longest(busy, left, left);
    }
    /// Returns the size of a class's turn: ticks for deficit round robin, else frames.
    Wide turn_of(int traffic_class) const {
        const auto number = std::size_t(traffic_class);
        const Wide weight = number < scheduling_.weights.size() ? scheduling_.weights[number] : 1;
        return scheduling_.kind == Scheduling::Kind::DeficitRoundRobin ? weight * scheduling_.quantum.count * byte_
                                                                       : weight;
    }

    const std::vector<QueueSource>& sources_;
    const int class_;
    const Scheduling& scheduling_;
    const Wide byte_;
    const std::vector<CumulativeArrivals> own_;
};

}  // namespace

bool has_classes(const std::vector<QueueSource>& sources, const Scheduling& scheduling) {
    return scheduling.kind != Scheduling::Kind::Fifo &&
           std::any_of(sources.begin(), sources.end(),
                       [&](const QueueSource& each) { return each.traffic_class != sources.front().traffic_class; });
}

bool class_delays(std::vector<QueueSource>& sources, const Scheduling& scheduling, Wide byte, Wide latency) {
    Rational all = 0;
    for (const QueueSource& each : sources) all += each.burst * Rational(each.slot);
    const Wide end = whole_of(all / (1 - load_of(sources))) + 1;
    for (QueueSource& each : sources)
        if (!each.extend_to(end)) return false;
    const Wide busy = InterferingWork(cumulative_arrivals(sources, [](const QueueSource&) { return true; })).until(0);
    Wide delays[kTrafficClasses] = {};
    for (QueueSource& each : sources) {
        Wide& delay = delays[each.traffic_class];
        if (delay == 0) delay = latency + ClassDelay(sources, each.traffic_class, scheduling, byte).longest(busy);
        each.delay = delay;
    }
    return true;
}

}  // namespace watershed
