// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

constexpr std::size_t kPoints = 80;
constexpr std::int64_t kEndless = INT64_MAX;

std::optional<std::int64_t> finite(std::int64_t events) {
    return events == kEndless ? std::nullopt : std::make_optional(events);
}

}  // namespace

std::vector<Burst> mixes_of(const Fit& fit) {
    constexpr std::size_t kMost = 6;
    struct Mix {
        std::size_t bursts = 0;
        Burst first;
    };
    std::map<std::tuple<std::int64_t, std::int64_t, int>, Mix> all;
    for (const Burst& burst : fit.bursts) {
        Mix& mix = all.try_emplace({burst.ports, burst.payload, burst.uplinks}, Mix{0, burst}).first->second;
        ++mix.bursts;
        if (burst.row < mix.first.row) mix.first = burst;
    }
    std::vector<Mix> mixes = transformed_values(all, [](const auto& one) { return one.second; });
    boost::sort(mixes, [](const Mix& a, const Mix& b) {  // as largest_row
        return std::make_tuple(-a.first.payload, a.first.row) < std::make_tuple(-b.first.payload, b.first.row);
    });
    std::stable_sort(std::next(mixes.begin()), mixes.end(),
                     [](const Mix& a, const Mix& b) { return a.bursts > b.bursts; });
    std::vector<Burst> firsts;
    for (std::size_t i = 0; i < std::min(mixes.size(), kMost); ++i) firsts.push_back(mixes[i].first);
    return firsts;
}

Curve fitted_curve(const Fit& fit, const Burst& like) {
    Curve curve;
    const ModelFit& best = fit.best();
    if (!best.rate.value || *best.rate.value <= 0) return curve;
    const double inputs = double(best.model.fullest(like));
    const double asymptote = inputs * bit_picoseconds(like.wire) / *best.rate.value;
    curve.asymptote = Time{std::int64_t(std::ceil(asymptote))};
    if (!best.depth.value) return curve;
    const double slot = std::ceil(bit_picoseconds(like.wire) / double(fit.conditions.link_rate.count));
    double least = asymptote;
    for (const Burst& burst : fit.bursts) least = std::min(least, double(burst.spacing.count()));
    const double first = std::max(slot, std::min(least, asymptote / 10));
    if (first >= asymptote) return curve;
    curve.points.resize(kPoints);
    do_in_threads(kPoints, [&](std::size_t i) {
        // Denser towards the asymptote, where the curve is steep.
        const double rest = 1 - double(i) / kPoints;
        CurvePoint& point = curve.points[i];
        point.separation = Time{std::int64_t(asymptote - (asymptote - first) * rest * rest)};
        const auto longest = [&](double depth, double rate, double value) {
            QueueModel model = best.model;
            model.value = value;
            return longest_lossless(model, like, point.separation, depth, rate).value_or(kEndless);
        };
        point.events = finite(longest(*best.depth.value, *best.rate.value, best.model.value));
        std::vector<std::pair<std::int64_t, double>> lengths;
        for (const SupportPoint& support : best.support)
            lengths.emplace_back(longest(support.depth, support.rate, support.value), support.weight);
        boost::sort(lengths);
        point.events_low = finite(empirical_quantile(lengths, 0.025));
        point.events_high = finite(empirical_quantile(lengths, 0.975));
    });
    return curve;
}

}  // namespace watershed
