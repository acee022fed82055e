// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/queue-source.h"

#include <algorithm>
#include <utility>

#include "model/guarantee/tier-links.h"

namespace watershed {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

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

}  // namespace watershed
