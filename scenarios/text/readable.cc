// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/readable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace watershed {
namespace {

constexpr auto kThinSpace = "\u202f";  // narrow, and no line breaks there
constexpr std::array<const char*, 10> kRaised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

/// @param number  digits, perhaps with a sign before and a fraction behind
std::string grouped(const std::string& number) {
    const auto begin = number.find_first_of("0123456789");
    const auto end = std::min(number.find('.'), number.size());
    if (end - begin < 5) return number;
    std::string text = number.substr(0, begin);
    for (auto i = begin; i < end; ++i) {
        if (i > begin && (end - i) % 3 == 0) text += kThinSpace;
        text += number[i];
    }
    return text + number.substr(end);
}

/// Without an exponent, rounded to significant digits.
std::string fixed(double value, int digits) {
    char text[400];
    // Rounded first: 9.9996 is "10" with four digits, not "10.00".
    std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
    const double rounded = std::strtod(text, nullptr);
    const int magnitude = rounded == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-12));
    std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - magnitude), rounded);
    std::string number = text;
    if (number.find('.') != std::string::npos) {
        number.erase(number.find_last_not_of('0') + 1);
        if (number.back() == '.') number.pop_back();
    }
    return grouped(number);
}

struct SizedUnit {
    const char* name;
    double size;
};
constexpr double kYear = 365.25 * 86400;
constexpr std::array<SizedUnit, 9> kTimeUnits{{{"years", kYear},
                                               {"days", 86400},
                                               {"h", 3600},
                                               {"min", 60},
                                               {"s", 1},
                                               {"ms", 1e-3},
                                               {"µs", 1e-6},
                                               {"ns", 1e-9},
                                               {"ps", 1e-12}}};

}  // namespace

std::string power_of_ten(int exponent) {
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) text += kRaised[static_cast<std::size_t>(digit - '0')];
    return text;
}

namespace {

/// "1.071 × 10⁻¹²", "10⁻⁹"
std::string times_power_of_ten(double number, int exponent, int digits) {
    std::string front = fixed(number, digits);
    if (front == "10" || front == "-10") {
        front = front == "10" ? "1" : "-1";
        ++exponent;
    }
    if (front.front() == '-') front = "−" + front.substr(1);
    return (front == "1" ? "" : front + " × ") + power_of_ten(exponent);
}

/// @param whole  shows all digits before the point: zeros in place of digits would tell another whole number
std::string in_digits(double value, int digits, bool whole) {
    if (std::isnan(value)) return "unknown";
    if (std::isinf(value)) return value > 0 ? "without limit" : "−∞";
    const double magnitude = std::abs(value);
    const int exponent = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(magnitude)));
    if (value == 0 || (magnitude >= 1e-3 && magnitude < 1e7)) {
        std::string text = fixed(value, whole ? std::max(digits, exponent + 1) : digits);
        return text.front() == '-' ? "−" + text.substr(1) : text;
    }
    return times_power_of_ten(value / std::pow(10, exponent), exponent, digits);
}

}  // namespace

std::string readable(double value, int digits) { return in_digits(value, digits, true); }

std::string readable_count(std::int64_t count) { return grouped(std::to_string(count)); }

std::string readable_count(std::int64_t count, const std::string& singular, const std::string& plural) {
    return readable_count(count) + " " + (count == 1 ? singular : plural);
}

std::string readable_within(double value, double low, double high) {
    const double spread = std::abs(high - low) / 2;
    if (!(spread > 0) || !std::isfinite(spread) || value == 0) return readable(value, 6);
    // One digit more than the first that is uncertain.
    const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) -
                       static_cast<int>(std::floor(std::log10(spread))) + 2;
    return in_digits(value, std::clamp(digits, 2, 9), false);
}

std::string readable_bytes(double bytes, int digits) {
    for (const auto& [name, size] :
         {SizedUnit{"TB", 1e12}, SizedUnit{"GB", 1e9}, SizedUnit{"MB", 1e6}, SizedUnit{"kB", 1e3}})
        if (std::abs(bytes) >= size) return readable(bytes / size, digits) + " " + name;
    return readable(bytes, digits) + " B";
}

double rounded_log10(double log10, int digits, Rounded rounded) {
    if (!std::isfinite(log10) || rounded == Rounded::Nearest) return log10;
    constexpr double kNoise = 1e-9;  // rounding of a logarithm: 10^-5 is not above 0.00001
    const double power = std::floor(log10), scale = std::pow(10, digits - 1);
    const double number = std::pow(10, log10 - power) * scale;
    const double whole = rounded == Rounded::Up ? std::ceil(number * (1 - kNoise)) : std::floor(number * (1 + kNoise));
    return power + std::log10(whole / scale);
}

std::string readable_seconds(double seconds, int digits) {
    if (seconds == 0) return "0 s";
    if (!std::isfinite(seconds)) return seconds > 0 ? "for ever" : "unknown";
    // A time that rounds up to one of a unit is shown in that unit.
    const double magnitude = std::abs(seconds) * (1 + 0.5 * std::pow(10, -digits));
    for (const auto& [name, size] : kTimeUnits)
        if (magnitude >= size || size == 1e-12) return readable(seconds / size, digits) + " " + name;
    return "";
}

std::string readable_seconds_of_log10(double log10_seconds, int digits, Rounded rounded) {
    const double log10_years = log10_seconds - std::log10(kYear);
    if (log10_years < 9) {
        double unit = 0;  // in which the digits are printed
        for (const auto& each : kTimeUnits)
            if (unit == 0 && log10_seconds >= std::log10(each.size)) unit = std::log10(each.size);
        return readable_seconds(std::pow(10, unit + rounded_log10(log10_seconds - unit, digits, rounded)), digits);
    }
    return power_of_ten(static_cast<int>(rounded == Rounded::Up ? std::ceil(log10_years) : std::floor(log10_years))) +
           " years";
}

std::string at_least_so_long(double seconds) {
    constexpr double kNanoseconds = 1e9, kNoise = 1e-4;
    constexpr int kDigits = 12;
    return readable_seconds(std::ceil(seconds * kNanoseconds - kNoise) / kNanoseconds, kDigits);
}

std::string readable_chance(double chance, int digits) {
    return chance >= 1e-3 ? readable(100 * chance, digits) + " %" : readable(chance, digits);
}

std::string readable_chance_of_log10(double log10_chance, int digits, Rounded rounded) {
    if (std::isnan(log10_chance)) return "unknown";
    const double log10 = rounded_log10(log10_chance, digits, rounded);
    return log10 < -3 ? readable_of_log10(log10, digits, Rounded::Nearest)
                      : readable_chance(std::pow(10, log10), digits);
}

std::string readable_of_log10(double log10, int digits, Rounded rounded) {
    constexpr double kDoubles = 300;  // powers of ten that are numbers
    const double number = rounded_log10(log10, digits, rounded);
    if (std::abs(number) < kDoubles || !std::isfinite(number)) return readable(std::pow(10, number), digits);
    const int exponent = static_cast<int>(std::floor(number));
    return times_power_of_ten(std::pow(10, number - exponent), exponent, digits);
}

std::string in_ascii(const std::string& text) {
    std::string plain;
    bool raised = false;
    for (std::size_t i = 0; i < text.size();) {
        const auto is = [&](const char* each) { return text.compare(i, std::string(each).size(), each) == 0; };
        bool taken = false;
        for (std::size_t digit = 0; digit < kRaised.size() && !taken; ++digit)
            if (is(kRaised[digit])) {
                plain += (raised ? "" : "^") + std::to_string(digit);
                i += std::string(kRaised[digit]).size();
                taken = raised = true;
            }
        if (taken) continue;
        for (const auto& [utf8, ascii] : {std::pair("⁻", "^-"), std::pair("×", "x"), std::pair("µ", "u"),
                                          std::pair(kThinSpace, ""), std::pair("−", "-"), std::pair("–", "-"),
                                          std::pair("∞", "infinite"), std::pair("≤", "<="), std::pair("≥", ">=")})
            if (is(utf8)) {
                plain += ascii;
                i += std::string(utf8).size();
                raised = std::string(utf8) == "⁻";
                taken = true;
                break;
            }
        if (taken) continue;
        raised = false;
        plain += text[i++];
    }
    return plain;
}

}  // namespace watershed
