// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <iomanip>
#include <optional>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/advice/campaign.h"
#include "calibrate/fit/fit.h"
#include "calibrate/posterior/statistics.h"
#include "scenarios/sweep/workers.h"
#include "test/calibrate/measure-all.h"

/// Simulated measuring campaigns against hidden switches, and whether the fit finds what is hidden.
namespace watershed::recovery {

struct Noise {
    std::string name;
    SetupImperfections apparatus;
    std::optional<KnownNoise> known{};  ///< what the fit is told of it
    bool drawn =
        false;  ///< of a size that differs from campaign to campaign, as the fit supposes it where it is not told
};

/// Lossy or lossless bursts, their noise told to the fit and not, and counts.
inline std::vector<Noise> noises() {
    std::vector<Noise> all;
    const auto add = [&](const std::string& name, double of_length, double frames, bool told) {
        Noise one{name, {}};
        one.apparatus.counts = frames > 0;
        one.apparatus.noise.length = of_length;
        one.apparatus.noise.frames = frames;
        if (told) one.known = frames > 0 ? KnownNoise{frames, frames, false} : KnownNoise{of_length, of_length, true};
        all.push_back(std::move(one));
    };
    add("flags, exact, told", 0, 0, true);
    add("flags, 2 %, told", 0.02, 0, true);
    add("flags, 6 %, told", 0.06, 0, true);
    add("flags, 0 to 10 %", 0, 0, false);
    all.back().drawn = true;
    add("flags, exact", 0, 0, false);
    add("flags, 2 %", 0.02, 0, false);
    add("flags, 6 %", 0.06, 0, false);
    add("counts, 3 frames, told", 0, 3, true);
    add("counts, 3 frames", 0, 3, false);
    add("counts, 20 frames", 0, 20, false);
    return all;
}

/// How far above the truth a posterior lies: minus the normal quantile of its probability below the truth, so that any
/// posterior, skewed or not, has pulls of mean 0 and variance 1 where its intervals hold what they say. At most 4,
/// where the grids end.
inline double pull(const std::vector<SupportPoint>& support, double SupportPoint::*member, double truth) {
    std::vector<std::pair<double, double>> values;
    for (const SupportPoint& point : support) values.emplace_back(point.*member, point.weight);
    constexpr double kMost = 4;
    const boost::math::normal normal;
    double low = -kMost, high = kMost;
    constexpr int kHalvings = 12;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (weighted_quantile(values, boost::math::cdf(normal, middle)) < truth ? low : high) = middle;
    }
    return -(low + high) / 2;
}

/// Coverage, pulls and choices over campaigns.
struct Tally {
    int campaigns = 0;             ///< of which depth and rate have two-sided intervals; others count nowhere
    int right = 0, undecided = 0;  ///< model chosen, or at least a hundredth as likely as the chosen one
    int depth68 = 0, depth95 = 0, rate95 = 0;  ///< truth inside
    double depth_squares = 0;                  ///< of pulls
};

inline double between(std::mt19937_64& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random() >> 12) + 0.5) * std::exp2(-52);
}

/// A switch that nobody is told, and what was measured of it.
struct Campaign {
    QueueModel truth;
    double depth = 0;
    double rate = 0;
    LossMap map;
};

/// Bursts around the watershed that is expected of a switch of random kind. What it has differs: where bursts lie must
/// not tell the truth, or the fit, which cannot know this, is judged by what it was not told.
inline Campaign campaign(const SetupImperfections& apparatus, std::uint64_t seed, int bursts) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::size_t n) {
        return static_cast<std::size_t>(between(random, 0, static_cast<double>(n)));
    };
    Campaign made;
    QueueModel& truth = made.truth;
    truth.sharing = pick(2) ? Buffer::Sharing::Shared : Buffer::Sharing::PerInput;
    truth.unit = pick(2) ? MemorySize::Unit::Frame : MemorySize::Unit::Byte;
    double expected_depth = between(random, 30'000, 60'000);
    if (truth.sharing == Buffer::Sharing::PerInput) expected_depth /= 40;
    if (truth.unit == MemorySize::Unit::Byte) expected_depth *= between(random, 700, 800);
    const double expected_rate = between(random, 9e9, 11e9);
    constexpr double kDepthOff = 0.15, kRateOff = 0.03;
    made.depth = std::floor(expected_depth * std::exp(between(random, -kDepthOff, kDepthOff)));
    made.rate = std::floor(expected_rate * std::exp(between(random, -kRateOff, kRateOff)));
    Scenario hidden;
    hidden.network_switch.buffer.sharing = truth.sharing;
    hidden.network_switch.buffer.size = {static_cast<std::int64_t>(made.depth), truth.unit};
    hidden.network_switch.uplink_rate = BitRate{static_cast<std::int64_t>(made.rate)};
    SetupImperfections disturbed = apparatus;
    disturbed.seed = seed;
    constexpr double kLengthOff = 0.4;
    std::vector<BurstSetting> wanted;
    for (int i = 0; i < bursts; ++i) {
        Burst like;
        like.ports = pick(2) ? 30 : 44;
        like.payload = pick(2) ? 512 : 1024;
        like.wire = like.payload + 66;
        like.buffer = like.payload + 46;
        const double saturation = static_cast<double>(like.ports * like.wire) * 8e12 / expected_rate,
                     least = static_cast<double>(like.wire) * 8e12 / 1e9;
        const Time separation{
            10'000 * std::llround(std::max(least + 10'000, between(random, 0.25, 0.85) * saturation) / 10'000)};
        const double longest =
            static_cast<double>(*longest_lossless(truth, like, separation, expected_depth, expected_rate));
        wanted.push_back(
            {static_cast<int>(like.ports), Bytes{like.payload}, separation,
             std::max<std::int64_t>(2, std::llround(longest * std::exp(between(random, -kLengthOff, kLengthOff))))});
    }
    made.map = {"campaign", measure_all(SimulatedSwitch(hidden, disturbed), wanted)};
    return made;
}

/// One fit in ten supposes no noise and nine any up to 30 % alike: of those up to 10 % that is one in four, and three
/// with any.
inline double drawn_noise(std::uint64_t seed) {
    std::mt19937_64 random(~seed);
    return between(random, 0, 1) < 0.25 ? 0 : between(random, 0, 0.1);
}

inline void add(Tally& tally, const Campaign& made, const Fit& fit) {
    for (const ModelFit& one : fit.models) {
        if (one.model.name() != made.truth.name() || !one.depth.value || !one.rate.value) continue;
        const auto inside = [](const Interval& interval, double value) {
            return *interval.low <= value && value <= *interval.high;
        };
        const bool right = fit.best().model.name() == made.truth.name();
        ++tally.campaigns;
        tally.right += right;
        tally.undecided += !right && one.probability > 0.01 * fit.best().probability;
        tally.depth68 += inside(one.depth.interval68, made.depth);
        tally.depth95 += inside(one.depth.interval95, made.depth);
        tally.rate95 += inside(one.rate.interval95, made.rate);
        tally.depth_squares += std::pow(pull(one.support, &SupportPoint::depth, made.depth), 2);
        return;
    }
}

/// The campaigns take turns over the kinds of noise, each with the next seed.
inline Tally study(std::size_t campaigns, std::uint64_t seed, int bursts) {
    const std::vector<Noise> kinds = noises();
    Tally tally;
    for (std::size_t i = 0; i < campaigns; ++i) {
        Noise kind = kinds[i % kinds.size()];
        if (kind.drawn) kind.apparatus.noise.length = drawn_noise(seed + i);
        const Campaign made = campaign(kind.apparatus, seed + i, bursts);
        FitOptions options;
        options.noise = kind.known;
        add(tally, made, fit_loss_map(made.map, default_conditions(), options));
    }
    return tally;
}

}  // namespace watershed::recovery
