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

/// What became of one campaign.
struct Outcome {
    bool bounded = false;                   ///< depth and rate have two-sided intervals; else nothing below
    bool right = false, undecided = false;  ///< model chosen, or at least a hundredth as likely as the chosen one
    bool depth68 = false, depth95 = false, rate68 = false, rate95 = false;  ///< truth inside
    double depth_pull = 0, rate_pull = 0;
};

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

/// Coverage, pulls and choices over the campaigns with one kind of noise, of one size or of all.
struct Tally {
    std::string noise;
    int bursts = 0;  ///< 0: all sizes
    int campaigns = 0;
    int right = 0, undecided = 0;
    int depth68 = 0, depth95 = 0, rate68 = 0, rate95 = 0;
    double depth_pulls = 0, depth_squares = 0, rate_pulls = 0, rate_squares = 0;

    void add(const Outcome& one) {
        if (!one.bounded) return;
        ++campaigns;
        right += one.right, undecided += one.undecided;
        depth68 += one.depth68, depth95 += one.depth95, rate68 += one.rate68, rate95 += one.rate95;
        depth_pulls += one.depth_pull, depth_squares += one.depth_pull * one.depth_pull;
        rate_pulls += one.rate_pull, rate_squares += one.rate_pull * one.rate_pull;
    }
    double variance(double sum, double squares) const {
        return squares / campaigns - sum * sum / campaigns / campaigns;
    }
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

inline Outcome judged(const Campaign& made, const Fit& fit) {
    Outcome outcome;
    for (const ModelFit& one : fit.models) {
        if (one.model.name() != made.truth.name() || !one.depth.value || !one.rate.value) continue;
        const auto inside = [](const Interval& interval, double value) {
            return *interval.low <= value && value <= *interval.high;
        };
        outcome.bounded = true;
        outcome.right = fit.best().model.name() == made.truth.name();
        outcome.undecided = !outcome.right && one.probability > 0.01 * fit.best().probability;
        outcome.depth68 = inside(one.depth.interval68, made.depth);
        outcome.depth95 = inside(one.depth.interval95, made.depth);
        outcome.rate68 = inside(one.rate.interval68, made.rate);
        outcome.rate95 = inside(one.rate.interval95, made.rate);
        outcome.depth_pull = pull(one.support, &SupportPoint::depth, made.depth);
        outcome.rate_pull = pull(one.support, &SupportPoint::rate, made.rate);
    }
    return outcome;
}

inline std::string to_text(const Outcome& one) {
    std::ostringstream out;
    out.precision(17);
    for (const bool flag : {one.bounded, one.right, one.undecided, one.depth68, one.depth95, one.rate68, one.rate95})
        out << flag << ' ';
    out << one.depth_pull << ' ' << one.rate_pull;
    return out.str();
}

inline Outcome outcome_from(const std::string& text) {
    Outcome one;
    std::istringstream in(text);
    for (bool* const flag :
         {&one.bounded, &one.right, &one.undecided, &one.depth68, &one.depth95, &one.rate68, &one.rate95})
        in >> *flag;
    in >> one.depth_pull >> one.rate_pull;
    return one;
}

/// By kind of noise each size, then all sizes, and in the end all of all kinds: the campaigns take turns over the kinds
/// and sizes, each with the next seed.
inline std::vector<Tally> study(int campaigns, std::uint64_t seed, const std::vector<int>& sizes, int jobs) {
    const std::vector<Noise> kinds = noises();
    const auto kind_of = [&](std::size_t i) { return i % kinds.size(); };
    const auto size_of = [&](std::size_t i) { return i / kinds.size() % sizes.size(); };
    const auto outcomes = do_in_processes(jobs, static_cast<std::size_t>(campaigns), [&](std::size_t i) {
        Noise kind = kinds[kind_of(i)];
        if (kind.drawn) kind.apparatus.noise.length = drawn_noise(seed + i);
        const Campaign made = campaign(kind.apparatus, seed + i, sizes[size_of(i)]);
        FitOptions options;
        options.noise = kind.known;
        return to_text(judged(made, fit_loss_map(made.map, default_conditions(), options)));
    });
    std::vector<Tally> tallies;
    Tally total{"all"};
    for (const std::string& outcome : outcomes) total.add(outcome_from(outcome));
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        Tally all{kinds[kind].name};
        for (std::size_t size = 0; size < sizes.size(); ++size) {
            Tally one{kinds[kind].name, sizes[size]};
            for (std::size_t i = 0; i < outcomes.size(); ++i)
                if (kind_of(i) == kind && size_of(i) == size)
                    one.add(outcome_from(outcomes[i])), all.add(outcome_from(outcomes[i]));
            tallies.push_back(one);
        }
        tallies.push_back(all);
    }
    tallies.push_back(total);
    return tallies;
}

inline void print(std::ostream& out, const std::vector<Tally>& tallies) {
    const auto pair = [&](double value, double error, int digits) {
        std::ostringstream text;
        text << std::fixed << std::setprecision(digits) << value << " +-" << error;
        out << std::setw(14) << text.str();
    };
    out << std::left << std::setw(24) << "noise" << std::right << std::setw(7) << "bursts";
    for (const char* const head : {"campaigns", "right", "undecided", "wrong"}) out << std::setw(10) << head;
    for (const char* const head : {"depth 68 %", "depth 95 %", "rate 68 %", "rate 95 %", "depth pull", "its variance",
                                   "rate pull", "its variance"})
        out << std::setw(14) << head;
    out << '\n';
    for (const Tally& t : tallies) {
        const double n = t.campaigns, error68 = std::sqrt(0.68 * 0.32 / n), error95 = std::sqrt(0.95 * 0.05 / n);
        out << std::left << std::setw(24) << t.noise << std::right << std::setw(7)
            << (t.bursts > 0 ? std::to_string(t.bursts) : "all") << std::setw(10) << t.campaigns << std::setw(10)
            << t.right << std::setw(10) << t.undecided << std::setw(10) << t.campaigns - t.right - t.undecided;
        pair(t.depth68 / n, error68, 3), pair(t.depth95 / n, error95, 3), pair(t.rate68 / n, error68, 3),
            pair(t.rate95 / n, error95, 3);
        pair(t.depth_pulls / n, 1 / std::sqrt(n), 2),
            pair(t.variance(t.depth_pulls, t.depth_squares), std::sqrt(2 / n), 2);
        pair(t.rate_pulls / n, 1 / std::sqrt(n), 2),
            pair(t.variance(t.rate_pulls, t.rate_squares), std::sqrt(2 / n), 2);
        out << '\n';
    }
}

}  // namespace watershed::recovery
