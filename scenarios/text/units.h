// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <string_view>

#include "model/base/quantities.h"

/// The one place where text with units becomes quantities and back.
/// b is bit, B is byte; k M G T are powers of 1000, Ki Mi Gi of 1024; a space before the unit may be left out.
/// Decimal fractions are exact. Every parse function throws std::invalid_argument that says what was found and
/// expected.
namespace watershed {

/// "8.72 us", "1 s"; ps, ns, us, ms, s, min, h; rounded to the picosecond. Negative times are refused.
Time parse_time(std::string_view text);
/// "330 MB", "512 MiB", "1518 B"; must come to whole bytes.
Bytes parse_bytes(std::string_view text);
/// "10 Gb/s"; more than 0.
BitRate parse_bit_rate(std::string_view text);
/// "8 kHz"; to the microhertz, more than 0.
Frequency parse_frequency(std::string_view text);
/// "20 ppm", "-1.5 ppm", "200 ppb".
ClockTolerance parse_clock_tolerance(std::string_view text);
/// "308000 frames", "46080 cells", or bytes; more than 0.
MemorySize parse_memory_size(std::string_view text);

/// "8", "0.5", "1/2" or "50 %"; exact, not negative.
Ratio parse_ratio(std::string_view text);

/// The text that parses back to the same value, in the largest unit of which there is at least one; whole minutes and
/// hours as such.
std::string to_text(Time time);
std::string to_text(Bytes bytes);
std::string to_text(BitRate rate);
std::string to_text(Frequency frequency);
std::string to_text(ClockTolerance tolerance);
std::string to_text(MemorySize size);
/// A time for people, to four significant digits in the same unit: "17.44 us", "120 s".
std::string rounded(Time time);
/// Returns a rounded time from microseconds, to the picosecond.
std::string rounded_microseconds(double microseconds);

/// A time as a plain decimal number of microseconds, exact, as loss maps hold it: "8.72".
std::string microseconds(Time time);
/// The time that plain decimal number of microseconds stands for, rounded to the picosecond. @throws
/// std::invalid_argument
Time parse_microseconds(std::string_view number);

}  // namespace watershed
