// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>

namespace watershed {

/// Returns log(exp(a) + exp(b)) without overflow; -infinity stands for the logarithm of 0.
inline double log_sum(double a, double b) {
    const double larger = std::max(a, b);
    return std::isfinite(larger) ? larger + std::log1p(std::exp(std::min(a, b) - larger)) : larger;
}

}  // namespace watershed
