// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/arrival-train.h"

#include <algorithm>

namespace watershed {

std::optional<Ticks> ticks_for(const std::vector<TransmissionTime>& slots) {
    constexpr Wide kFinest = Wide{1'000'000'000'000'000'000} * 10;  // a day is 8.64e16 ps, and fits 10^20 times
    Wide ticks = 1;
    for (const TransmissionTime& slot : slots) {
        const Wide factor = slot.denominator / common_divisor(slot.denominator, ticks);
        if (factor > kFinest / ticks) return std::nullopt;
        ticks *= factor;
    }
    return Ticks{ticks};
}

std::vector<Wide> behind_link(const std::vector<Time>& triggers, std::int64_t each, const Ticks& ticks, Wide slot) {
    std::vector<Wide> arrivals;
    for (const Time trigger : triggers) {
        const Wide time = ticks.of(trigger);
        for (std::int64_t i = 0; i < each; ++i)
            arrivals.push_back(std::max(time, arrivals.empty() ? time : arrivals.back()) + slot);
    }
    return arrivals;
}

ArrivalSpacing widest_of(const std::vector<ArrivalSpacing>& spacings) {
    ArrivalSpacing widest = spacings.back();
    for (const ArrivalSpacing& each : spacings)
        if (each.is_wider_than(widest)) widest = each;
    return widest;
}

EarliestTrain::EarliestTrain(const std::vector<ArrivalSpacing>& spacings) {
    for (const ArrivalSpacing& each : spacings) rules_.push_back({each});
    if (spacings.empty()) return;
    const ArrivalSpacing widest = widest_of(spacings);
    if (widest.by_token > 0) slowest_ = widest.apart;
}

Wide EarliestTrain::next() {
    Wide time = times_.empty() ? 0 : times_.back(), token = -1;
    for (Rule& rule : rules_) {
        const ArrivalSpacing& spacing = rule.spacing;
        const bool bucket = spacing.by_token > 0;
        if (times_.size() < std::size_t(spacing.number)) continue;
        Wide earliest = times_[times_.size() - std::size_t(spacing.number)];
        if (bucket) earliest = std::max(earliest, rule.token);
        rule.token = earliest += spacing.apart;
        if (bucket && spacing.apart == slowest_) token = earliest;
        time = std::max(time, earliest);
    }
    settled_ = time == token;
    times_.push_back(time);
    return time;
}

Wide EarliestFrames::next() {
    const bool first = times_.size() % std::size_t(each_) == 0;
    if (first) ready_ = std::max<Wide>(0, triggers_.next() - jitter_);
    const Wide free = times_.empty() ? 0 : times_.back() + link_;
    if (first) settled_ = triggers_.is_settled() && ready_ >= free;
    times_.push_back(std::max(free, ready_));
    return times_.back();
}

namespace {

/// Returns true if all neighbours are equally far apart.
bool is_regular(const std::vector<Wide>& times) {
    for (std::size_t i = 2; i < times.size(); ++i)
        if (times[i] - times[i - 1] != times[1] - times[0]) return false;
    return true;
}

}  // namespace

std::vector<Wide> least_distances(const std::vector<Wide>& times) {
    std::vector<Wide> distances;
    if (is_regular(times)) {
        for (const Wide& time : times) distances.push_back(time - times.front());
        return distances;
    }
    for (std::size_t k = 0; k < times.size(); ++k) {
        Wide least = times[k] - times[0];
        for (std::size_t j = 1; j + k < times.size(); ++j) least = std::min(least, times[j + k] - times[j]);
        distances.push_back(least);
    }
    return distances;
}

std::optional<std::vector<Wide>> least_distances_of(const std::vector<Time>& train, const Ticks& ticks,
                                                    UnsupportedKey* why) {
    constexpr std::size_t kMostIrregular = 10'000;
    const std::vector<Wide> times = behind_link(train, 1, ticks, 0);
    if (times.size() > kMostIrregular && !is_regular(times))
        return refused(why, {"trigger", "bound follows at most " + std::to_string(kMostIrregular) +
                                            " triggers of a train that are not equally far apart"});
    return least_distances(times);
}

}  // namespace watershed
