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

/// What `of` makes of each value, or the member that it is.
template <class Values, class Of>
auto transformed_values(const Values& values, const Of& of) {
    std::vector<std::decay_t<std::invoke_result_t<const Of&, decltype(*values.begin())>>> all;
    for (const auto& value : values) all.push_back(std::invoke(of, value));
    return all;
}
/// The largest of these, and no less than `least`.
template <class Values, class Of, class Number>
Number largest(const Values& values, const Of& of, Number least) {
    for (const auto& value : values) least = std::max<Number>(least, std::invoke(of, value));
    return least;
}

/// Probability that a standard normal variable lies below.
inline double normal_cdf(double sigmas) { return 0.5 * std::erfc(-sigmas * M_SQRT1_2); }

/// What a standard normal variable lies below with this probability, which is neither 0 nor 1.
double normal_quantile(double probability);

/// Returns the logarithm of the sum of the numbers whose logarithms are given, one at least; each may be -infinity.
double log_sum(const std::vector<double>& values);

/// Of values with weights, in ascending order: the first at or below which a share of `total`, their weight, lies.
/// There must be one.
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

/// The value below which a share of the weight lies. Each value stands for all that are nearest to it, as many beyond
/// the ends as within.
double weighted_quantile(std::vector<std::pair<double, double>> values, double share);

/// Jeffreys's prior of a service rate, to a factor: log of the standard deviation of d ln(threshold) / d ln(rate) over
/// bursts of which `sent_per_rate` is given. A rate is known the better the nearer it brings bursts to saturation; a
/// posterior that takes all rates as alike lies too low by a part of its width, the larger the fewer the bursts. 0
/// where all bursts are alike.
double log_spread_of_slopes(const std::vector<double>& sent_per_rate, double rate);

/// Values with weights, to ask for quantiles and shares.
class WeightedValues {
  public:
    void add(double value, double weight) {
        values_[value] += weight;
        total_ += weight;
    }
    double total() const { return total_; }
    /// Below or at which this share of the weight lies. Some value must be there.
    double quantile(double share) const { return empirical_quantile(values_, share, total_); }
    /// Share of the weight from `low` to `high`.
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
