// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/shaped-classes.h"

#include <algorithm>
#include <utility>

#include "model/base/timestamp.h"

namespace watershed {
namespace {

constexpr Wide kBitsPerSecond = Wide{8} * 1'000'000'000'000;  ///< bits in a byte, picoseconds in a second

bool shapes(const Scheduling& scheduling, BitRate uplink, int traffic_class) {
    const auto number = std::size_t(traffic_class);
    return number < scheduling.rates.size() && scheduling.rates[number] < uplink;
}

}  // namespace

bool has_shapers(const Scheduling& scheduling, BitRate uplink) {
    for (int each = 0; each < kTrafficClasses; ++each)
        if (shapes(scheduling, uplink, each)) return true;
    return false;
}

bool ShapedClasses::is_shaped(int traffic_class) const { return shapes(scheduling_, uplink_, traffic_class); }

Bytes ShapedClasses::counted(const QueueSource& source) const {
    return scheduling_.counts == Scheduling::Counts::Link ? source.frame.wire : source.frame.buffer;
}

Wide ShapedClasses::longest_slot(int traffic_class) const {
    Wide longest = 0;
    for (const QueueSource& each : sources_)
        if (each.traffic_class == traffic_class) longest = std::max(longest, each.slot);
    return longest;
}

Wide ShapedClasses::below(int traffic_class) const {
    Wide longest = 0;
    for (int lower = 0; lower < traffic_class; ++lower) longest = std::max(longest, longest_slot(lower));
    return longest;
}

Wide ShapedClasses::apart(int traffic_class) const {
    Bytes longest{0};
    for (const QueueSource& each : sources_)
        if (each.traffic_class == traffic_class) longest = std::max(longest, counted(each));
    const Wide refilled =
        ceil_div(kBitsPerSecond * longest.count, Wide{scheduling_.rates[std::size_t(traffic_class)].count});
    return std::max(refilled * ticks_.in_picosecond, longest_slot(traffic_class));
}

Wide ShapedClasses::taken(const QueueSource& source, int in_class) const {
    if (source.traffic_class < in_class) return 0;
    const bool waits = source.traffic_class == in_class && is_shaped(in_class);
    return waits ? apart(in_class) + below(in_class) : source.slot;
}

Rational ShapedClasses::load() const {
    Rational largest = 0;
    for (const QueueSource& own : sources_) {
        Rational load = 0;
        for (const QueueSource& each : sources_) load += each.rate * Rational(taken(each, own.traffic_class));
        largest = std::max(largest, load);
    }
    return largest;
}

std::optional<Rational> ShapedClasses::least_distance(const Rational& per_trigger) const {
    Rational least = 0;
    for (const QueueSource& own : sources_) {
        Rational of_trigger = 0, left = 1;
        for (const QueueSource& each : sources_) {
            const Rational time = taken(each, own.traffic_class);
            if (each.of_stream)
                left -= each.rate * time;
            else
                of_trigger += per_trigger * time;
        }
        if (left <= 0) return std::nullopt;
        least = std::max<Rational>(least, of_trigger / left);
    }
    return least;
}

Wide ShapedClasses::higher(int traffic_class, Wide within) const {
    Wide sum = 0;
    for (int each = traffic_class + 1; each < kTrafficClasses; ++each) {
        const Wide slot = longest_slot(each);
        if (slot == 0) continue;
        Wide work = 0;
        Bytes longest{0}, shortest{0};
        for (const QueueSource& source : sources_) {
            if (source.traffic_class != each) continue;
            work += source.slot * source.within(within + delays_[each]);
            longest = std::max(longest, counted(source));
            shortest = shortest.count == 0 ? counted(source) : std::min(shortest, counted(source));
        }
        if (is_shaped(each)) {
            const auto number = std::size_t(each);
            const Bytes burst = number < scheduling_.bursts.size() ? scheduling_.bursts[number] : Bytes{0};
            const Wide picoseconds = ceil_div(within + slot, Wide{ticks_.in_picosecond}) + 1;
            const Wide tokens =
                kBitsPerSecond * std::max(burst, longest).count + Wide{scheduling_.rates[number].count} * picoseconds;
            work = std::min(work, slot * (tokens / (kBitsPerSecond * shortest.count)));
        }
        sum += work;
    }
    return sum;
}

Wide ShapedClasses::settled(int traffic_class, Wide beside, Wide from) const {
    for (Wide time = std::max(beside, from);;) {
        const Wide next = beside + higher(traffic_class, time);
        if (next <= time) return time;
        time = next;
    }
}

bool ShapedClasses::set_delay(int traffic_class, Wide latency) {
    const bool shaped = is_shaped(traffic_class);
    const Wide slot = longest_slot(traffic_class), begun = below(traffic_class),
               spacing = shaped ? apart(traffic_class) : 0;
    // Frames of the sequence, and higher ones, take no longer than this from its beginning on.
    Rational over = begun + slot + spacing, load = 0;
    for (const QueueSource& each : sources_) {
        const Rational time = taken(each, traffic_class);
        over += (each.burst +
                 each.rate * Rational(each.traffic_class > traffic_class ? delays_[each.traffic_class] : Wide{0})) *
                time;
        load += each.rate * time;
    }
    const Rational end = over / (1 - load);
    if (end > ticks_.of(kLastDeparture)) return false;
    struct Arrival {
        Wide time;
        std::int64_t frames;
        Wide work;
    };
    std::vector<Arrival> own;
    Wide least = slot;
    for (QueueSource& each : sources_) {
        if (each.traffic_class < traffic_class) continue;
        if (!each.extend_to(whole_of(end) + 1 + delays_[each.traffic_class])) return false;
        if (each.traffic_class > traffic_class) continue;
        least = std::min(least, each.slot);
        for (const Wide& time : each.distances) own.push_back({time, each.each, each.slot * each.each});
    }
    std::sort(own.begin(), own.end(), [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
    Wide begin = 0, until = 0, delay = 0, work = 0, frames = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i].time > until) break;
        frames += own[i].frames, work += own[i].work;
        if (i + 1 < own.size() && own[i + 1].time == own[i].time) continue;
        const Wide beside = shaped ? (frames - 1) * spacing + frames * begun : begun + work - least;
        begin = settled(traffic_class, beside, begin);
        const Wide left = begin + (shaped ? slot : least);
        delay = std::max(delay, left - own[i].time);
        until = shaped ? begin + spacing : left;
    }
    delays_[traffic_class] = delay;
    for (QueueSource& each : sources_)
        if (each.traffic_class == traffic_class) each.delay = latency + delay;
    return true;
}

bool ShapedClasses::set_delays(Wide latency) {
    for (int each = kTrafficClasses - 1; each >= 0; --each)
        if (longest_slot(each) > 0 && !set_delay(each, latency)) return false;
    return true;
}

}  // namespace watershed
