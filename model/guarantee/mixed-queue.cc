// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-queue.h"

#include <algorithm>
#include <utility>

#include "model/base/timestamp.h"
#include "model/guarantee/shaped-classes.h"
#include "model/guarantee/tier-links.h"

namespace watershed {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

/// Returns an upper bound on the sum of `of` over the frames in a queue: each source has at most the frames that it
/// brings in its delay, and the transmission times add up to at most `work` (fractional knapsack).
/// @param of  contribution of one frame of a source
template <class Of>
std::int64_t most_in(Wide work, const std::vector<QueueSource>& sources, Of of) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < sources.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return of(sources[a]) * sources[b].slot > of(sources[b]) * sources[a].slot;
    });
    const bool alike = std::all_of(sources.begin(), sources.end(),
                                   [&](const QueueSource& each) { return each.slot == sources.front().slot; });
    std::int64_t sum = 0;
    for (const std::size_t i : order) {
        const Wide slot = sources[i].slot, frames = sources[i].within(sources[i].delay),
                   taken = std::min(frames, work / slot);
        sum += std::int64_t(taken) * of(sources[i]);
        work -= taken * slot;
        // The remaining work is less than this slot. Shorter frames may still fit; a fraction of this one bounds them.
        if (taken < frames && !alike) return sum + std::int64_t(work * of(sources[i]) / slot);
    }
    return sum;
}

}  // namespace

bool QueueSource::extend_to(Wide time) {
    while (next && distances.back() <= time) {
        if (distances.size() == TierLinks::kMost) return false;
        distances.push_back(next());
    }
    return true;
}

std::int64_t QueueSource::within(Wide time) const {
    return each * (std::lower_bound(distances.begin(), distances.end(), time) - distances.begin());
}

Rational load_of(const std::vector<QueueSource>& sources) {
    Rational load = 0;
    for (const QueueSource& each : sources) load += each.rate * Rational(each.slot);
    return load;
}

std::optional<Wide> bound_mixed_queue(std::vector<QueueSource>& sources, const SwitchAnalysis& analysis,
                                      const Ticks& ticks, QueueGuarantee& queue) {
    const Wide latency = ticks.of(analysis.latency);
    Rational over = latency;
    Wide longest_slot = 0;
    for (const QueueSource& each : sources) {
        over += (each.burst - each.each) * Rational(each.slot);
        longest_slot = std::max(longest_slot, each.slot);
    }
    const Rational end = over / (1 - load_of(sources));
    if (end > ticks.of(kLastDeparture)) return std::nullopt;
    for (QueueSource& each : sources)
        if (!each.extend_to(whole_of(end))) return std::nullopt;
    std::vector<std::pair<Wide, std::size_t>> frames;
    for (std::size_t i = 0; i < sources.size(); ++i)
        for (const Wide& distance : sources[i].distances) frames.emplace_back(distance, i);
    std::sort(frames.begin(), frames.end());
    Wide brought = 0, most_left = 0, delay = 0, at = 0;
    for (const auto& [distance, i] : frames) {
        brought += sources[i].each * sources[i].slot;
        const Wide left = brought - std::max<Wide>(0, distance - latency);
        if (left > most_left) most_left = left, at = distance;
        delay = std::max(delay, latency + brought - distance);
    }
    for (QueueSource& each : sources) each.delay = delay;
    const bool shaped = has_shapers(analysis.scheduling, analysis.uplink_rate),
               classes = shaped || has_classes(sources, analysis.scheduling);
    if (shaped) {
        if (!ShapedClasses(sources, analysis.scheduling, analysis.uplink_rate, ticks).set_delays(latency))
            return std::nullopt;
    } else if (classes) {
        if (!class_delays(sources, analysis.scheduling, ticks.of(TransmissionTime::of(Bytes{1}, analysis.uplink_rate)),
                          latency))
            return std::nullopt;
    }
    if (classes) delay = 0;
    for (const QueueSource& each : sources) delay = std::max(delay, each.delay);
    Wide in_delays = 0;
    for (QueueSource& each : sources) {
        if (!each.extend_to(each.delay)) return std::nullopt;
        in_delays += each.within(each.delay) * each.slot;
    }
    const auto seconds = [&](Wide time) { return seconds_of_picoseconds(double(time) / double(ticks.in_picosecond)); };
    // While shapers hold up frames, the work that is left has no other bound.
    const Wide work = shaped ? in_delays : most_left + longest_slot - 1;
    const auto fill = [&](auto& amounts, const std::vector<QueueSource>& of, Wide longest) {
        amounts.frames = most_in(work, of, [](const QueueSource&) { return std::int64_t{1}; });
        amounts.bytes = most_in(work, of, [](const QueueSource& each) { return each.frame.buffer.count; });
        amounts.units = most_in(work, of, [](const QueueSource& each) { return each.units; });
        amounts.delay_s = seconds(longest);
    };
    fill(queue, sources, delay);
    for (int traffic_class = kTrafficClasses - 1; classes && traffic_class >= 0; --traffic_class) {
        std::vector<QueueSource> own;
        for (const QueueSource& each : sources)
            if (each.traffic_class == traffic_class) own.push_back(each);
        if (own.empty()) continue;
        queue.classes.push_back({traffic_class});
        fill(queue.classes.back(), own, own.front().delay);
    }
    return at;
}

namespace {

/// Merged distances of several sources of one frame size, in ascending order.
class MergedDistances {
  public:
    explicit MergedDistances(std::vector<QueueSource> sources)
        : sources_(std::move(sources)), taken_(sources_.size()) {}

    /// Returns the next distance; std::nullopt after the last one.
    std::optional<Wide> next() {
        std::optional<Wide> least;
        std::size_t from = 0;
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            QueueSource& source = sources_[i];
            const std::size_t instant = taken_[i] / std::size_t(source.each);
            if (instant == source.distances.size()) {
                if (!source.next) continue;
                source.distances.push_back(source.next());
            }
            if (!least || source.distances[instant] < *least) least = source.distances[instant], from = i;
        }
        if (least) ++taken_[from];
        return least;
    }

  private:
    std::vector<QueueSource> sources_;
    std::vector<std::size_t> taken_;  ///< number of frames taken from each source
};

}  // namespace

QueueSource behind_queue(const std::vector<QueueSource>& sources, Wide nearer) {
    QueueSource left = sources.front();
    left.each = 1;
    left.burst = left.rate = 0;
    for (const QueueSource& each : sources) left.burst += each.burst, left.rate += each.rate;
    left.burst += left.rate * Rational(nearer);
    const auto next = [merged = MergedDistances(sources), slot = left.slot, nearer,
                       last = std::optional<Wide>()]() mutable -> std::optional<Wide> {
        const auto came = merged.next();
        if (!came) return came;
        return last = last ? std::max(*last + slot, *came - nearer) : Wide{0};
    };
    left.distances.clear();
    left.next = nullptr;
    auto ahead = next;
    if (sources.front().next) {
        left.distances.push_back(*ahead());
        left.next = [ahead]() mutable { return *ahead(); };
    } else {
        while (const auto distance = ahead()) left.distances.push_back(*distance);
    }
    return left;
}

QueueSource by_turns(const QueueSource& all, std::int64_t turns) {
    QueueSource own = all;
    own.each = 1;
    own.burst = all.burst / turns + 1;
    own.rate = all.rate / turns;
    own.distances.clear();
    const auto instant = [each = all.each, turns](std::size_t k) { return std::size_t(Wide(k) * turns / each); };
    if (!all.next) {
        for (std::size_t k = 0; instant(k) < all.distances.size(); ++k)
            own.distances.push_back(all.distances[instant(k)]);
        return own;
    }
    own.distances.push_back(0);
    own.next = [instant, known = all.distances, next = all.next, k = std::size_t{0}]() mutable {
        for (++k; known.size() <= instant(k);) known.push_back(next());
        return known[instant(k)];
    };
    return own;
}

std::optional<QueueSource> source_of(const CrossTrafficStream& cross_traffic, const Ticks& ticks, UnsupportedKey* why) {
    const TrafficStream& stream = cross_traffic.stream;
    const bool bursts = stream.pattern == TrafficStream::Pattern::Bursts;
    if (!bursts && stream.pattern != TrafficStream::Pattern::Constant)
        return refused(why, {"traffic." + stream.name + ".pattern",
                             "expected \"constant\" or \"bursts\": nothing bounds frames that come at random"});
    const TransmissionTime period = bursts ? TransmissionTime{stream.period.count(), 1} : cross_traffic.interval;
    if (period.numerator == 0) return refused(why, {"traffic." + stream.name + ".rate", "expected more than 0"});
    const std::int64_t burst = bursts ? stream.burst : 1, fastest = kBillion + stream.clock.count;
    QueueSource source;
    source.frame = cross_traffic.frame;
    source.traffic_class = stream.traffic_class;
    source.of_stream = true;
    // Two roundings to the picosecond: of the nominal time and of the clock's time.
    constexpr int kRounded = 2;
    const Rational per_picosecond =
        Rational(burst) * Rational(period.denominator) * fastest / period.numerator / kBillion;
    source.rate = per_picosecond / Rational(ticks.in_picosecond);
    source.burst = burst + per_picosecond * (stream.jitter.count() + kRounded);
    source.distances = {0};
    const Wide link = ticks.of(cross_traffic.link);
    source.next = [=, k = Wide{0}, last = Wide{0}]() mutable {
        const Wide nominal = ++k / burst * period.numerator / period.denominator;
        const Time apart{std::int64_t(nominal * kBillion / fastest)};
        return last = std::max(last + link, ticks.of(apart - std::min(apart, cross_traffic.stream.jitter)));
    };
    return source;
}

std::optional<QueueSource> source_of(const GroupAnalysis& group, std::size_t queue,
                                     const std::vector<std::size_t>& frames, const Ticks& ticks, UnsupportedKey* why) {
    QueueSource source;
    source.frame = group.frames[frames.front()];
    source.traffic_class = group.traffic_class;
    source.of_kind = true;
    source.own_trigger = group.own_trigger;
    source.each = group.modules[queue];
    EventDistances::Event event{{}, {}, frames, group.every, ticks.of(group.jitter)};
    const auto ends = [&](std::vector<Wide>& of, const std::vector<TransmissionTime>& slots) {
        for (const TransmissionTime& slot : slots)
            of.push_back((of.empty() ? 0 : of.back() + ticks.of(group.gap)) + ticks.of(slot));
    };
    ends(event.fast, group.fast);
    ends(event.slow, group.slow);
    const auto of_event = source.each * std::int64_t(frames.size());
    if (!group.admitted.are_many()) {
        const auto distances = least_distances_of(group.admitted.train, ticks, why);
        if (!distances) return std::nullopt;
        EventDistances all(event, [&, k = std::size_t{0}]() mutable -> std::optional<Wide> {
            if (k == distances->size()) return std::nullopt;
            return (*distances)[k++];
        });
        while (const auto distance = all.next()) {
            if (source.distances.size() == TierLinks::kMost)
                return refused(why, {"trigger", "bound follows at most " + std::to_string(TierLinks::kMost) +
                                                    " frames of a module"});
            source.distances.push_back(*distance);
        }
        source.burst = source.each * std::int64_t(source.distances.size());
        return source;
    }
    std::vector<ArrivalSpacing> spacings;
    for (const TriggerSpacing& each : group.admitted.spacings)
        spacings.push_back({each.triggers, ticks.of(each.apart), each.bucket ? 1 : 0});
    EarliestTrain triggers(spacings);
    spacings.push_back({1, event.fast.back()});
    const ArrivalSpacing widest = widest_of(spacings);
    const Rational rate = Rational(widest.in_long_run()) / Rational(widest.apart);
    const Rational every = group.every;
    source.rate = of_event * rate / every;
    source.burst = of_event * (widest.number + rate * Rational(event.jitter) + every - 1) / every;
    EventDistances distances(std::move(event), [triggers]() mutable -> std::optional<Wide> { return triggers.next(); });
    source.distances = {*distances.next()};
    source.next = [distances]() mutable { return *distances.next(); };
    return source;
}

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
