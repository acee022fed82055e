// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/soft-fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/burst-likelihood.h"
#include "calibrate/count-likelihood.h"
#include "calibrate/evolution.h"

namespace watershed {
namespace {

/// How likely it is, before anything is measured, that thresholds scatter at all. Few bursts that noise leaves separable by luck look like
/// those without noise; the less room for noise, the oftener do intervals of scattering switches fail, and the more, the wider those of
/// exact ones: test/calibrate/recovery.txt.
double scatters_at_all(const std::optional<KnownNoise>& known) {
    constexpr double kScatters = 0.9;
    return known && known->low > 0 ? 1 : kScatters;
}

Estimate estimate_of(const std::vector<SupportPoint>& points, double SupportPoint::*member, const Interval& hard) {
    std::vector<std::pair<double, double>> values;
    for (const SupportPoint& point : points) values.emplace_back(point.*member, point.weight);
    const auto quantile = [&](double share) { return weighted_quantile(values, share); };
    return {quantile(0.5), hard, {quantile(0.16), quantile(0.84)}, {quantile(0.025), quantile(0.975)}};
}

/// The noise of a kind below which a share of its posterior lies.
double noise_below(const GridPosterior& posterior, const std::vector<Nuisance>& nuisances, double share, bool relative = true) {
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
        if (nuisances[i].relative == noise.relative && nuisances[i].noise == least) mass += posterior.nuisance_weights[i];
    if (mass > kTail) noise.interval95.low = 0;
    return noise;
}

/// Relative width of a rate that a grid begins with at least.
constexpr double kLeastScale = 1e-6;

/// Depth and rate, whatever the noise, within what is known and some relative widths of where they are thought to be.
Peak<2> likeliest(const Likelihood& likelihood, const SearchBox& box, const std::array<double, 2>& from, const std::array<double, 2>& widths) {
    constexpr double kReach = 4;
    constexpr std::size_t kMembers = 24;
    constexpr int kGenerations = 60;
    std::array<double, 2> low = from, high = from;
    const auto open = [&](std::size_t i, double least, double most) { low[i] = std::max(least, from[i] * (1 - kReach * widths[i])), high[i] = std::min(most, from[i] * (1 + kReach * widths[i])); };
    if (!box.depth_known) open(0, static_cast<double>(box.depth_low), static_cast<double>(box.depth_high));
    if (!box.rate_known) open(1, box.rate_low, box.rate_high);
    const auto best = [&](const std::array<double, 2>& at) {
        std::vector<double> sums(likelihood.nuisances().size(), 0);
        likelihood.add(at[0], at[1], sums);
        return *std::max_element(sums.begin(), sums.end());
    };
    return evolve<2>(best, low, high, {from}, kMembers, kGenerations);
}

/// Seeks the place on a coarse grid first, and goes on with the noise that may be there.
GridPosterior posterior_of(FlagLikelihood likelihood, const SearchBox& box, double depth, double rate, double depth_width, double rate_width) {
    constexpr GridSteps kCoarse{8, 8};
    constexpr double kMore = 1.2, kLeastWidth = 1e-7;
    const GridPosterior coarse = grid_posterior(likelihood, box, depth, rate, depth_width, rate_width, kCoarse);
    if (coarse.points.empty()) return coarse;
    const std::vector<Nuisance> all = likelihood.nuisances();
    likelihood.keep_likely(coarse.nuisance_weights);
    double sum = 0, mean_depth = 0, mean_rate = 0;
    for (const SupportPoint& p : coarse.points) sum += p.weight, mean_depth += p.weight * p.depth, mean_rate += p.weight * p.rate;
    const RelativeWidths widths = widths_of(coarse.points);
    GridPosterior fine = grid_posterior(likelihood, box, mean_depth / sum, mean_rate / sum, std::max(kLeastWidth, kMore * widths.depth), std::max(kLeastWidth, kMore * widths.rate));
    fine.nuisance_weights = weights_of_all(all, likelihood.nuisances(), fine.nuisance_weights);
    return fine;
}

}  // namespace

void widen(std::vector<SupportPoint>& points, double SupportPoint::*member, double sigma) {
    if (sigma <= 0 || points.size() < 2) return;
    double sum = 0, mean = 0, square = 0;
    for (const SupportPoint& point : points) sum += point.weight, mean += point.weight * point.*member;
    mean /= sum;
    for (const SupportPoint& point : points) square += point.weight / sum * (point.*member - mean) * (point.*member - mean);
    if (square <= 0) return;   // known exactly
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

void estimate_from_noisy_flags(ModelFit& fit, const std::vector<Burst>& bursts, const SearchBox& box, const std::optional<KnownNoise>& known) {
    if (!fit.depth.value || !fit.rate.value || *fit.rate.value <= 0) return;
    const FlagLikelihood likelihood(fit.model, bursts, *fit.rate.value, known);
    GridPosterior posterior = posterior_of(likelihood, box, *fit.depth.value, *fit.rate.value, 0.02, 0.02);
    if (posterior.points.empty()) return;
    take(fit, std::move(posterior), likelihood.nuisances());
    fit.log_evidence += std::log(scatters_at_all(known));
}

void allow_for_noise(ModelFit& fit, const std::vector<Burst>& bursts, const SearchBox& box, const std::optional<KnownNoise>& known) {
    if (!fit.depth.value || !fit.rate.value || *fit.rate.value <= 0 || fit.support.empty()) return;
    const FlagLikelihood likelihood(fit.model, bursts, *fit.rate.value, known);
    const auto width = [](const Estimate& one) { return std::clamp((*one.interval95.high - *one.interval95.low) / 4 / *one.value, 1e-5, 0.1); };
    const GridPosterior noisy = posterior_of(likelihood, box, *fit.depth.value, *fit.rate.value, width(fit.depth), width(fit.rate));
    if (noisy.points.empty()) return;
    const double hard = fit.log_evidence + std::log(1 - scatters_at_all(known)), soft = noisy.log_evidence + std::log(scatters_at_all(known));
    const double most = std::max(hard, soft), sum = std::exp(hard - most) + std::exp(soft - most), scatters = std::exp(soft - most) / sum;
    fit.log_evidence = most + std::log(sum);
    double mass = 0;
    for (const SupportPoint& point : fit.support) mass += point.weight;
    for (SupportPoint& point : fit.support) point.weight *= (1 - scatters) / mass;
    for (SupportPoint point : noisy.points) point.weight *= scatters, fit.support.push_back(point);
    fit.depth = estimate_of(fit.support, &SupportPoint::depth, fit.depth.hard);
    fit.rate = estimate_of(fit.support, &SupportPoint::rate, fit.rate.hard);
    fit.correlation = correlation_of(fit.support);
    const NoiseEstimate noise = noise_of(noisy, likelihood.nuisances());
    fit.noise = noise;
    if (scatters >= 1 - kTail) return;
    fit.noise->value.reset();
    fit.noise->interval95 = {0, noise_below(noisy, likelihood.nuisances(), std::max(0.0, 1 - 2 * kTail / scatters))};
}

void estimate_from_noisy_counts(ModelFit& fit, const std::vector<Burst>& bursts, const SearchBox& box, const std::optional<KnownNoise>& known) {
    const CountFit& counts = *fit.counts;
    if (counts.depth < static_cast<double>(box.depth_low) || counts.rate <= 0) return;
    const CountLikelihood likelihood(fit.model, bursts, counts, count_nuisances(bursts, counts, known));
    double cost = 0;
    for (const Burst& burst : bursts) cost = std::max(cost, static_cast<double>(fit.model.cost(burst)));
    double depth = std::min(counts.depth, static_cast<double>(box.depth_high)), rate = std::min(counts.rate, box.rate_high);
    double depth_scale = counts.depth_sigma / counts.depth, rate_scale = std::max(counts.rate_sigma / counts.rate, kLeastScale);
    if (fit.model.unit != MemorySize::Unit::Frame) {
        // The straight line took the room that whole frames leave free for half a frame, and what it missed for noise: the peak may be so much
        // narrower that a grid would step over it.
        depth_scale = std::hypot(depth_scale, 0.3 * cost / counts.depth);
        const Peak<2> peak = likeliest(likelihood, box, {depth, rate}, {depth_scale, rate_scale});
        depth = peak.at[0], rate = peak.at[1];
        constexpr double kNarrower = 5;
        rate_scale = std::max(kLeastScale, rate_scale / kNarrower);
    }
    GridPosterior posterior = grid_posterior(likelihood, box, depth, rate, depth_scale, rate_scale);
    if (posterior.points.empty()) return;
    take(fit, std::move(posterior), likelihood.nuisances());
}

NoiseEstimate noise_limit(const ModelFit& fit, const std::vector<Burst>& bursts, const std::optional<KnownNoise>& known) {
    NoiseEstimate limit;
    limit.value.reset();
    if (!fit.depth.value || !fit.rate.value) return limit;
    const FlagLikelihood likelihood(fit.model, bursts, *fit.rate.value, known);
    std::vector<double> logs;
    for (const Nuisance& nuisance : likelihood.nuisances()) logs.push_back(nuisance.log_prior);
    likelihood.add(*fit.depth.value, *fit.rate.value, logs);
    const double most = *std::max_element(logs.begin(), logs.end());
    std::map<double, double> levels;
    for (std::size_t i = 0; i < logs.size(); ++i) levels[std::log(likelihood.nuisances()[i].noise)] += std::exp(logs[i] - most);
    const std::vector<std::pair<double, double>> values(levels.begin(), levels.end());
    limit.interval95 = {0, std::exp(weighted_quantile(values, 0.95))};
    return limit;
}

}  // namespace watershed
