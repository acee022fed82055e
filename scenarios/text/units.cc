// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/units.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace watershed {
namespace {

/// value = digits * 10^exponent, exactly.
struct Decimal {
    Wide digits = 0;
    int exponent = 0;
};

struct Unit {
    std::string_view name;
    std::int64_t in_base = 1;  ///< how many of the stored unit one of these is
};

enum class Fraction { Rounded, Refused };

constexpr int kMaxDigits = 30;  // more would overflow Wide once the unit is applied

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
    throw std::invalid_argument("found \"" + std::string(text) + "\", expected " + expected);
}

/// Reads the number at the start of `text` and leaves the unit in it; false if there is none.
bool take_decimal(std::string_view& text, Decimal& value) {
    std::size_t i = 0;
    const auto digit_at = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    const bool negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    int count = 0;
    bool any = false;
    const auto take_digits = [&](bool fraction) {
        for (; digit_at(i); ++i) {
            any = true;
            if (count < kMaxDigits) {
                value.digits = value.digits * 10 + (text[i] - '0');
                if (value.digits != 0) ++count;
                if (fraction) --value.exponent;
            } else if (!fraction) {
                ++value.exponent;
            }
        }
    };
    take_digits(false);
    if (i < text.size() && text[i] == '.') {
        ++i;
        take_digits(true);
    }
    if (!any) return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t at = i + 1;
        const bool minus = at < text.size() && text[at] == '-';
        if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
        if (digit_at(at)) {
            int power = 0;
            for (; digit_at(at); ++at)
                if (power < 1000) power = power * 10 + (text[at] - '0');
            value.exponent += minus ? -power : power;
            i = at;
        }
    }
    if (negative) value.digits = -value.digits;
    text.remove_prefix(i);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return true;
}

/// The value in the stored unit; false if it does not fit, or is broken where fractions are refused.
bool scale(Decimal value, std::int64_t in_base, Fraction fraction, std::int64_t& result) {
    constexpr Wide kLimit = std::numeric_limits<std::int64_t>::max();
    // Trailing zeros would overflow the product without changing the value.
    while (value.exponent < 0 && value.digits != 0 && value.digits % 10 == 0) {
        value.digits /= 10;
        ++value.exponent;
    }
    if (value.digits == 0) value.exponent = 0;
    constexpr Wide kWidest = (Wide{1} << 126);
    while (value.digits / (kWidest / in_base) != 0) {
        value.digits /= 10;
        if (++value.exponent > 0) return false;
    }
    Wide scaled = value.digits * in_base;
    for (; value.exponent > 0; --value.exponent) {
        scaled *= 10;
        if (scaled > kLimit || scaled < -kLimit) return false;
    }
    if (value.exponent < -37) return fraction == Fraction::Rounded && (result = 0, true);
    Wide divisor = 1;
    for (; value.exponent < 0; ++value.exponent) divisor *= 10;
    if (fraction == Fraction::Refused && scaled % divisor != 0) return false;
    const Wide half = scaled < 0 ? -divisor / 2 : divisor / 2;
    const Wide rounded = (scaled + half) / divisor;
    if (rounded > kLimit || rounded < -kLimit) return false;
    result = static_cast<std::int64_t>(rounded);
    return true;
}

template <std::size_t N>
std::int64_t parse(std::string_view text, const std::array<Unit, N>& units, std::int64_t least, Fraction fraction,
                   const std::string& expected) {
    std::string_view rest = text;
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
    Decimal value;
    if (!take_decimal(rest, value)) refuse(text, expected);
    if (rest.empty()) refuse(text, expected + " (the unit is missing)");
    // Both characters that keyboards and spreadsheets have for micro stand for u.
    std::string spelt_u;
    for (const std::string_view micro : {std::string_view("\u00b5"), std::string_view("\u03bc")})
        if (rest.substr(0, micro.size()) == micro) rest = spelt_u = "u" + std::string(rest.substr(micro.size()));
    for (const Unit& unit : units) {
        if (rest != unit.name) continue;
        std::int64_t result = 0;
        if (scale(value, unit.in_base, fraction, result) && result >= least) return result;
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        const bool too_large =
            double(value.digits) * std::pow(10, value.exponent) * double(unit.in_base) > double(kMost);
        refuse(text, expected + (too_large ? ", and at most " + std::to_string(kMost / unit.in_base) + " " +
                                                 std::string(unit.name)
                                           : ""));
    }
    refuse(text, expected);
}

bool is_power_of_ten(std::int64_t number) {
    while (number % 10 == 0) number /= 10;
    return number == 1;
}

/// The largest unit of which there is at least one, or else the smallest; of minutes and hours a whole number. Binary
/// multiples are for input.
template <std::size_t N>
const Unit& suitable(std::int64_t count, const std::array<Unit, N>& ascending) {
    const Unit* best = ascending.data();
    for (const Unit& unit : ascending) {
        const bool exact = is_power_of_ten(unit.in_base) || (unit.in_base % 1000 == 0 && count % unit.in_base == 0);
        if (exact && std::abs(count) >= unit.in_base) best = &unit;
    }
    return *best;
}

/// Exactly, with as many decimals as that takes.
template <std::size_t N>
std::string print(std::int64_t count, const std::array<Unit, N>& ascending) {
    const Unit& unit = suitable(count, ascending);
    std::string text = (count < 0 ? "-" : "") + std::to_string(std::abs(count) / unit.in_base);
    if (const std::int64_t rest = std::abs(count) % unit.in_base; rest != 0) {
        std::string decimals = std::to_string(unit.in_base + rest).substr(1);
        decimals.erase(decimals.find_last_not_of('0') + 1);
        text += "." + decimals;
    }
    return text + " " + std::string(unit.name);
}

constexpr std::int64_t kKibi = 1024, kMebi = kKibi * 1024, kGibi = kMebi * 1024;
constexpr std::array<Unit, 7> kTimes{{{"ps", 1},
                                      {"ns", 1'000},
                                      {"us", 1'000'000},
                                      {"ms", 1'000'000'000},
                                      {"s", 1'000'000'000'000},
                                      {"min", 60'000'000'000'000},
                                      {"h", 3'600'000'000'000'000}}};
constexpr std::array<Unit, 8> kBytes{{{"B", 1},
                                      {"kB", 1'000},
                                      {"MB", 1'000'000},
                                      {"GB", 1'000'000'000},
                                      {"TB", 1'000'000'000'000},
                                      {"KiB", kKibi},
                                      {"MiB", kMebi},
                                      {"GiB", kGibi}}};
constexpr std::array<Unit, 8> kBitRates{{{"b/s", 1},
                                         {"kb/s", 1'000},
                                         {"Mb/s", 1'000'000},
                                         {"Gb/s", 1'000'000'000},
                                         {"Tb/s", 1'000'000'000'000},
                                         {"Kib/s", kKibi},
                                         {"Mib/s", kMebi},
                                         {"Gib/s", kGibi}}};
constexpr std::array<Unit, 6> kFrequencies{{{"uHz", 1},
                                            {"mHz", 1'000},
                                            {"Hz", 1'000'000},
                                            {"kHz", 1'000'000'000},
                                            {"MHz", 1'000'000'000'000},
                                            {"GHz", 1'000'000'000'000'000}}};
constexpr std::array<Unit, 2> kTolerances{{{"ppb", 1}, {"ppm", 1'000}}};

constexpr std::int64_t kAnySign = std::numeric_limits<std::int64_t>::min();

}  // namespace

Time parse_time(std::string_view text) {
    return Time{parse(text, kTimes, 0, Fraction::Rounded,
                      "a time such as \"8.72 us\" (ps, ns, us, ms, s, min, h), not negative")};
}

Bytes parse_bytes(std::string_view text) {
    return {
        parse(text, kBytes, 0, Fraction::Refused,
              "a size of whole bytes such as \"1024 B\" or \"330 MB\" (B, kB, MB, GB, KiB, MiB, GiB), not negative")};
}

BitRate parse_bit_rate(std::string_view text) {
    return {parse(text, kBitRates, 1, Fraction::Refused,
                  "a bit rate such as \"10 Gb/s\" (b/s, kb/s, Mb/s, Gb/s), more than 0")};
}

Frequency parse_frequency(std::string_view text) {
    return {
        parse(text, kFrequencies, 1, Fraction::Rounded, "a rate such as \"8 kHz\" (mHz, Hz, kHz, MHz), more than 0")};
}

ClockTolerance parse_clock_tolerance(std::string_view text) {
    return {parse(text, kTolerances, kAnySign, Fraction::Rounded, "a clock tolerance such as \"20 ppm\" (ppm, ppb)")};
}

MemorySize parse_memory_size(std::string_view text) {
    static constexpr std::array<Unit, 2> frames{{{"frames", 1}, {"frame", 1}}}, cells{{{"cells", 1}, {"cell", 1}}};
    const std::string expected =
        "an amount of memory such as \"308000 frames\", \"330 MB\" or \"46080 cells\", more than 0";
    const auto ends_with = [&](std::string_view end) {
        return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
    };
    if (ends_with("frames") || ends_with("frame"))
        return {parse(text, frames, 1, Fraction::Refused, expected), MemorySize::Unit::Frame};
    if (ends_with("cells") || ends_with("cell"))
        return {parse(text, cells, 1, Fraction::Refused, expected), MemorySize::Unit::Cell};
    return {parse(text, kBytes, 1, Fraction::Refused, expected), MemorySize::Unit::Byte};
}

Ratio parse_ratio(std::string_view text) {
    const std::string expected = "a number such as 8, 0.5, \"1/2\" or \"50 %\", not negative";
    std::string_view rest = text;
    Decimal above, below;
    if (!take_decimal(rest, above)) refuse(text, expected);
    if (!rest.empty() && rest.front() == '/') {
        rest.remove_prefix(1);
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        if (!take_decimal(rest, below) || !rest.empty()) refuse(text, expected);
    } else {
        below.digits = 1;
        if (rest == "%")
            below.exponent = 2;
        else if (!rest.empty())
            refuse(text, expected);
    }
    // Both as whole numbers of the smaller of the two units.
    for (; above.exponent > below.exponent; --above.exponent)
        if ((above.digits *= 10) > std::numeric_limits<std::int64_t>::max()) refuse(text, expected);
    for (; below.exponent > above.exponent; --below.exponent)
        if ((below.digits *= 10) > std::numeric_limits<std::int64_t>::max()) refuse(text, expected);
    constexpr Wide kLargest = 1'000'000'000'000;
    if (above.digits < 0 || above.digits > kLargest || below.digits <= 0 || below.digits > kLargest)
        refuse(text, expected + ", at most twelve digits");
    const auto numerator = static_cast<std::int64_t>(above.digits),
               denominator = static_cast<std::int64_t>(below.digits);
    const std::int64_t common = std::gcd(numerator, denominator);
    return {numerator / common, denominator / common};
}

std::string to_text(Time time) { return print(time.count(), kTimes); }
std::string to_text(Bytes bytes) { return print(bytes.count, kBytes); }
std::string to_text(BitRate rate) { return print(rate.count, kBitRates); }
std::string to_text(Frequency frequency) { return print(frequency.count, kFrequencies); }
std::string to_text(ClockTolerance tolerance) { return print(tolerance.count, kTolerances); }
std::string to_text(MemorySize size) {
    const char* const many = size.amount == 1 ? "" : "s";
    switch (size.unit) {
        case MemorySize::Unit::Frame: return std::to_string(size.amount) + " frame" + many;
        case MemorySize::Unit::Cell: return std::to_string(size.amount) + " cell" + many;
        case MemorySize::Unit::Byte: break;
    }
    return to_text(Bytes{size.amount});
}

std::string rounded(Time time) {
    const Unit& unit = suitable(time.count(), kTimes);
    char text[40];
    std::snprintf(text, sizeof text, "%.4g ", static_cast<double>(time.count()) / static_cast<double>(unit.in_base));
    return text + std::string(unit.name);
}

std::string rounded_microseconds(double microseconds) { return rounded(time_of_microseconds(microseconds)); }

std::string microseconds(Time time) {
    constexpr std::int64_t kMicro = 1'000'000;
    const std::int64_t magnitude = std::abs(time.count());
    std::string text = (time.count() < 0 ? "-" : "") + std::to_string(magnitude / kMicro);
    if (magnitude % kMicro == 0) return text;
    std::string decimals = std::to_string(magnitude % kMicro);
    decimals.insert(0, 6 - decimals.size(), '0');
    decimals.erase(decimals.find_last_not_of('0') + 1);
    return text + "." + decimals;
}

Time parse_microseconds(std::string_view number) {
    static constexpr std::array<Unit, 1> us{{{"us", 1'000'000}}};
    const std::string expected = "a number of microseconds such as 8.72";
    std::string_view rest = number;
    Decimal value;
    if (!take_decimal(rest, value) || !rest.empty()) refuse(number, expected);
    return Time{parse(std::string(number) + "us", us, 0, Fraction::Rounded, expected + ", not negative")};
}

}  // namespace watershed
