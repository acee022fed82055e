// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-fit.h"

#include <algorithm>

#include "calibrate/feature/feature-posterior.h"

namespace watershed {

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

std::optional<ModelFit> fit_feature(const FeatureQuestion& question) {
    const ModelFit& plain = question.plain;
    if (!plain.depth.value || !plain.rate.value || *plain.rate.value <= 0) return std::nullopt;
    ModelFit start = plain;
    // What a plain memory makes of numbers of lost frames may be no memory at all; lossy and lossless bursts limit it
    // all the same.
    if (*start.depth.value < 1)
        start.depth.value = plain.depth.hard.high ? plain.depth.hard.high : plain.depth.hard.low;
    if (!start.depth.value || *start.depth.value < 1) return std::nullopt;
    const FeatureModels models(
        {start, question.feature, question.bursts, question.measured, question.options, question.counts});
    const auto found = search_feature(models);
    return found ? feature_posterior(models, *found) : std::nullopt;
}

}  // namespace watershed
