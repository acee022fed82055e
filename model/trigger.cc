// SPDX-License-Identifier: GPL-2.0-only
#include "model/trigger.h"

#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <stdexcept>

#include "model/random.h"

namespace watershed {

namespace {

/// Frames of the stream: those beside the burst, and then as many as the switch may need to send all of it and begin anew.
std::int64_t stream_length(const Trigger& trigger) { return 2 * *trigger.events + 2; }

}  // namespace

std::int64_t events_answered(const Trigger& trigger, std::int64_t events, int module) {
    return answers(trigger, events, module) ? events : *trigger.events;
}

Time periodic_time(Frequency rate, std::int64_t k) {
    constexpr Wide kPicosecondsTimesMicrohertz = Wide{1'000'000'000'000} * 1'000'000;
    return Time{static_cast<std::int64_t>((k * kPicosecondsTimesMicrohertz + rate.count / 2) / rate.count)};
}

TriggerTrain::TriggerTrain(const Trigger& trigger, std::uint64_t seed)
    : trigger_(trigger), random_(random_bits(seed, Stream::Trigger)) {
    const bool needs_end = trigger.pattern == Trigger::Pattern::Periodic || trigger.pattern == Trigger::Pattern::Poisson;
    if (needs_end && !trigger.events && !trigger.duration) throw std::invalid_argument("expected trigger.events or trigger.duration");
    const bool needs_events = trigger.pattern == Trigger::Pattern::Burst || trigger.pattern == Trigger::Pattern::Bursts ||
                              trigger.pattern == Trigger::Pattern::LineRatePlusBurst;
    if (needs_events && !trigger.events) throw std::invalid_argument("expected trigger.events");
}

std::optional<Time> TriggerTrain::raw() {
    const std::int64_t k = drawn_++;
    switch (trigger_.pattern) {
        case Trigger::Pattern::Burst:
            if (k >= *trigger_.events) return std::nullopt;
            return trigger_.separation * k;
        case Trigger::Pattern::Bursts:
            if (k >= *trigger_.events * trigger_.bursts) return std::nullopt;
            return trigger_.period * (k / *trigger_.events) + trigger_.separation * (k % *trigger_.events);
        case Trigger::Pattern::Periodic: return periodic_time(trigger_.rate, k);
        case Trigger::Pattern::Poisson: {
            // The exponential law has no memory: after the dead time the wait for the next trigger is a fresh draw.
            const double mean = 1e18 / static_cast<double>(trigger_.rate.count);
            const double wait = boost::random::exponential_distribution<double>(1.0)(random_) * mean;
            return last_ + (k == 0 ? Time{0} : trigger_.dead_time) + Time{std::llround(wait)};
        }
        case Trigger::Pattern::File:
            if (k >= static_cast<std::int64_t>(trigger_.times.size())) return std::nullopt;
            return trigger_.times[static_cast<std::size_t>(k)];
        case Trigger::Pattern::LineRatePlusBurst:
            if (k >= stream_length(trigger_)) return std::nullopt;
            return Time{0};   // the link, which is slower, sets the pace
    }
    return std::nullopt;
}

std::optional<Time> TriggerTrain::next() {
    const bool counted = trigger_.pattern == Trigger::Pattern::Periodic || trigger_.pattern == Trigger::Pattern::Poisson;
    if (counted && trigger_.events && accepted_ >= *trigger_.events) return std::nullopt;
    std::optional<Time> time = raw();
    while (time && accepted_ > 0 && *time < last_ + trigger_.dead_time) time = raw();
    if (!time || (trigger_.duration && *time >= *trigger_.duration)) return std::nullopt;
    ++accepted_;
    last_ = *time;
    return time;
}

std::optional<std::int64_t> trigger_count(const Trigger& trigger) {
    switch (trigger.pattern) {
        case Trigger::Pattern::Burst: return trigger.events;
        case Trigger::Pattern::Bursts: return *trigger.events * trigger.bursts;
        case Trigger::Pattern::File: return static_cast<std::int64_t>(trigger.times.size());
        case Trigger::Pattern::Periodic: return trigger.events;
        case Trigger::Pattern::Poisson: return trigger.events;
        case Trigger::Pattern::LineRatePlusBurst: return stream_length(trigger);
    }
    return std::nullopt;
}

}  // namespace watershed
