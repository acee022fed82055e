// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"

#include <cmath>

#include "scenarios/text/text-line.h"

namespace watershed {

Interval scaled(Interval interval, double scale) {
    if (interval.low) *interval.low *= scale;
    if (interval.high) *interval.high *= scale;
    return interval;
}

nlohmann::json json_limits(const Interval& interval, double scale) {
    const Interval there = scaled(interval, scale);
    return {json_number(there.low), json_number(there.high)};
}

std::string number_text(double value) {
    constexpr double kLarge = 1e7,
                     kLargest = 1e15;  // of numbers whose seven digits are whole, and that need no exponent
    const bool whole = std::abs(value - std::round(value)) < 1e-9 || std::abs(value) >= kLarge;
    return text_line(whole && std::abs(value) < kLargest ? "%.0f" : "%.7g", value);
}

std::string limits_text(const Interval& interval) {
    if (!interval.low && !interval.high) return "no limit";
    if (!interval.high) return "at least " + number_text(*interval.low);
    if (!interval.low) return "at most " + number_text(*interval.high);
    return number_text(*interval.low) + " to " + number_text(*interval.high);
}

std::string unit_text(MemorySize::Unit unit) {
    static const char* const kNames[] = {"frames", "bytes", "cells"};
    return kNames[static_cast<int>(unit)];
}

std::string rows_text(const std::vector<int>& rows) {
    constexpr std::size_t kMost = 30;
    std::string result;
    for (std::size_t i = 0; i < rows.size() && i < kMost; ++i) result += (i ? ", " : "") + std::to_string(rows[i]);
    if (rows.size() > kMost) result += ", … (" + std::to_string(rows.size()) + " in all)";
    return rows.empty() ? "none" : result;
}

}  // namespace watershed
