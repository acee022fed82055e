// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/class-delay.h"

#include <algorithm>
#include <utility>

namespace watershed {
namespace {

/// What some sources have brought until a time.
struct CumulativeArrivals {
    Wide time = 0, work = 0, frames = 0;
};

template <class Wanted>
std::vector<CumulativeArrivals> cumulative_arrivals(const std::vector<QueueSource>& sources, const Wanted& wanted) {
    std::vector<CumulativeArrivals> all;
    for (const QueueSource& each : sources)
        if (wanted(each))
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

/// Goes through what came since a time that has to be served first.
class InterferingWork {
  public:
    explicit InterferingWork(std::vector<CumulativeArrivals> brought) : brought_(std::move(brought)) {}

    /// When it has all been served, with this work beside it. @param beside  grows from call to call
    Wide until(Wide beside) {
        while (next_ < brought_.size() && brought_[next_].time <= beside + work_) work_ = brought_[next_++].work;
        return beside + work_;
    }

  private:
    std::vector<CumulativeArrivals> brought_;
    std::size_t next_ = 0;
    Wide work_ = 0;
};

/// The longest slot of some sources, or 0.
template <class Wanted>
Wide longest_slot(const std::vector<QueueSource>& sources, const Wanted& wanted) {
    Wide longest = 0;
    for (const QueueSource& each : sources)
        if (wanted(each)) longest = std::max(longest, each.slot);
    return longest;
}

/// One class beside all others.
class ClassDelay {
  public:
    ClassDelay(const std::vector<QueueSource>& sources, int traffic_class, const Scheduling& scheduling, Wide byte)
        : sources_(sources),
          class_(traffic_class),
          scheduling_(scheduling),
          byte_(byte),
          own_(cumulative_arrivals(sources, [&](const QueueSource& each) { return each.traffic_class == class_; })) {}

    /// @param busy  the longest busy time of the uplink
    Wide longest(Wide busy) const {
        return scheduling_.kind == Scheduling::Kind::StrictPriority ? by_priority(busy) : by_turns(busy);
    }

  private:
    /// @param left   when the last frame has left of those of the class that came until some time or at once
    /// @param alone  from when on a frame that comes is the first again
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
        // A longer frame that is the last of these begins sooner, and ends no later.
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
    /// Time, or frames.
    Wide turn_of(int traffic_class) const {
        const auto number = static_cast<std::size_t>(traffic_class);
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
