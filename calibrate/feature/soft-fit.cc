// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/soft-fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

Estimate estimate_of(const std::vector<SupportPoint>& points, double SupportPoint::*member, const Interval& hard) {
    std::vector<std::pair<double, double>> values;
    for (const SupportPoint& point : points) values.emplace_back(point.*member, point.weight);
    const auto quantile = [&](double share) { return weighted_quantile(values, share); };
    return {quantile(0.5), hard, {quantile(0.16), quantile(0.84)}, {quantile(0.025), quantile(0.975)}};
}

/// The noise of a kind below which a share of its posterior lies.
double noise_below(const GridPosterior& posterior, const std::vector<Nuisance>& nuisances, double share,
                   bool relative = true) {
    std::map<double, double> levels;
    for (std::size_t i = 0; i < nuisances.size(); ++i)
        if (nuisances[i].relative == relative) levels[std::log(nuisances[i].noise)] += posterior.nuisance_weights[i];
    return std::exp(weighted_quantile({levels.begin(), levels.end()}, share));
}

/// Of the weight, beyond either end of a 95 % interval.
constexpr double kTail = 0.025;

NoiseEstimate noise_of(const GridPosterior& posterior, const std::vector<Nuisance>& nuisances) {
    double relative = 0, background = 0;
    for (std::size_t i = 0; i < nuisances.size(); ++i) {
        relative += nuisances[i].relative ? posterior.nuisance_weights[i] : 0;
        background += nuisances[i].background * posterior.nuisance_weights[i];
    }
    NoiseEstimate noise;
    noise.relative = relative >= 0.5;
    noise.background = background;
    const auto quantile = [&](double share) { return noise_below(posterior, nuisances, share, noise.relative); };
    noise.value = quantile(0.5);
    noise.interval95 = {quantile(kTail), quantile(1 - kTail)};
    // Noise of less than the least that was looked at is no less likely than that.
    double least = HUGE_VAL, mass = 0;
    for (const Nuisance& nuisance : nuisances)
        if (nuisance.relative == noise.relative) least = std::min(least, nuisance.noise);
    for (std::size_t i = 0; i < nuisances.size(); ++i)
        if (nuisances[i].relative == noise.relative && nuisances[i].noise == least)
            mass += posterior.nuisance_weights[i];
    if (mass > kTail) noise.interval95.low = 0;
    return noise;
}

}  // namespace

void widen(std::vector<SupportPoint>& points, double SupportPoint::*member, double sigma) {
    if (sigma <= 0 || points.size() < 2) return;
    double sum = 0, mean = 0, square = 0;
    for (const SupportPoint& point : points) sum += point.weight, mean += point.weight * point.*member;
    mean /= sum;
    for (const SupportPoint& point : points)
        square += point.weight / sum * (point.*member - mean) * (point.*member - mean);
    if (square <= 0) return;  // known exactly
    const double wider = std::sqrt(1 + sigma * sigma / square);
    for (SupportPoint& point : points) point.*member = mean + wider * (point.*member - mean);
}

void take(ModelFit& fit, GridPosterior posterior, const std::vector<Nuisance>& nuisances) {
    fit.log_evidence = posterior.log_evidence;
    fit.noise = noise_of(posterior, nuisances);
    fit.support = std::move(posterior.points);
    fit.depth = estimate_of(fit.support, &SupportPoint::depth, fit.depth.hard);
    fit.rate = estimate_of(fit.support, &SupportPoint::rate, fit.rate.hard);
    fit.correlation = correlation_of(fit.support);
}

}  // namespace watershed
