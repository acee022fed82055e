// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-queue.h"

#include <algorithm>
#include <utility>

#include "model/base/time-limit.h"
#include "model/guarantee/tier-links.h"

namespace watershed {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

/// The largest sum that frames give which all together last no longer than some work. @param of  a frame's part of it
template <class Of>
std::int64_t most_in(Wide work, const std::vector<QueueSource>& sources, const std::vector<std::int64_t>& frames,
                     Of of) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < sources.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return of(sources[a]) * sources[b].slot > of(sources[b]) * sources[a].slot;
    });
    const bool alike = std::all_of(sources.begin(), sources.end(),
                                   [&](const QueueSource& each) { return each.slot == sources.front().slot; });
    std::int64_t sum = 0;
    for (const std::size_t i : order) {
        const Wide slot = sources[i].slot, taken = std::min<Wide>(frames[i], work / slot);
        sum += static_cast<std::int64_t>(taken) * of(sources[i]);
        work -= taken * slot;
        // The rest takes no whole frame of these; of shorter ones it may, and how many is not sought exactly.
        if (taken < frames[i] && !alike) return sum + static_cast<std::int64_t>(work * of(sources[i]) / slot);
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

Rational load_of(const std::vector<QueueSource>& sources) {
    Rational load = 0;
    for (const QueueSource& each : sources) load += each.rate * Rational(each.slot);
    return load;
}

std::optional<Wide> bound_mixed_queue(std::vector<QueueSource>& sources, Wide latency, const Ticks& ticks,
                                      QueueGuarantee& queue) {
    Rational over = latency;
    Wide longest_slot = 0;
    for (const QueueSource& each : sources) {
        over += (each.burst - each.each) * Rational(each.slot);
        longest_slot = std::max(longest_slot, each.slot);
    }
    const Rational end = over / (1 - load_of(sources));
    if (end > ticks.of(kLastDeparture)) return std::nullopt;
    const auto extend_to = [&](Wide time) {
        return std::all_of(sources.begin(), sources.end(), [&](QueueSource& each) { return each.extend_to(time); });
    };
    if (!extend_to(whole_of(end))) return std::nullopt;
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
    if (!extend_to(delay)) return std::nullopt;
    std::vector<std::int64_t> there;
    for (const QueueSource& each : sources)
        there.push_back(each.each * (std::lower_bound(each.distances.begin(), each.distances.end(), delay) -
                                     each.distances.begin()));
    const Wide work = most_left + longest_slot - 1;
    queue.frames = most_in(work, sources, there, [](const QueueSource&) { return std::int64_t{1}; });
    queue.bytes = most_in(work, sources, there, [](const QueueSource& each) { return each.bytes; });
    queue.units = most_in(work, sources, there, [](const QueueSource& each) { return each.units; });
    if (queue.modules > 0) queue.by_input = there.front() / queue.modules;
    queue.delay_s = static_cast<double>(delay) / static_cast<double>(ticks.in_picosecond) * 1e-12;
    return at;
}

std::optional<QueueSource> source_of(const StreamPart& part, const Ticks& ticks, Obstacle* why) {
    const TrafficStream& stream = part.stream;
    const bool bursts = stream.pattern == TrafficStream::Pattern::Bursts;
    if (!bursts && stream.pattern != TrafficStream::Pattern::Constant)
        return refused(why, {"traffic." + stream.name + ".pattern",
                             "expected \"constant\" or \"bursts\": nothing bounds frames that come at random"});
    const Slot period = bursts ? Slot{stream.period.count(), 1} : part.interval;
    if (period.numerator == 0) return refused(why, {"traffic." + stream.name + ".rate", "expected more than 0"});
    const std::int64_t burst = bursts ? stream.burst : 1, fastest = kBillion + stream.clock.count;
    QueueSource source;
    source.slot = ticks.of(part.uplink);
    source.bytes = part.frame.buffer.count;
    source.units = part.units;
    // Times are rounded to the picosecond, by the nominal rate and by the clock.
    constexpr int kRounded = 2;
    const Rational per_picosecond =
        Rational(burst) * Rational(period.denominator) * fastest / period.numerator / kBillion;
    source.rate = per_picosecond / Rational(ticks.in_picosecond);
    source.burst = burst + per_picosecond * (stream.jitter.count() + kRounded);
    source.distances = {0};
    const Wide link = ticks.of(part.link);
    source.next = [=, k = Wide{0}, last = Wide{0}]() mutable {
        const Wide nominal = ++k / burst * period.numerator / period.denominator;
        const Time apart{static_cast<std::int64_t>(nominal * kBillion / fastest)};
        return last = std::max(last + link, ticks.of(apart - std::min(apart, part.stream.jitter)));
    };
    return source;
}

}  // namespace watershed
