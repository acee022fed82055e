// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-queue.h"

#include <algorithm>
#include <utility>

#include "model/base/timestamp.h"
#include "model/guarantee/class-delays.h"
#include "model/guarantee/shaped-classes.h"

namespace watershed {
namespace {

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

std::optional<Wide> bound_mixed_queue(std::vector<QueueSource>& sources, SwitchAnalysis& analysis, std::size_t number,
                                      const Ticks& ticks) {
    QueueGuarantee& queue = analysis.guarantee.queues[number];
    const BitRate rate = analysis.uplink_rates[number];
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
    const bool shaped = has_shapers(analysis.scheduling, rate),
               classes = shaped || has_classes(sources, analysis.scheduling);
    if (shaped) {
        if (!ShapedClasses(sources, analysis.scheduling, rate, ticks).set_delays(latency)) return std::nullopt;
    } else if (classes) {
        if (!class_delays(sources, analysis.scheduling, ticks.of(TransmissionTime::of(Bytes{1}, rate)), latency))
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

}  // namespace watershed
