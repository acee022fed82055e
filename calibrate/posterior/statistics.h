// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "model/base/log-sum.h"

namespace watershed {

/// Returns of(value) for each value; `of` may be a member.
template <class Values, class Of>
auto transformed_values(const Values& values, const Of& of) {
    std::vector<std::decay_t<std::invoke_result_t<const Of&, decltype(*values.begin())>>> all;
    for (const auto& value : values) all.push_back(std::invoke(of, value));
    return all;
}
/// Returns the largest of(value), at least `least`.
template <class Values, class Of, class Number>
Number largest(const Values& values, const Of& of, Number least) {
    for (const auto& value : values) least = std::max<Number>(least, std::invoke(of, value));
    return least;
}

/// Returns the standard normal distribution function.
inline double normal_cdf(double sigmas) { return 0.5 * std::erfc(-sigmas * M_SQRT1_2); }

/// Returns the quantile of the standard normal distribution. @pre 0 < probability < 1
double normal_quantile(double probability);

/// Returns the log of the sum of exponentials. @pre values is not empty; each may be -infinity
double log_sum(const std::vector<double>& values);

/// Returns the first of sorted, weighted values at or below which the fraction `share` of `total` lies. @pre not empty
template <class Values>
auto empirical_quantile(const Values& sorted, double share, double total) {
    double sum = 0;
    for (const auto& [value, weight] : sorted)
        if ((sum += weight) >= share * total) return value;
    return std::prev(sorted.end())->first;
}
template <class Values>
auto empirical_quantile(const Values& sorted, double share) {
    double total = 0;
    for (const auto& [value, weight] : sorted) total += weight;
    return empirical_quantile(sorted, share, total);
}

/// Returns the interpolated quantile of weighted values; each stands for its neighbourhood, symmetric at the ends.
double weighted_quantile(std::vector<std::pair<double, double>> values, double share);

/// Returns the number of independent values that know the mean as well as values of `chains` chains do, by their
/// correlation along a chain: their number over 1 + 2 sum (1 - k/L) rho_k, with chains of L values each. Their number
/// if all are equal.
/// @param values  first those that begin the chains, then those that follow each
double effective_samples(const std::vector<double>& values, std::size_t chains);

/// Returns Jeffreys's prior of a service rate up to a constant: the log of the standard deviation of d ln(threshold) /
/// d ln(rate) over the bursts; 0 if all are alike. A uniform prior would make the rate too low, because the rate is
/// known better near saturation.
double log_spread_of_slopes(const std::vector<double>& sent_per_rate, double rate);

/// Weighted values with quantiles.
class WeightedValues {
  public:
    void add(double value, double weight) {
        values_[value] += weight;
        total_ += weight;
    }
    double total() const { return total_; }
    /// Returns the quantile. @pre total() > 0
    double quantile(double share) const { return empirical_quantile(values_, share, total_); }
    /// Returns the fraction of the weight in [low, high].
    double between(double low, double high) const {
        double sum = 0;
        for (auto value = values_.lower_bound(low); value != values_.end() && value->first <= high; ++value)
            sum += value->second;
        return sum / total_;
    }

  private:
    std::map<double, double> values_;
    double total_ = 0;
};

}  // namespace watershed
