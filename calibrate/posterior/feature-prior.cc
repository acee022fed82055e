// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/posterior/parameter-prior.h"

namespace watershed {
namespace {

// calibrate/README.md states these priors.
constexpr double kFeature = 0.1;
constexpr double kLeastForEach = 64, kMostForEach = 16'384;  // bytes of memory for a descriptor
constexpr double kMostResume = 0.995;                        // of what a queue held
constexpr double kLeastAlpha = 1.0 / 64, kMostAlpha = 16;

}  // namespace

double log_odds_of_feature() { return std::log(kFeature); }

std::vector<Feature> visible_features(const QueueModel& plain, const std::vector<Burst>& bursts) {
    std::vector<Feature> visible;
    if (plain.pools() != QueueModel::Pools::All || bursts.empty()) return visible;
    const Burst& first = bursts.front();
    const auto any = [&](auto holds) { return std::any_of(bursts.begin(), bursts.end(), holds); };
    const bool payloads = any([&](const Burst& burst) { return burst.payload != first.payload; });
    if (payloads && plain.unit != MemorySize::Unit::Frame) visible.push_back(Feature::Descriptors);
    if (any([](const Burst& burst) { return burst.lossy && burst.counted; })) visible.push_back(Feature::Resume);
    if (any([&](const Burst& burst) { return burst.uplinks != first.uplinks; }))
        visible.push_back(Feature::DynamicThreshold);
    if (any([](const Burst& burst) { return burst.uplinks > 1; })) visible.push_back(Feature::UnevenUplinks);
    return visible;
}

FeaturePrior::FeaturePrior(const QueueModel& model, const std::vector<Burst>& bursts) : feature_(model.feature) {
    switch (feature_) {
        case Feature::None: break;
        case Feature::Descriptors:
            low_ = std::log(kLeastForEach), high_ = std::log(kMostForEach);
            unit_ = model.unit == MemorySize::Unit::Cell ? double(model.cell) : 1;
            break;
        case Feature::Resume: high_ = kMostResume; break;
        case Feature::DynamicThreshold: {
            low_ = std::log(kLeastAlpha), high_ = std::log(kMostAlpha);
            std::map<int, std::size_t> lossy;
            for (const Burst& burst : bursts) lossy[burst.uplinks] += burst.lossy;
            uplinks_ = std::max_element(lossy.begin(), lossy.end(), [](const auto& a, const auto& b) {
                           return a.second < b.second;
                       })->first;
            break;
        }
        case Feature::UnevenUplinks: {
            int most = 2;
            for (const Burst& burst : bursts) most = std::max(most, burst.uplinks);
            low_ = 1.0 / most;
            break;
        }
    }
}

}  // namespace watershed
