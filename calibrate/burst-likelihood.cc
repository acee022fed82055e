// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/burst-likelihood.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "calibrate/log-products.h"

namespace watershed {
namespace {

constexpr double kLapse = 0.001;
/// Of larger maps a sample is looked at, and no more is claimed than it tells.
constexpr std::size_t kMostSettings = 350;
/// Of repeats that differ from day to day, beside those that do not.
constexpr double kDispersions[] = {0.1, 0.4};
/// Grid of log odds on which the likelihood of repeats is tabled.
constexpr double kMostLogOdds = 8;
constexpr int kLogOdds = 128;

double below(double sigmas) { return 0.5 * std::erfc(-sigmas * M_SQRT1_2); }

/// The same but for what no background would let show.
double below_or_certain(double sigmas) {
    constexpr double kCertain = 6;
    return sigmas > kCertain ? 1 : sigmas < -kCertain ? 0 : below(sigmas);
}

/// How often one setting was measured, and lost frames.
struct Tally {
    const Burst* burst = nullptr;
    int lossy = 0;
    int repeats = 0;
};

std::vector<Tally> tallies_of(const std::vector<Burst>& bursts) {
    std::vector<const Burst*> sorted;
    for (const Burst& burst : bursts) sorted.push_back(&burst);
    const auto setting = [](const Burst& burst) { return std::make_tuple(burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), burst.events); };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Burst* a, const Burst* b) { return setting(*a) < setting(*b); });
    std::vector<Tally> tallies;
    for (const Burst* burst : sorted) {
        if (tallies.empty() || setting(*tallies.back().burst) != setting(*burst)) tallies.push_back({burst, 0, 0});
        tallies.back().lossy += burst->lossy;
        ++tallies.back().repeats;
    }
    return tallies;
}

double log_ratio_of(const QueueModel& model, const Burst& burst, double depth, double rate) {
    const double threshold = threshold_events(model, burst, depth, rate);
    return std::isinf(threshold) ? -HUGE_VAL : std::log(static_cast<double>(burst.events) / threshold);
}

/// Far from the watershed every outcome is what any noise leaves of it: three times as far as the exceptions are, and so many there.
void keep_near(std::vector<Tally>& tallies, const QueueModel& model, double depth, double rate) {
    std::vector<double> log_ratios, exceptions;
    for (const Tally& tally : tallies) {
        const double log_ratio = log_ratio_of(model, *tally.burst, depth, rate);
        log_ratios.push_back(log_ratio);
        if (tally.lossy > 0 && log_ratio < 0) exceptions.push_back(-log_ratio);
        if (tally.lossy < tally.repeats && log_ratio > 0) exceptions.push_back(log_ratio);
    }
    constexpr double kLeast = 0.01, kTimes = 3;
    double reach = kLeast;
    if (!exceptions.empty()) {
        const auto middle = exceptions.begin() + static_cast<std::ptrdiff_t>(exceptions.size() / 2);
        std::nth_element(exceptions.begin(), middle, exceptions.end());
        reach = std::max(reach, kTimes * *middle);
    }
    std::vector<Tally> near, kept;
    for (std::size_t i = 0; i < tallies.size(); ++i)
        if (std::abs(log_ratios[i]) <= reach) near.push_back(tallies[i]);
    const std::size_t stride = near.size() / kMostSettings + 1;
    for (std::size_t i = 0; i < near.size(); i += stride) kept.push_back(near[i]);
    if (!kept.empty()) tallies.swap(kept);
}

}  // namespace

double kept_residual(const QueueModel& model, const Burst& burst, double depth, double rate) {
    return overflow(model, burst, depth, rate) - static_cast<double>(burst.counted ? burst.lost : 0);
}

FlagLikelihood::FlagLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, double depth, double rate, const std::optional<KnownNoise>& known) : model_(model) {
    std::vector<Tally> tallies = tallies_of(bursts);
    if (tallies.size() > kMostSettings) keep_near(tallies, model, depth, rate);
    for (const Tally& tally : tallies) settings_.push_back({*tally.burst, tally.lossy, tally.repeats, {}});
    // A few repeats among many settings tell nothing of how repeats differ.
    constexpr double kFewestRepeated = 0.05;
    const auto repeats = std::count_if(settings_.begin(), settings_.end(), [](const Setting& setting) { return setting.repeats > 1; });
    const bool repeated = static_cast<double>(repeats) > kFewestRepeated * static_cast<double>(settings_.size());
    for (Setting& setting : settings_)
        if (setting.repeats > 1) table(setting);
    log_prior_scale_ = log_spread_of_slopes(rate);
    // Noise of any size up to 30 % is as likely, the background about as Beta(1, 1000), over-dispersion an exception.
    constexpr int kNoises = 14;
    constexpr double kLeast = 0.001, kMost = 0.3, kNone = 1e-5;
    const std::vector<double> noises = noise_levels(known, kLeast, kMost, kNoises);
    const double sum = std::accumulate(noises.begin(), noises.end(), 0.0);
    constexpr std::pair<double, double> kBackgrounds[] = {{0.0005, 0.9}, {0.005, 0.085}, {0.03, 0.015}};
    for (const double noise : noises)
        for (const auto& [background, prior] : kBackgrounds)
            for (const double dispersion : {0.0, kDispersions[0], kDispersions[1]}) {
                if (dispersion > 0 && !repeated) continue;
                const double spread = !repeated ? 1 : dispersion == 0 ? 0.9 : 0.05;
                nuisances_.push_back({std::max(noise, kNone), true, background, dispersion, std::log(prior * spread * (noises.size() > 1 ? noise / sum : 1))});
            }
}

void FlagLikelihood::keep_likely(const std::vector<double>& weights) {
    constexpr double kNothing = 1e-5;
    std::vector<Nuisance> kept;
    for (std::size_t i = 0; i < nuisances_.size(); ++i)
        if (weights[i] > kNothing) kept.push_back(nuisances_[i]);
    nuisances_.swap(kept);
}

double FlagLikelihood::log_spread_of_slopes(double rate) const {
    constexpr double kMostLoad = 0.98;
    double sum = 0, squares = 0;
    for (const Setting& setting : settings_) {
        const Burst& burst = setting.burst;
        if (burst.events < 2) continue;
        const double load = std::min(kMostLoad, burst.uplinks * burst.drain() * rate / static_cast<double>((burst.events - 1) * burst.ports)), slope = load / (1 - load);
        sum += slope, squares += slope * slope;
    }
    const double n = static_cast<double>(settings_.size()), variance = squares / n - sum * sum / n / n;
    return variance > 1e-9 * squares / n ? 0.5 * std::log(variance) : 0;
}

double FlagLikelihood::log_prior(double /*depth*/, double rate) const { return log_spread_of_slopes(rate) - log_prior_scale_; }

void FlagLikelihood::table(Setting& setting) {
    const auto rising = [](double from, int factors) { return std::lgamma(from + factors) - std::lgamma(from); };
    for (const double dispersion : kDispersions) {
        std::vector<double> logs;
        for (int i = 0; i <= kLogOdds; ++i) {
            const double p = 1 / (1 + std::exp(kMostLogOdds * (1 - 2.0 * i / kLogOdds)));
            logs.push_back(rising(p / dispersion, setting.lossy) + rising((1 - p) / dispersion, setting.repeats - setting.lossy) - rising(1 / dispersion, setting.repeats));
        }
        setting.dispersed.push_back(std::move(logs));
    }
}

double FlagLikelihood::probability(double log_ratio, const Nuisance& nuisance) {
    return nuisance.background + (1 - nuisance.background - kLapse) * below(log_ratio / nuisance.noise);
}

void FlagLikelihood::add(double depth, double rate, std::vector<double>& sums) const {
    Products products(sums);
    for (const Setting& setting : settings_) {
        const double log_ratio = log_ratio_of(model_, setting.burst, depth, rate);
        const bool once = setting.repeats == 1, lossy = setting.lossy > 0;
        double noise = -1, congested = 0, p_before = -1, log_lossy = 0, log_lossless = 0;
        for (std::size_t i = 0; i < nuisances_.size(); ++i) {
            const Nuisance& nuisance = nuisances_[i];
            if (nuisance.noise != noise) noise = nuisance.noise, congested = below_or_certain(log_ratio / noise);
            const double p = nuisance.background + (1 - nuisance.background - kLapse) * congested;
            if (once) {
                products.multiply(i, lossy ? p : 1 - p);
                continue;
            }
            if (p != p_before) p_before = p, log_lossy = std::log(p), log_lossless = std::log1p(-p);
            if (nuisance.dispersion == 0)
                products.add_log(i, setting.lossy * log_lossy + (setting.repeats - setting.lossy) * log_lossless);
            else
                products.add_log(i, dispersed(setting, log_lossy - log_lossless, nuisance.dispersion == kDispersions[0] ? 0 : 1));
        }
    }
    products.finish();
}

double FlagLikelihood::dispersed(const Setting& setting, double log_odds, std::size_t dispersion) {
    const double at = std::clamp((log_odds / kMostLogOdds + 1) / 2 * kLogOdds, 0.0, kLogOdds - 1e-9), whole = std::floor(at);
    const auto i = static_cast<std::size_t>(whole);
    const std::vector<double>& logs = setting.dispersed[dispersion];
    return logs[i] + (at - whole) * (logs[i + 1] - logs[i]);
}

}  // namespace watershed
