// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/count-likelihood.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

/// Variance of a number rounded down from anywhere within one frame.
constexpr double kRounded = 1.0 / 12;
/// Variance of the part of a frame that links leave over: all uplinks begin at once, and each leaves the same.
double left_over(const Burst& burst) { return burst.events > 1 ? kRounded * burst.uplinks * burst.uplinks : 0; }
/// Variance of what a mix of ports and payload shares.
constexpr double kShared = kSystematic * kSystematic;
/// Logarithm of the normal density of one undisturbed count, beside its exponent and its variance.
const double kLogNormal = std::log1p(-kDisturbed) - 0.5 * std::log(2 * M_PI);

/// Frames by which a burst that is longer by a share of itself loses more.
double frames_per_length(const Burst& burst, double rate) {
    const double gaps = static_cast<double>(burst.events - 1), ports = static_cast<double>(burst.ports);
    const double growth = gaps > 0 ? std::max(0.0, ports - burst.uplinks * burst.drain() * rate / gaps) : ports;
    return growth * static_cast<double>(burst.events);
}

}  // namespace

std::vector<Nuisance> count_nuisances(const std::vector<Burst>& bursts, const CountFit& fit,
                                      const std::optional<KnownNoise>& known) {
    std::vector<double> sizes;
    for (const Burst& burst : bursts)
        if (burst.lossy && burst.counted) sizes.push_back(frames_per_length(burst, fit.rate));
    constexpr int kNoises = 11;
    const double kFactor = std::pow(2, 2.5);  // by which the noise may differ from the scatter about the straight line
    const double usual = sizes.empty() ? 1 : std::max(1.0, median(sizes));
    std::vector<Nuisance> nuisances;
    for (const bool relative : {false, true}) {
        if (known && known->relative != relative) continue;
        const double unit = relative ? usual : 1, least = fit.scatter / kFactor / unit,
                     most = fit.scatter * kFactor / unit;
        for (const double noise : noise_levels(known, least, most, kNoises))
            nuisances.push_back({noise, relative, 0, 0, 0});
    }
    for (Nuisance& nuisance : nuisances) nuisance.log_prior = -std::log(static_cast<double>(nuisances.size()));
    return nuisances;
}

CountLikelihood::CountLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, const CountFit& fit,
                                 std::vector<Nuisance> nuisances)
    : model_(model), nuisances_(std::move(nuisances)) {
    std::map<std::tuple<std::int64_t, int, std::int64_t>, std::map<std::pair<std::int64_t, std::int64_t>, Setting>>
        counted;
    for (const Burst& burst : bursts) {
        if (burst.lossy && burst.counted) {
            counted[{burst.ports, burst.uplinks, burst.payload}][{burst.spacing.count(), burst.events}]
                .repeats.push_back(burst);
        } else {
            const double none = 1 / static_cast<double>(burst.fragments() + 1);
            flags_.push_back({burst, frames_per_length(burst, fit.rate), burst.lossy ? 1 - none : none});
        }
    }
    for (auto& [key, settings] : counted) {
        Mix mix;
        for (auto& [place, setting] : settings) {
            const Burst& first = setting.repeats.front();
            set_laws(setting, frames_per_length(first, fit.rate),
                     std::pow(count_uncertainty(model, first, fit.depth, fit.rate), 2));
            mix.bursts += setting.repeats.size();
            mix.settings.push_back(std::move(setting));
        }
        mixes_.push_back(std::move(mix));
    }
}

double CountLikelihood::variance(std::size_t nuisance, double size) const {
    const double noise = nuisances_[nuisance].law().deviation(size);
    return noise * noise + kRounded;  // counts are whole numbers
}

void CountLikelihood::set_laws(Setting& setting, double size, double unknown) const {
    const Burst& burst = setting.repeats.front();
    const double n = static_cast<double>(setting.repeats.size()), rounding = left_over(burst) + unknown;
    setting.log_disturbed = std::log(kDisturbed / static_cast<double>(burst.fragments() + 1));
    for (std::size_t i = 0; i < nuisances_.size(); ++i) {
        const double one = variance(i, size);
        const double log_all =
            n * kLogNormal - ((n - 1) * std::log(one) + std::log(n) + std::log(rounding + one / n)) / 2;
        const double log_most = kLogNormal - std::log(rounding + one) / 2;
        setting.laws.push_back(
            {1 / one, rounding, log_all, 2 * (rounding + one) * std::max(0.0, log_most - setting.log_disturbed)});
    }
}

void CountLikelihood::add_mix(const Mix& mix, double depth, double rate, std::vector<double>& sums) const {
    std::vector<double> residuals;
    for (const Setting& setting : mix.settings)
        for (const Burst& burst : setting.repeats) residuals.push_back(kept_residual(model_, burst, depth, rate));
    const double middle = median(residuals);
    for (std::size_t i = 0; i < nuisances_.size(); ++i) {
        constexpr double kFarthest = 3 * kSystematic;
        const double centre = std::clamp(middle, -kFarthest, kFarthest);
        double log_sum = 0, weights = 0, weighted = 0;
        const double* residual = residuals.data();
        for (const Setting& setting : mix.settings) {
            const Law& law = setting.laws[i];
            double n = 0, sum = 0, squares = 0;
            for (std::size_t repeat = 0; repeat < setting.repeats.size(); ++repeat, ++residual) {
                const double off = *residual - centre;
                if (off * off <= law.reach)
                    ++n, sum += *residual, squares += *residual * *residual;
                else
                    log_sum += setting.log_disturbed;
            }
            if (n == 0) continue;
            const double all = static_cast<double>(setting.repeats.size()), mean = sum / n,
                         weight = 1 / (law.rounding + 1 / (law.precision * n));
            log_sum += n == all
                           ? law.log_one
                           : n * kLogNormal - (std::log(n) - (n - 1) * std::log(law.precision) - std::log(weight)) / 2;
            log_sum -= (law.precision * (squares - sum * mean) + weight * mean * mean) / 2;
            weights += weight;
            weighted += weight * mean;
        }
        sums[i] +=
            log_sum + (kShared * weighted * weighted / (1 + kShared * weights) - std::log1p(kShared * weights)) / 2;
    }
}

void CountLikelihood::add_flag(const Flag& flag, double depth, double rate, std::vector<double>& sums) const {
    // Bursts this far on the right side of the watershed say nothing.
    constexpr double kCertain = 6;
    const double missing = kept_residual(model_, flag.burst, depth, rate),
                 inside = flag.burst.lossy ? missing : -missing;
    const double rounding = left_over(flag.burst);
    for (std::size_t i = 0; i < nuisances_.size(); ++i) {
        const double total = variance(i, flag.size) + rounding + kShared;
        if (inside > 0 && inside * inside > kCertain * kCertain * total) continue;
        sums[i] += std::log((1 - kDisturbed) * below(inside / std::sqrt(total)) + kDisturbed * flag.disturbed);
    }
}

void CountLikelihood::add(double depth, double rate, std::vector<double>& sums) const {
    for (const Mix& mix : mixes_) add_mix(mix, depth, rate, sums);
    for (const Flag& flag : flags_) add_flag(flag, depth, rate, sums);
}

}  // namespace watershed
