// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/stream-train.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "model/base/random.h"
#include "model/base/timestamp.h"
#include "model/frontend/event-train.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/trigger.h"

namespace watershed {

namespace {

using Pattern = TrafficStream::Pattern;

constexpr Time kNever = Time::max() / 2;

Time later(Time a, Time b) { return a >= kNever - b ? kNever : a + b; }

/// When the last fragment of a group has left its module, if nothing holds it up but the module's link.
Time end_of_group(const Group& group, const Senders& senders) {
    const FragmentSizes sizes(group.frame, senders.seed);
    Bytes largest{0};
    std::size_t most = 1;
    for (const auto& frames : sizes.choices()) {
        Bytes fragment{0};
        for (const FrameSizes& frame : frames) fragment += frame.wire;
        largest = std::max(largest, fragment);
        most = std::max(most, frames.size());
    }
    const FrontEnd& front_end = group.front_end;
    const Wide gaps = Wide{front_end.gap.count()} * static_cast<std::int64_t>(most - 1);
    const TransmissionTime slot = TransmissionTime::of(largest, front_end.link_rate);
    const Wide length = slot.numerator + gaps * slot.denominator;  // length of an event in 1 / denominator ps
    Wide delay = front_end.skew_spread.count() + front_end.jitter.count();
    Time skew{0};
    for (std::size_t i = 0; i < front_end.skew.size() && i < static_cast<std::size_t>(front_end.modules); ++i)
        skew = std::max(
            skew, front_end.skew[(static_cast<std::size_t>(front_end.modules_before) + i) % front_end.skew.size()]);
    delay += skew.count();
    TriggerTrain train = train_of(group, senders);
    Wide end = 0;
    while (const auto trigger = train.next()) {
        end = std::max(end, Wide{trigger->count()} * slot.denominator) + length;
        if (end > Wide{kLastDeparture.count()} * slot.denominator) throw TimeExceeded(front_end.link_rate);
    }
    // Frames are ready at whole picoseconds: those before the exact end are those before it rounded up.
    return Time{static_cast<std::int64_t>(ceil_div(end, slot.denominator) + delay)};
}

}  // namespace

double mean_bits(const TrafficStream& stream, const FrameFormat& format) {
    const double bits = 8 * static_cast<double>(frame_of_stream(stream, format).wire.count);
    if (stream.pattern == Pattern::Bursts) return bits * static_cast<double>(stream.burst) / in_seconds(stream.period);
    const double sent = stream.rate.bits.count != 0 ? static_cast<double>(stream.rate.bits.count)
                                                    : bits * 1e-6 * static_cast<double>(stream.rate.frames.count);
    return stream.pattern == Pattern::OnOff ? sent * in_seconds(stream.on) / in_seconds(stream.on + stream.off) : sent;
}

Time end_of_camera(const Senders& senders) {
    Time last{0};
    for (const Group& group : ModuleGroups(senders).all()) last = std::max(last, end_of_group(group, senders));
    return last;
}

StreamTrain::StreamTrain(const TrafficStream& stream, const FrameFormat& format, Time stop, std::uint64_t seed)
    : stream_(stream),
      stop_(stop),
      interval_(interval_of(stream, format)),
      random_(random_bits(seed, Stream::Traffic, hash_of_name(stream.name))),
      error_{uniform_up_to(random_bits(seed, Stream::TrafficClock, hash_of_name(stream.name)), 2 * stream.clock.count) -
             stream.clock.count},
      jitters_(seed, Stream::TrafficJitter, hash_of_name(stream.name)) {
    const Time interval = stream.pattern == Pattern::Bursts ? stream.period : spaced(1);
    if (stream.phase)
        phase_ = *stream.phase;
    else if (stream.pattern != Pattern::Poisson)
        phase_ = Time{
            uniform_up_to(random_bits(seed, Stream::TrafficPhase, hash_of_name(stream.name)), interval.count() - 1)};
    last_ = on_from_ = stream.start;
    on_to_ = on_from_ - Time{1};
}

Time StreamTrain::by_clock(Time nominal) const {
    if (error_.count == 0) return later(nominal, phase_);
    constexpr std::int64_t kWhole = 1'000'000'000;  // parts per billion
    const Wide since = Wide{(nominal - stream_.start).count()} * kWhole;
    const std::int64_t pace = kWhole + error_.count;
    const Wide time = stream_.start.count() + Wide{phase_.count()} + (2 * since + pace) / (2 * pace);
    return time > kNever.count() ? kNever : Time{static_cast<std::int64_t>(time)};
}

Time StreamTrain::spaced(std::int64_t k) const {
    const Wide time = (2 * k * interval_.numerator + interval_.denominator) / (2 * interval_.denominator);
    return time > kNever.count() ? kNever : Time{static_cast<std::int64_t>(time)};
}

Time StreamTrain::wait(double mean) {
    const double drawn = boost::random::exponential_distribution<double>(1.0)(random_) * mean;
    return Time{std::llround(std::min(static_cast<double>(kNever.count()), drawn))};
}

std::optional<Time> StreamTrain::raw() {
    const double interval = static_cast<double>(interval_.numerator) / static_cast<double>(interval_.denominator);
    switch (stream_.pattern) {
        case Pattern::Constant: return later(stream_.start, spaced(drawn_++));
        case Pattern::Bursts: {
            const Wide begin = Wide{stream_.period.count()} * (drawn_++ / stream_.burst);
            return begin > kNever.count() ? kNever : later(stream_.start, Time{static_cast<std::int64_t>(begin)});
        }
        case Pattern::Poisson: return last_ = later(last_, wait(interval));
        case Pattern::OnOff:
            for (;;) {
                const Time time = later(on_from_, spaced(drawn_));
                if (time < on_to_) {
                    ++drawn_;
                    return time;
                }
                // The first time on begins with the stream, each other after a time off.
                const bool first = on_to_ < on_from_;
                if (!first)
                    on_from_ = later(std::max(on_from_, on_to_), wait(static_cast<double>(stream_.off.count())));
                on_to_ = later(on_from_, wait(static_cast<double>(stream_.on.count())));
                drawn_ = 0;
                if (by_clock(on_from_) >= stop_) return std::nullopt;
            }
    }
    return std::nullopt;
}

std::optional<Time> StreamTrain::next() {
    const auto nominal = raw();
    if (!nominal) return std::nullopt;
    Time time = by_clock(*nominal);
    if (stream_.jitter != Time{0}) {
        const std::int64_t instant = stream_.pattern == Pattern::Bursts ? (drawn_ - 1) / stream_.burst : frames_;
        time += Time{uniform_up_to(jitters_(static_cast<std::uint64_t>(instant)), stream_.jitter.count())};
    }
    ++frames_;
    last_ready_ = std::max(last_ready_, time);
    if (last_ready_ >= stop_) return std::nullopt;
    return last_ready_;
}

}  // namespace watershed
