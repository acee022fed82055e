// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-models.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/closed-form/burst-sample.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

constexpr std::size_t kMostBursts = 60, kMostInOrders = 30, kMostFlags = 120;

std::vector<Burst> sample_for(const FeatureQuestion& question) {
    return sample_of(question.measured, !question.counts                             ? kMostFlags
                                        : question.feature == Feature::UnevenUplinks ? kMostInOrders
                                                                                     : kMostBursts);
}

Burst typical_of(const std::vector<Burst>& bursts) {
    std::map<int, std::size_t> lossy;
    for (const Burst& burst : bursts) lossy[burst.uplinks] += burst.lossy;
    const int most = std::max_element(lossy.begin(), lossy.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                     })->first;
    return *std::find_if(bursts.begin(), bursts.end(), [&](const Burst& burst) { return burst.uplinks == most; });
}

}  // namespace

FeatureModels::FeatureModels(const FeatureQuestion& question)
    : question_(question),
      sample_(sample_for(question)),
      typical_(typical_of(sample_)),
      scale_(question.feature, question.plain, question.bursts) {}

QueueModel FeatureModels::with(double value, AskingOrder order) const {
    QueueModel model = question_.plain.model;
    model.feature = question_.feature;
    model.value = value;
    model.order = order;
    return model;
}

Place FeatureModels::place(const QueueModel& model, Place plain) const {
    if (model.feature == Feature::DynamicThreshold && !question_.options.depth && !question_.options.depth_bounds)
        plain.depth /= typical_.uplinks * model.share_of_pool(typical_);
    return plain;
}

double FeatureModels::scatter_at(const QueueModel& model, const Place& place) const {
    constexpr double kLeast = 0.2887, kMedianOfNormal = 0.6745;  // of a number rounded down
    constexpr std::size_t kFewest = 4;
    std::vector<double> off, sure;  // the latter where the closed form is right to a frame
    for (const Burst& burst : sample_) {
        if (!burst.lossy || !burst.counted) continue;
        const double residual = std::abs(kept_residual(model, burst, place.depth, place.rate)),
                     unknown = count_uncertainty(model, burst, place.depth, place.rate);
        off.push_back(residual * kLeast / std::hypot(kLeast, unknown));
        if (unknown < 1) sure.push_back(residual);
    }
    if (sure.size() >= kFewest) off = sure;
    if (off.empty()) return kLeast;
    return std::max(kLeast, median(std::move(off)) / kMedianOfNormal);
}

}  // namespace watershed
