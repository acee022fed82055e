// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>

/// Numbers as a person reads them in a sentence: few digits, units of a fitting size, powers of ten as such. Everything
/// is UTF-8; in_ascii() makes it fit a terminal.
namespace watershed {

/// Direction in which a number is rounded: a bound must hold as it is printed, too.
enum class Rounded { Nearest, Up, Down };

/// The decimal logarithm of a number that is given by its own, rounded to so many digits of the number.
double rounded_log10(double log10, int digits, Rounded rounded);

/// So many significant digits: "0.0416", "4334", "308 000"; below 0.001 and from 10 million on "1.071 × 10⁻¹²".
std::string readable(double value, int digits = 4);

/// A whole number, exactly, in groups of three digits from 10 000 on: "1000", "45 950".
std::string readable_count(std::int64_t count);

/// "1 frame", "45 950 frames"
std::string readable_count(std::int64_t count, const std::string& singular, const std::string& plural);

/// A number with as many digits as its uncertainty leaves: 103217 of 102534 to 103740 is "103 200".
std::string readable_within(double value, double low, double high);

/// "465.5 kB", "9 MB", "46 B"
std::string readable_bytes(double bytes, int digits = 4);

/// "17.44 µs", "40 min", "3.8 years"; beyond a billion years "10²³ years".
std::string readable_seconds(double seconds, int digits = 4);
/// Returns a time in words from its decimal logarithm, which may lie beyond the range of a double.
std::string readable_seconds_of_log10(double log10_seconds, int digits = 4, Rounded rounded = Rounded::Nearest);
/// A time that must not be shorter than it is: rounded up to a nanosecond.
std::string at_least_so_long(double seconds);

/// Returns a probability or fraction in words: "24.5 %"; below a thousandth "1.071 × 10⁻¹²".
std::string readable_chance(double chance, int digits = 4);
/// Returns a probability in words from its decimal logarithm; beyond the range of a double "5.2 × 10⁻³⁴⁵".
std::string readable_chance_of_log10(double log10_chance, int digits = 4, Rounded rounded = Rounded::Nearest);

/// A number given by its decimal logarithm: "0.0416", "1.071 × 10⁻¹²", beyond the doubles "5.2 × 10⁻³⁴⁵".
std::string readable_of_log10(double log10, int digits, Rounded rounded);

/// "10⁻¹²"
std::string power_of_ten(int exponent);

/// Returns a text with ASCII characters only: "1.071 x 10^-12", "17.44 us", "308000".
std::string in_ascii(const std::string& text);

}  // namespace watershed
