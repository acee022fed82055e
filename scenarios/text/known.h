// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/text/readable.h"

namespace watershed {

/// Prints a number given by its decimal logarithm, with `digits` significant digits: readable_chance_of_log10(),
/// readable_seconds_of_log10(), readable_of_log10().
using NumberText = std::string (*)(double log10, int digits, Rounded rounded);

/// A quantity of at least 0, and how it is known. The truth lies between `lower` and `upper`: certainly, or with 95 %
/// confidence if it was sampled. Members are natural logarithms, for risks of 10^-344 are below any double; minus
/// infinity stands for 0.
struct Known {
    enum class Kind { Exact, AtMost, AtLeast, Between, Sampled, Unknown };

    static constexpr double kInfinite = std::numeric_limits<double>::infinity();
    /// Certain bounds no farther apart than this count as close: a third.
    static constexpr double kCloseWithin = 0.3;

    double lower = -kInfinite;
    double estimate = -kInfinite;  ///< lower <= estimate <= upper
    double upper = kInfinite;
    bool sampled = false;

    static Known unknown() { return {}; }
    static Known exactly(double value) { return between(value, value, value); }
    static Known at_most(double value) { return between(0, value, value); }
    static Known at_least(double value);
    static Known between(double lower, double estimate, double upper);
    static Known sample(double lower, double estimate, double upper);

    Kind kind() const;
    /// Certain bounds so close that the estimate alone tells the quantity.
    bool is_close() const;
    /// Certainly 0.
    bool is_zero() const { return !sampled && upper == -kInfinite; }
    /// Nothing but an upper limit is known, or a limit is all that is printed: the estimate says nothing.
    bool is_limit() const;
    /// Returns the upper limit alone, as if it were certain.
    Known limit() const { return {-kInfinite, upper, upper, false}; }
    /// Returns the value as a probability, whose trivial upper limit is 1.
    Known as_probability() const;
    double log10_estimate() const;
    double log10_lower() const;
    double log10_upper() const;

    /// For a cell of a table: "1.07 × 10⁻¹²", "≤ 1.44 × 10⁻¹⁴", "≥ 0.25", "1.1 × 10⁻⁵, sampled", "unknown". Limits are
    /// rounded outward. Certain bounds that are not close are told by the upper one.
    std::string cell(NumberText number, int digits) const;
    /// For a sentence: "at most 1.44 × 10⁻¹⁴", "at least 166.5 years", "between 2 and 3", "2.1 (1.9 to 2.4 with 95 %
    /// confidence)".
    std::string words(NumberText number, int digits) const;
    /// Returns words() without the interval of a sample: "2.1".
    std::string brief(NumberText number, int digits) const;
};

Known operator*(const Known& one, double factor);
Known operator+(const Known& one, const Known& other);
/// 1 over the quantity: "at most" becomes "at least".
Known inverse(const Known& one);
/// Whether one is less than the other whatever the two are within their limits: two upper limits have no order.
bool certainly_less(const Known& one, const Known& other);
/// Whether both are told by close bounds, and by the same estimate.
bool certainly_alike(const Known& one, const Known& other);

/// The members of a risk's JSON: "probability", "bounds" (certain) or "interval95" (sampled), "risk_kind" ("exact",
/// "bound", "sampled" or "unknown"), "log10_probability" and "log10_at_most", null for minus infinity, and
/// "log10_at_least" where the lower limit is below the doubles.
void add_risk_members(nlohmann::ordered_json& json, const Known& risk);
/// Reads them; what is missing follows from the others.
Known risk_of_members(const nlohmann::ordered_json& json);
/// The word of "risk_kind".
const char* risk_kind(const Known& risk);

}  // namespace watershed
