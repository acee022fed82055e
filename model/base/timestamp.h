// SPDX-License-Identifier: GPL-2.0-only
#pragma once

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
    /// So many whole picoseconds later.
    friend constexpr Timestamp operator+(const Timestamp& a, Time span) { return {a.time + span, a.early}; }
};

/// A length of time: whole picoseconds, and ticks that make less than another.
struct Span {
    Time whole{0};
    std::uint64_t ticks = 0;
};

/// How finely a scenario's exact times are told: a picosecond has so many ticks.
struct TimeGrid {
    static constexpr std::uint64_t kFinest = std::uint64_t{1} << 62;

    std::uint64_t ticks = 1;

    constexpr Timestamp after(const Timestamp& moment, const Span& span) const {
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
    constexpr Span span(Wide length) const {
        return {Time{static_cast<std::int64_t>(length / ticks)}, static_cast<std::uint64_t>(length % ticks)};
    }
    constexpr Wide ticks_of(const Span& span) const { return Wide{span.whole.count()} * ticks + span.ticks; }
};

}  // namespace watershed
