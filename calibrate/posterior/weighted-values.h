// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>

#include "calibrate/posterior/statistics.h"

namespace watershed {

/// Values with weights, to ask for quantiles and shares.
class WeightedValues {
  public:
    void add(double value, double weight) {
        values_[value] += weight;
        total_ += weight;
    }
    double total() const { return total_; }
    /// Below or at which this share of the weight lies. Some value must be there.
    double quantile(double share) const { return stepped_quantile(values_, share, total_); }
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
