// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"

#include "scenarios/text/text-line.h"

namespace watershed {

namespace {

/// Encloses the estimate in the 68 % interval, and that in the 95 % interval.
void nest(Estimate& estimate) {
    const auto enclose = [](Interval& outer, const Interval& inner) {
        if (outer.low && inner.low) outer.low = std::min(*outer.low, *inner.low);
        if (outer.high && inner.high) outer.high = std::max(*outer.high, *inner.high);
    };
    enclose(estimate.interval68, {estimate.value, estimate.value});
    enclose(estimate.interval95, estimate.interval68);
    enclose(estimate.interval95, {estimate.value, estimate.value});
}

}  // namespace

Estimate in_known_digits(Estimate estimate, double error_of_ends) {
    nest(estimate);
    if (!estimate.value || !(error_of_ends > 0)) return estimate;
    constexpr double kCoarsest = 0.2;  // part of the width: an interval stays as wide as it is
    /// Digits of the largest power of ten that is no more than the error.
    const auto digits_of = [&](const Interval& interval) -> std::optional<int> {
        const double width = interval.high.value_or(*estimate.value) - interval.low.value_or(*estimate.value);
        if (!(width > 0)) return std::nullopt;
        return int(std::floor(std::log10(std::min(error_of_ends, kCoarsest) * width)));
    };
    const auto known = digits_of(estimate.interval95);
    if (!known) return estimate;
    const int inside = digits_of(estimate.interval68).value_or(*known);
    const Interval& hard = estimate.hard;
    // A power of ten below 1 is no binary number, its inverse is.
    const auto in_digits = [](double number, int digits, double (*to_whole)(double)) {
        const double step = std::pow(10, std::abs(digits));
        return digits < 0 ? to_whole(number * step) / step : to_whole(number / step) * step;
    };
    const auto rounded = [&](std::optional<double>& number, int digits, double (*to_whole)(double)) {
        if (!number) return;
        double value = in_digits(*number, digits, to_whole);
        if (hard.low && *number >= *hard.low) value = std::max(value, *hard.low);
        if (hard.high && *number <= *hard.high) value = std::min(value, *hard.high);
        number = value;
    };
    const auto nearest = [](double value) { return std::round(value); };
    rounded(estimate.interval95.low, *known, [](double value) { return std::floor(value); });
    rounded(estimate.interval95.high, *known, [](double value) { return std::ceil(value); });
    // Rounded outwards these would hold much more than 68 %.
    rounded(estimate.interval68.low, inside, nearest), rounded(estimate.interval68.high, inside, nearest);
    // The estimate is that of one kind, whose limits may be narrower than an interval over all.
    const double value = *estimate.value;
    estimate.value = in_digits(value, inside, nearest);
    if (meet({value, value}, hard))
        for (int more = 1; !meet({estimate.value, estimate.value}, hard); ++more)
            estimate.value = more < 6 ? in_digits(value, inside - more, nearest) : value;
    nest(estimate);
    return estimate;
}

std::string number_text(double value) {
    constexpr double kLarge = 1e7,
                     kLargest = 1e15;  // range of numbers with seven whole digits and no exponent
    const bool whole = std::abs(value - std::round(value)) < 1e-9 || std::abs(value) >= kLarge;
    return text_line(whole && std::abs(value) < kLargest ? "%.0f" : "%.7g", value);
}

std::string limits_text(const Interval& interval) {
    if (!interval.low && !interval.high) return "no limit";
    if (!interval.high) {
        const double low = *interval.low;
        if (low == 0) return "no limit";
        if (!(low > 0 && low < 1)) return "at least " + number_text(low);
        const double step = std::pow(10, 1 - std::floor(std::log10(low)));  // to two digits, down
        return "at least " + number_text(std::floor(low * step) / step);
    }
    if (!interval.low) return "at most " + number_text(*interval.high);
    return number_text(*interval.low) + " to " + number_text(*interval.high);
}

std::string rows_text(const std::vector<int>& rows) {
    constexpr std::size_t kMost = 30;
    std::string result;
    for (std::size_t i = 0; i < rows.size() && i < kMost; ++i) result += (i ? ", " : "") + std::to_string(rows[i]);
    if (rows.size() > kMost) result += ", … (" + std::to_string(rows.size()) + " in all)";
    return rows.empty() ? "none" : result;
}

}  // namespace watershed
