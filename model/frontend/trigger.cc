// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/trigger.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "model/base/random.h"
#include "model/base/unsupported-key.h"

namespace watershed {

RateProfile::RateProfile(const std::vector<RatePoint>& rows) {
    if (rows.size() < 2 || rows.front().time != Time{0})
        throw std::invalid_argument("a rate profile has two rows or more, the first at 0");
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        if (rows[i + 1].time <= rows[i].time) throw std::invalid_argument("the rows of a rate profile ascend");
        const double length = in_seconds(rows[i + 1].time - rows[i].time), from = in_hertz(rows[i].rate),
                     to = in_hertz(rows[i + 1].rate);
        pieces_.push_back({rows[i].time, all_, from, (to - from) / length});
        all_ += length * (from + to) / 2;
    }
    end_ = rows.back().time;
}

double RateProfile::expected(Time time) const {
    if (time >= end_) return all_;
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), time,
                                        [](Time t, const Piece& piece) { return t < piece.begin; });
    if (after == pieces_.begin()) return 0;
    const Piece& piece = *std::prev(after);
    const double x = in_seconds(time - piece.begin);
    return piece.before + x * (piece.rate + x * piece.slope / 2);
}

std::optional<Time> RateProfile::when(double triggers) const {
    if (!(triggers < all_)) return std::nullopt;
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), triggers,
                                        [](double n, const Piece& piece) { return n < piece.before; });
    const Piece& piece = *std::prev(after);
    const double more = triggers - piece.before;
    if (more <= 0) return piece.begin;
    // The root of rate x + slope x^2 / 2 = more, in the form that loses no digits where the slope is small.
    const double x =
        2 * more / (piece.rate + std::sqrt(std::max(0.0, piece.rate * piece.rate + 2 * piece.slope * more)));
    return std::min(end_, piece.begin + time_of_seconds(x));
}

namespace {

/// Frames of the stream: those beside the burst, and then as many as the switch may need to send all of it and begin
/// anew.
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
    : trigger_(trigger),
      random_(random_bits(seed, Stream::Trigger)),
      burst_random_(random_bits(seed, Stream::TriggerBurst)),
      rules_(trigger),
      asks_level_(almost_full_rule(trigger) != nullptr) {
    const bool needs_end =
        trigger.pattern == Trigger::Pattern::Periodic || trigger.pattern == Trigger::Pattern::Poisson;
    if (needs_end && !trigger.events && !trigger.duration)
        throw std::invalid_argument("expected trigger.events or trigger.duration");
    const bool needs_events = trigger.pattern == Trigger::Pattern::Burst ||
                              trigger.pattern == Trigger::Pattern::Bursts ||
                              trigger.pattern == Trigger::Pattern::LineRatePlusBurst;
    if (needs_events && !trigger.events) throw std::invalid_argument("expected trigger.events");
    if (trigger.pattern == Trigger::Pattern::Profile) profile_.emplace(trigger.profile);
}

double TriggerTrain::wait(std::mt19937_64& random) {
    return boost::random::exponential_distribution<double>(1.0)(random);
}

Time TriggerTrain::wait_from() const {
    return accepted_ == 0 ? last_drawn_ : std::max(last_drawn_, last_ + trigger_.dead_time);
}

Time TriggerTrain::of_burst() {
    const SuperposedBursts& burst = trigger_.burst;
    const std::int64_t k = burst_drawn_++ % burst.events;
    constexpr Time kNever = Time::max() / 2;  // behind all triggers of a pattern, and a burst may begin there
    const auto later = [&](Time by) { burst_begin_ = std::min(kNever, burst_begin_ + std::min(kNever, by)); };
    if (k == 0 && burst.rate.count == 0) later(burst.period);
    if (k == 0 && burst.rate.count != 0) {
        if (burst_drawn_ > 1) later(burst.separation * (burst.events - 1));
        const double mean = period_in_picoseconds(burst.rate);
        later(Time{std::llround(std::min(static_cast<double>(kNever.count()), wait(burst_random_) * mean))});
    }
    return burst_begin_ + burst.separation * k;
}

std::optional<Time> TriggerTrain::raw() {
    if (trigger_.burst.events == 0) return of_pattern();
    if (!head_) head_ = of_pattern();
    if (!head_) return std::nullopt;
    if (!burst_head_) burst_head_ = of_burst();
    std::optional<Time>& first = *burst_head_ < *head_ ? burst_head_ : head_;
    return std::exchange(first, std::nullopt);
}

std::optional<Time> TriggerTrain::of_pattern() {
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
            const double mean = period_in_picoseconds(trigger_.rate);
            last_drawn_ = wait_from() + Time{std::llround(wait(random_) * mean)};
            return last_drawn_;
        }
        case Trigger::Pattern::Profile: {
            const auto time = profile_->when(trigger_.regular ? static_cast<double>(k) + 0.5
                                                              : profile_->expected(wait_from()) + wait(random_));
            if (time) last_drawn_ = *time;
            return time;
        }
        case Trigger::Pattern::File:
            if (k >= static_cast<std::int64_t>(trigger_.times.size())) return std::nullopt;
            return trigger_.times[static_cast<std::size_t>(k)];
        case Trigger::Pattern::LineRatePlusBurst:
            if (k >= stream_length(trigger_)) return std::nullopt;
            return Time{0};  // the link, which is slower, sets the pace
    }
    return std::nullopt;
}

std::optional<Time> TriggerTrain::offer() {
    const bool counted = trigger_.pattern == Trigger::Pattern::Periodic ||
                         trigger_.pattern == Trigger::Pattern::Poisson || trigger_.pattern == Trigger::Pattern::Profile;
    if (counted && trigger_.events && accepted_ >= *trigger_.events) return std::nullopt;
    std::optional<Time> time = raw();
    const auto ends = [&] { return !time || (trigger_.duration && *time >= *trigger_.duration); };
    for (; !ends() && *time < rules_.earliest(); time = raw()) ++refused_;
    if (ends()) return std::nullopt;
    return time;
}

void TriggerTrain::take(Time time) {
    ++accepted_;
    rules_.accept(time);
    last_ = time;
}

std::optional<Time> TriggerTrain::next() {
    if (asks_level_)
        throw KeyError("trigger.rules",
                       "which triggers an almost-full rule lets pass is not known before a run, expected other rules");
    const auto time = offer();
    if (time) take(*time);
    return time;
}

std::optional<std::int64_t> trigger_count(const Trigger& trigger) {
    switch (trigger.pattern) {
        case Trigger::Pattern::Burst: return trigger.events;
        case Trigger::Pattern::Bursts: return *trigger.events * trigger.bursts;
        case Trigger::Pattern::File: return static_cast<std::int64_t>(trigger.times.size());
        case Trigger::Pattern::Periodic: return trigger.events;
        case Trigger::Pattern::Poisson: return trigger.events;
        case Trigger::Pattern::Profile: return trigger.events;
        case Trigger::Pattern::LineRatePlusBurst: return stream_length(trigger);
    }
    return std::nullopt;
}

}  // namespace watershed
