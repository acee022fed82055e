// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

/// Quantities as types: a time cannot be added to a size, and every one is an integer.
namespace watershed {

/// Simulated time in integer picoseconds; 64 bits reach 106 days.
/// At 10, 25, 40 and 100 Gb/s one byte lasts a whole number of them.
using Time = std::chrono::duration<std::int64_t, std::pico>;

/// Products of times, rates and sizes exceed 64 bits.
__extension__ typedef __int128 Wide;

/// An integer number of one unit; the tag tells the units apart.
template <class Tag>
struct Quantity {
    std::int64_t count = 0;

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.count + b.count}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.count - b.count}; }
    friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return {a.count * n}; }
    friend constexpr bool operator==(Quantity a, Quantity b) { return a.count == b.count; }
    friend constexpr bool operator!=(Quantity a, Quantity b) { return a.count != b.count; }
    friend constexpr bool operator<(Quantity a, Quantity b) { return a.count < b.count; }
    friend constexpr bool operator>(Quantity a, Quantity b) { return a.count > b.count; }
    friend constexpr bool operator<=(Quantity a, Quantity b) { return a.count <= b.count; }
    friend constexpr bool operator>=(Quantity a, Quantity b) { return a.count >= b.count; }
    constexpr Quantity& operator+=(Quantity b) {
        count += b.count;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity b) {
        count -= b.count;
        return *this;
    }
};

using Bytes = Quantity<struct BytesTag>;
/// Bits per second.
using BitRate = Quantity<struct BitRateTag>;
/// Microhertz, so that a rate written with six decimals stays exact.
using Frequency = Quantity<struct FrequencyTag>;
/// Parts in 10^9; a tolerance of 20 ppm is 20000.
using ClockTolerance = Quantity<struct ClockToleranceTag>;

/// An amount of switch memory, counted the way that memory is handed out.
struct MemorySize {
    enum class Unit { Frame, Byte, Cell };
    std::int64_t amount = 0;
    Unit unit = Unit::Frame;

    friend constexpr bool operator==(MemorySize a, MemorySize b) { return a.amount == b.amount && a.unit == b.unit; }
};

/// A ratio of whole numbers, so that no comparison with it is a matter of rounding. The denominator is positive.
struct Ratio {
    std::int64_t numerator = 1;
    std::int64_t denominator = 1;

    friend constexpr bool operator==(Ratio a, Ratio b) {
        return Wide{a.numerator} * b.denominator == Wide{b.numerator} * a.denominator;
    }
};

/// Quantities as numbers, to print, to draw and to draw at random; nothing is counted in these. Each converter divides
/// by a power of ten that is exact, so that files hold 8.72 and not 8.719999999999999.
inline double as_number(Ratio ratio) {
    return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}
inline double in_seconds(Time time) { return static_cast<double>(time.count()) / 1e12; }
inline double in_nanoseconds(Time time) { return static_cast<double>(time.count()) / 1e3; }
template <class Rep, class Period>
double in_microseconds(std::chrono::duration<Rep, Period> time) {
    return std::chrono::duration<double, std::micro>(time).count();
}
inline double in_hertz(Frequency rate) { return static_cast<double>(rate.count) / 1e6; }
inline double in_kilohertz(Frequency rate) { return static_cast<double>(rate.count) / 1e9; }
inline double in_megabits(BitRate rate) { return static_cast<double>(rate.count) / 1e6; }
/// Returns the period of a frequency, picoseconds.
inline double period_in_picoseconds(Frequency rate) { return 1e18 / static_cast<double>(rate.count); }
/// Returns the mean number of occurrences in `time` of something that occurs `hertz` times per second.
inline double times_in(Time time, double hertz) { return hertz * static_cast<double>(time.count()) * 1e-12; }
/// Time of `bytes` on a link of 1 bit/s, in picoseconds; divided by the bits per second, that on any link.
inline double bit_picoseconds(std::int64_t bytes) { return 8e12 * static_cast<double>(bytes); }
inline double seconds_of_picoseconds(double picoseconds) { return picoseconds / 1e12; }

/// Numbers as quantities, to the nearest.
inline Time time_of_seconds(double seconds) { return Time{std::llround(seconds * 1e12)}; }
inline Time time_of_microseconds(double microseconds) { return Time{std::llround(microseconds * 1e6)}; }

/// a / b rounded up, for a >= 0 and b > 0.
template <class Int>
constexpr Int ceil_div(Int a, Int b) {
    return (a + b - 1) / b;
}

/// The greatest common divisor of two numbers >= 0, of which one is not 0.
constexpr Wide common_divisor(Wide a, Wide b) {
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/// Some of a memory, by frames and by their buffer sizes.
struct Amount {
    std::int64_t frames = 0;
    Bytes bytes{0};
    friend bool operator==(const Amount& a, const Amount& b) { return a.frames == b.frames && a.bytes == b.bytes; }
};

}  // namespace watershed
