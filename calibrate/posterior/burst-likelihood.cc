// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/burst-likelihood.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "calibrate/posterior/log-products.h"
#include "calibrate/posterior/rate-prior.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

constexpr double kLapse = 0.001;
/// Of repeats that differ from day to day, beside those that do not.
constexpr double kDispersions[] = {0.1, 0.4};
/// Grid of log odds on which the likelihood of repeats is tabled.
constexpr double kMostLogOdds = 8;
constexpr int kLogOdds = 128;

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
    const auto setting = [](const Burst& burst) {
        return std::make_tuple(burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), burst.events);
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Burst* a, const Burst* b) { return setting(*a) < setting(*b); });
    std::vector<Tally> tallies;
    for (const Burst* burst : sorted) {
        if (tallies.empty() || setting(*tallies.back().burst) != setting(*burst)) tallies.push_back({burst, 0, 0});
        tallies.back().lossy += burst->lossy;
        ++tallies.back().repeats;
    }
    return tallies;
}

/// Between two entries of a table over log odds.
struct TablePlace {
    std::size_t below = 0;
    double part = 0;
    double in(const std::vector<double>& table) const {
        return table[below] + part * (table[below + 1] - table[below]);
    }
};

TablePlace table_place(double log_odds) {
    const double at = std::clamp((log_odds / kMostLogOdds + 1) / 2 * kLogOdds, 0.0, kLogOdds - 1e-9);
    const auto below = static_cast<std::size_t>(at);
    return {below, at - static_cast<double>(below)};
}

double log_ratio_of(const QueueModel& model, const Burst& burst, double depth, double rate) {
    const double threshold = threshold_events(model, burst, depth, rate);
    return std::isinf(threshold) ? -HUGE_VAL : std::log(static_cast<double>(burst.events) / threshold);
}

}  // namespace

double kept_residual(const QueueModel& model, const Burst& burst, double depth, double rate) {
    return overflow(model, burst, depth, rate) - static_cast<double>(burst.counted ? burst.lost : 0);
}

FlagLikelihood::FlagLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, double rate,
                               const std::optional<KnownNoise>& known)
    : model_(model) {
    for (const Tally& tally : tallies_of(bursts)) settings_.push_back({*tally.burst, tally.lossy, tally.repeats, {}});
    // A few repeats among many settings tell nothing of how repeats differ.
    constexpr double kFewestRepeated = 0.05;
    const auto repeats =
        std::count_if(settings_.begin(), settings_.end(), [](const Setting& setting) { return setting.repeats > 1; });
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
                nuisances_.push_back({std::max(noise, kNone), true, background, dispersion,
                                      std::log(prior * spread * (noises.size() > 1 ? noise / sum : 1))});
            }
}

void FlagLikelihood::keep_likely(const std::vector<double>& weights) { nuisances_ = likely(nuisances_, weights); }

FlagLikelihood FlagLikelihood::of(const QueueModel& model) const {
    FlagLikelihood other = *this;
    other.model_ = model;
    return other;
}

double FlagLikelihood::log_spread_of_slopes(double rate) const {
    std::vector<double> sent;
    for (const Setting& setting : settings_) sent.push_back(sent_per_rate(setting.burst));
    return watershed::log_spread_of_slopes(sent, rate);
}

double FlagLikelihood::log_prior(double /*depth*/, double rate) const {
    return log_spread_of_slopes(rate) - log_prior_scale_;
}

void FlagLikelihood::table(Setting& setting) {
    const auto rising = [](double from, int factors) { return std::lgamma(from + factors) - std::lgamma(from); };
    for (const double dispersion : kDispersions) {
        std::vector<double> logs;
        for (int i = 0; i <= kLogOdds; ++i) {
            const double p = 1 / (1 + std::exp(kMostLogOdds * (1 - 2.0 * i / kLogOdds)));
            logs.push_back(rising(p / dispersion, setting.lossy) +
                           rising((1 - p) / dispersion, setting.repeats - setting.lossy) -
                           rising(1 / dispersion, setting.repeats));
        }
        setting.dispersed.push_back(std::move(logs));
    }
}

double FlagLikelihood::probability(double log_ratio, const Nuisance& nuisance) {
    return nuisance.background + (1 - nuisance.background - kLapse) * nuisance.law().over_threshold(log_ratio);
}

void FlagLikelihood::add(double depth, double rate, std::vector<double>& sums) const {
    Products products(sums);
    for (const Setting& setting : settings_) {
        const double log_ratio = log_ratio_of(model_, setting.burst, depth, rate);
        const bool once = setting.repeats == 1, lossy = setting.lossy > 0;
        double noise = -1, congested = 0, p_before = -1, log_lossy = 0, log_lossless = 0;
        TablePlace place;
        for (std::size_t i = 0; i < nuisances_.size(); ++i) {
            const Nuisance& nuisance = nuisances_[i];
            if (nuisance.noise != noise) noise = nuisance.noise, congested = below_or_certain(log_ratio / noise);
            const double p = nuisance.background + (1 - nuisance.background - kLapse) * congested;
            if (once) {
                products.multiply(i, lossy ? p : 1 - p);
                continue;
            }
            if (p != p_before)
                p_before = p, log_lossy = std::log(p), log_lossless = std::log1p(-p),
                place = table_place(log_lossy - log_lossless);
            if (nuisance.dispersion == 0)
                products.add_log(i, setting.lossy * log_lossy + (setting.repeats - setting.lossy) * log_lossless);
            else
                products.add_log(i, place.in(setting.dispersed[nuisance.dispersion == kDispersions[0] ? 0 : 1]));
        }
    }
    products.finish();
}

}  // namespace watershed
