// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/curve.h"

#include <algorithm>
#include <cmath>

namespace watershed {
namespace {

constexpr int kPoints = 80;
constexpr std::int64_t kAnyLength = INT64_MAX;

std::optional<std::int64_t> finite(std::int64_t events) { return events == kAnyLength ? std::nullopt : std::make_optional(events); }

std::int64_t quantile(const std::vector<std::pair<std::int64_t, double>>& sorted, double share) {
    double total = 0, sum = 0;
    for (const auto& [events, weight] : sorted) total += weight;
    for (const auto& [events, weight] : sorted)
        if ((sum += weight) >= share * total) return events;
    return sorted.back().first;
}

}  // namespace

Curve fitted_curve(const Fit& fit) {
    Curve curve;
    const ModelFit& best = fit.best();
    const Burst& like = *std::min_element(fit.bursts.begin(), fit.bursts.end(), [](const Burst& a, const Burst& b) { return a.row < b.row; });
    if (!best.rate.value || *best.rate.value <= 0) return curve;
    const double inputs = static_cast<double>(best.model.fullest(like));
    const double asymptote = inputs * 8e12 * static_cast<double>(like.wire) / *best.rate.value;
    curve.asymptote = Time{static_cast<std::int64_t>(std::ceil(asymptote))};
    if (!best.depth.value) return curve;
    const double slot = std::ceil(8e12 * static_cast<double>(like.wire) / static_cast<double>(fit.conditions.link_rate.count));
    double least = asymptote;
    for (const Burst& burst : fit.bursts) least = std::min(least, static_cast<double>(burst.spacing.count()));
    const double first = std::max(slot, std::min(least, asymptote / 10));
    if (first >= asymptote) return curve;
    for (int i = 0; i < kPoints; ++i) {
        // Denser towards the asymptote, where the curve is steep.
        const double rest = 1 - static_cast<double>(i) / kPoints;
        CurvePoint point;
        point.separation = Time{static_cast<std::int64_t>(asymptote - (asymptote - first) * rest * rest)};
        const auto longest = [&](double depth, double rate, double value) {
            QueueModel model = best.model;
            model.value = value;
            return longest_lossless(model, like, point.separation, depth, rate).value_or(kAnyLength);
        };
        point.events = finite(longest(*best.depth.value, *best.rate.value, best.model.value));
        std::vector<std::pair<std::int64_t, double>> lengths;
        for (const SupportPoint& support : best.support) lengths.emplace_back(longest(support.depth, support.rate, support.value), support.weight);
        std::sort(lengths.begin(), lengths.end());
        point.events_low = finite(quantile(lengths, 0.025));
        point.events_high = finite(quantile(lengths, 0.975));
        curve.points.push_back(point);
    }
    return curve;
}

}  // namespace watershed
