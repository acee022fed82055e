// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "calibrate/closed-form/burst.h"

namespace watershed {

/// Density of the logarithm of a quantity, on a uniform grid.
class LogDensity {
  public:
    LogDensity() = default;
    /// @param densities  at kSteps + 1 logarithms, up to a factor
    LogDensity(double low, double high, const std::vector<double>& densities);
    explicit LogDensity(const ChosenPrior& prior);

    bool empty() const { return logs_.empty(); }
    double low() const { return low_; }
    double high() const { return high_; }
    /// Returns the log density of a logarithm, nearest to it within the range.
    double at(double log_value) const {
        const double place = std::clamp((log_value - low_) / (high_ - low_), 0.0, 1.0) * double(logs_.size() - 1);
        const auto below = std::min(std::size_t(place), logs_.size() - 2);
        return logs_[below] + (place - double(below)) * (logs_[below + 1] - logs_[below]);
    }
    /// Returns the logarithm for a quantile.
    double quantile(double share) const;

    static constexpr int kSteps = 4000;

  private:
    double low_ = 0, high_ = 1;
    std::vector<double> logs_, shares_;
};

}  // namespace watershed
