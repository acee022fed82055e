// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <vector>

#include "calibrate/closed-form/queue-model.h"

namespace watershed {

/// Returns the prior log odds of a memory with a feature against one without.
double log_odds_of_feature();

/// Returns the features that the bursts could identify: descriptors with two payloads, a resume level with numbers of
/// lost frames, a dynamic threshold with different numbers of uplinks, uneven uplinks with more than one, reserves of
/// inputs (or outputs) with lossy bursts of two (or three) numbers of ports (or uplinks).
std::vector<Feature> visible_features(const QueueModel& plain, const std::vector<Burst>& bursts);

/// Prior of a feature's value: maps a quantile between 0 and 1 (`share`) to the value and back.
class FeaturePrior {
  public:
    /// @pre bursts is not empty
    FeaturePrior(const QueueModel& model, const std::vector<Burst>& bursts);

    /// Returns the value for a quantile; a number of descriptors is whole and at least 1.
    /// @param depth  depth of the memory in its unit; the prior of descriptors is one of memory per descriptor
    double value(double share, double depth) const {
        const double value = unrounded(share, depth);
        return feature_ == Feature::Descriptors ? std::max(1.0, std::floor(value)) : value;
    }
    /// Returns value() without rounding.
    double unrounded(double share, double depth) const {
        const double at = low_ + share * (high_ - low_);
        switch (feature_) {
            case Feature::Descriptors: return depth * unit_ / std::exp(at);
            case Feature::DynamicThreshold: return std::exp(at);
            default: return at;
        }
    }
    /// Returns the quantile of a value: the inverse of unrounded().
    double share(double value, double depth) const {
        const double at = feature_ == Feature::Descriptors        ? std::log(depth * unit_ / value)
                          : feature_ == Feature::DynamicThreshold ? std::log(value)
                                                                  : value;
        return (at - low_) / (high_ - low_);
    }

    /// Returns the step of the value that changes a queue by about one frame, in a memory of `frames` frames; 0 for a
    /// resume level and uneven uplinks.
    double step(double value, double frames) const {
        switch (feature_) {
            case Feature::Descriptors: return 1;
            case Feature::DynamicThreshold: return std::pow(1 + queues_ * value, 2) / frames;
            case Feature::Reserve:
            case Feature::OutputReserve: return 1 / frames;
            default: return 0;
        }
    }
    /// Returns ln(d quantile / d value), up to a constant.
    double log_slope(double value) const {
        return feature_ == Feature::Descriptors || feature_ == Feature::DynamicThreshold ? -std::log(value) : 0;
    }

    /// Returns the fraction of the depth that most lossy bursts fill; 1 without a dynamic threshold or reserves. Points
    /// have the filled depth as a coordinate, because the map determines it better than the depth of the memory.
    double fraction_filled(double share) const {
        if (most_queues_ > 0) return 1 - value(share, 1) * (1 - queues_ / most_queues_);
        if (feature_ != Feature::DynamicThreshold) return 1;
        const double all = queues_ * value(share, 1);
        return all / (1 + all);
    }

  private:
    Feature feature_ = Feature::None;
    double low_ = 0, high_ = 1;  ///< range of the value or its logarithm
    double unit_ = 1;            ///< bytes per unit of depth
    double queues_ = 1;          ///< uplinks that most lossy bursts congest, or owners of reserves in them
    double most_queues_ = 0;     ///< most owners of reserves in a burst; 0: there are no reserves
};

}  // namespace watershed
