// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace watershed {

/// Probability that a standard normal variable lies below.
inline double below(double sigmas) { return 0.5 * std::erfc(-sigmas * M_SQRT1_2); }

/// The larger of the two middle ones where their number is even. There must be one.
inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Logarithm of the sum of two numbers of which these are the logarithms, of which not both are -infinity.
inline double log_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

}  // namespace watershed
