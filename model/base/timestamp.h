// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>
#include <string>

#include "model/base/quantities.h"

namespace watershed {

/// An exact time: a picosecond, and how long before its end, counted in ticks of a TimeGrid. What happens is ordered by
/// it, and reported by its picosecond.
struct Timestamp {
    Time time{0};             ///< rounded up
    std::uint64_t early = 0;  ///< ticks before that; less than a picosecond's

    constexpr Timestamp() = default;
    constexpr Timestamp(Time whole) : time(whole) {}
    constexpr Timestamp(Time rounded_up, std::uint64_t ticks_before) : time(rounded_up), early(ticks_before) {}

    friend constexpr bool operator==(const Timestamp& a, const Timestamp& b) {
        return a.time == b.time && a.early == b.early;
    }
    friend constexpr bool operator!=(const Timestamp& a, const Timestamp& b) { return !(a == b); }
    friend constexpr bool operator<(const Timestamp& a, const Timestamp& b) {
        return a.time < b.time || (a.time == b.time && a.early > b.early);
    }
    friend constexpr bool operator>(const Timestamp& a, const Timestamp& b) { return b < a; }
    friend constexpr bool operator<=(const Timestamp& a, const Timestamp& b) { return !(b < a); }
    friend constexpr bool operator>=(const Timestamp& a, const Timestamp& b) { return !(a < b); }
    /// Returns the time `span` whole picoseconds later.
    friend constexpr Timestamp operator+(const Timestamp& a, Time span) { return {a.time + span, a.early}; }
};

/// A length of time: whole picoseconds, and ticks that make less than another.
struct TickDuration {
    Time whole{0};
    std::uint64_t ticks = 0;
};

/// Resolution of a scenario's exact times: a picosecond has `ticks` ticks.
struct TimeGrid {
    static constexpr std::uint64_t kFinest = std::uint64_t{1} << 62;

    std::uint64_t ticks = 1;

    constexpr Timestamp after(const Timestamp& moment, const TickDuration& span) const {
        if (moment.early >= span.ticks) return {moment.time + span.whole, moment.early - span.ticks};
        return {moment.time + span.whole + Time{1}, moment.early + (ticks - span.ticks)};
    }
    constexpr Timestamp tick_before(const Timestamp& moment) const {
        return moment.early + 1 < ticks ? Timestamp{moment.time, moment.early + 1} : Timestamp{moment.time - Time{1}};
    }
    constexpr Timestamp tick_after(const Timestamp& moment) const {
        return moment.early > 0 ? Timestamp{moment.time, moment.early - 1}
                                : Timestamp{moment.time + Time{1}, ticks - 1};
    }
    /// Ticks from one to the other; negative if `to` is the earlier.
    constexpr Wide between(const Timestamp& from, const Timestamp& to) const {
        return Wide{(to.time - from.time).count()} * ticks + Wide{from.early} - Wide{to.early};
    }
    /// The moment so many ticks later, or earlier if they are negative.
    constexpr Timestamp after(const Timestamp& moment, Wide span) const {
        const Wide early = Wide{moment.early} - span;  // ticks before moment.time
        const Wide whole = early >= 0 ? early / ticks : -ceil_div<Wide>(-early, ticks);
        return {moment.time - Time{static_cast<std::int64_t>(whole)},
                static_cast<std::uint64_t>(early - whole * ticks)};
    }
    constexpr TickDuration span(Wide length) const {
        return {Time{static_cast<std::int64_t>(length / ticks)}, static_cast<std::uint64_t>(length % ticks)};
    }
    constexpr Wide ticks_of(const TickDuration& span) const { return Wide{span.whole.count()} * ticks + span.ticks; }
};

/// Duration of a frame on a link: picoseconds as a fraction in lowest terms.
struct TransmissionTime {
    Wide numerator = 0;
    Wide denominator = 1;

    static TransmissionTime of(Bytes wire, BitRate rate, ClockTolerance tolerance = {}) {
        constexpr std::int64_t kBillion = 1'000'000'000;
        const Wide numerator = Wide{wire.count} * 8 * 1'000'000'000'000 * kBillion;
        const Wide denominator = Wide{rate.count} * (kBillion + tolerance.count);
        const Wide divisor = common_divisor(numerator, denominator);
        return {numerator / divisor, denominator / divisor};
    }

    /// The whole picoseconds in it, and in it rounded up.
    Wide floor() const { return numerator / denominator; }
    Wide ceil() const { return ceil_div(numerator, denominator); }
};

/// Limits of simulated time. A Time holds 106 days. Triggers end within 53 of them, delays last 10 at most, a
/// frame 6 on a link, and a link on which frames leave later than kLastDeparture ends the run: so no sum of these ever
/// wraps.
constexpr Time kDay{std::int64_t{86'400} * 1'000'000'000'000};
constexpr Time kLongestDelay = kDay * 10;
constexpr Time kLongestSlot = kDay * 6;
constexpr Time kLastDeparture = kDay * 90;

/// A link is so slow, or so much waits for it, that simulated time does not reach to the end.
struct TimeExceeded : std::runtime_error {
    explicit TimeExceeded(BitRate of_link, const std::string& key = {})
        : std::runtime_error((key.empty() ? "" : key + ": ") + "a link of " + std::to_string(of_link.count) +
                             " b/s would still send what waits for it after 90 days, expected a faster link, less "
                             "traffic or less memory"),
          rate(of_link) {}
    BitRate rate;
};

}  // namespace watershed
