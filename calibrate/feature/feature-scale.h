// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "calibrate/closed-form/fit-options.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// Values of a feature, in steps of equal prior probability.
class FeatureScale {
  public:
    FeatureScale(Feature feature, const ModelFit& plain, const std::vector<Burst>& bursts) {
        switch (feature) {
            case Feature::Descriptors: {
                // The limit of the small frames: between the rooms that the memory has for the largest and the smallest
                // frames, and somewhat beyond.
                double least = HUGE_VAL, most = 1;
                for (const Burst& burst : bursts) {
                    const double room =
                        std::max(1.0, *plain.depth.value / static_cast<double>(plain.model.cost(burst)));
                    least = std::min(least, room), most = std::max(most, room);
                }
                low_ = std::log(std::max(1.0, least / 4)), high_ = std::log(most * 4), logarithmic_ = whole_ = true;
                break;
            }
            case Feature::Resume: low_ = 0, high_ = 0.995; break;
            case Feature::DynamicThreshold: low_ = std::log(1.0 / 64), high_ = std::log(16), logarithmic_ = true; break;
            case Feature::UnevenUplinks: {
                int most = 2;
                for (const Burst& burst : bursts) most = std::max(most, burst.uplinks);
                low_ = 1.0 / most, high_ = 1;
                break;
            }
            case Feature::None: break;
        }
    }
    double low() const { return low_; }
    double high() const { return high_; }
    double value(double at) const {
        const double value = logarithmic_ ? std::exp(at) : at;
        return whole_ ? std::round(value) : value;
    }

  private:
    double low_ = 0, high_ = 1;
    bool logarithmic_ = false, whole_ = false;
};

}  // namespace watershed
