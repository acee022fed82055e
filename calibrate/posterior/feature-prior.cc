// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/feature-prior.h"

#include <algorithm>
#include <map>
#include <set>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

// Priors that calibrate/README.md states.
constexpr double kFeature = 0.1;
constexpr double kLeastForEach = 64, kMostForEach = 16'384;  // bytes of memory per descriptor
constexpr double kMostResume = 0.995;                        // as a fraction of the full queue
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
    std::set<std::int64_t> ports, uplinks;
    for (const Burst& burst : bursts)
        if (burst.lossy) ports.insert(burst.ports), uplinks.insert(burst.uplinks);
    if (ports.size() > 1) visible.push_back(Feature::Reserve);
    // A dynamic threshold explains any two numbers as well.
    if (uplinks.size() > 2) visible.push_back(Feature::OutputReserve);
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
        case Feature::DynamicThreshold: low_ = std::log(kLeastAlpha), high_ = std::log(kMostAlpha); break;
        case Feature::UnevenUplinks: low_ = 1.0 / largest(bursts, &Burst::uplinks, 2); break;
        case Feature::Reserve:
        case Feature::OutputReserve: most_queues_ = double(model.owners); break;
    }
    std::map<double, std::size_t> lossy;
    for (const Burst& burst : bursts) lossy[model.owners_in(burst)] += burst.lossy;
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (!lossy.empty()) queues_ = std::max_element(lossy.begin(), lossy.end(), fewer)->first;
}

}  // namespace watershed
