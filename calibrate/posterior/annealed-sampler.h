// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

/// Sampler of a posterior of any shape, with its evidence, and a search for the peak of a likelihood.
namespace watershed {

using Point = std::vector<double>;
using RandomBits = std::mt19937_64;

/// Returns a uniform number in (0, 1); the same on every machine.
inline double uniform(RandomBits& random) { return (double(random() >> 12) + 0.5) * 0x1p-52; }

/// Returns the nearest multiple of 2^-24. Numbers that decide on a move are rounded so, because the last bit of an
/// exponential differs between processors.
inline double rounded_to_decide(double value) {
    constexpr double kSteps = 0x1p24;
    return std::abs(value) < 0x1p28 ? std::nearbyint(value * kSteps) / kSteps : value;
}

/// Target of the sampler. The first `leading` coordinates are unbounded and strongly correlated, the others lie between
/// 0 and 1; those before `correlated` may be correlated with the first. Several threads calculate densities at a time.
struct AnnealedProblem {
    std::size_t dimensions = 0;
    std::size_t leading = 0;
    std::size_t correlated = 0;
    /// Unnormalised log density; its integral is the evidence. @param least  below this value any smaller number may be
    /// returned
    std::function<double(const Point&, double least)> log_target;
    std::function<double(const Point&)> log_start;  ///< normalised log density that covers the target
    std::function<Point(RandomBits&)> draw_start;
    double from_start = 0;  ///< fraction of moves that are drawn from the start density
    /// Move between points of about equal target density, reversible, or empty. @return log of the volume factor
    std::function<double(Point&, RandomBits&)> slide;
};

struct AnnealedSamples {
    std::vector<Point> points;        ///< equally weighted
    std::vector<double> log_targets;  ///< log target density of each point
    double log_evidence = 0;
};

struct AnnealedEffort {
    std::size_t particles = 400;
    int sweeps = 5;  ///< moves of each particle per step of the path
    int last = 7;    ///< pairs of sweeps over the target; the particles after each are kept
};

/// Runs sequential Monte Carlo (Del Moral, Doucet and Jasra, J. R. Stat. Soc. B 68, 2006) along a geometric path whose
/// steps leave half of the particles effective. Particles move by differences of others (ter Braak, Stat. Comput. 16,
/// 2006) and by single coordinates. Deterministic for one seed.
AnnealedSamples sample_annealed(const AnnealedProblem& problem, const AnnealedEffort& effort, std::uint64_t seed);

template <std::size_t N>
struct Peak {
    std::array<double, N> at{};
    double value = -HUGE_VAL;
};

/// Returns the largest value that differential evolution finds in a box: rand/1/bin (Storn and Price, Journal of Global
/// Optimization 11, 1997). Deterministic.
/// @param starts  members of the first generation; the others are uniform in the box
/// @param least   the search ends if a quarter of the generations has not reached this value
template <std::size_t N, class Function>
Peak<N> evolve(const Function& function, const std::array<double, N>& low, const std::array<double, N>& high,
               const std::vector<std::array<double, N>>& starts, std::size_t members, int generations,
               double least = -HUGE_VAL, std::uint64_t seed = 1) {
    constexpr double kCrossover = 0.9, kLeastStep = 0.4, kMostStep = 0.9,
                     kAlike = 0.1;  // the last: a difference of log likelihoods
    RandomBits random(seed);
    const auto pick = [&] { return std::size_t(uniform(random) * double(members)); };
    std::vector<Peak<N>> all(members);
    for (std::size_t m = 0; m < members; ++m) {
        for (std::size_t i = 0; i < N; ++i)
            all[m].at[i] = m < starts.size() ? std::clamp(starts[m][i], low[i], high[i])
                                             : low[i] + (high[i] - low[i]) * uniform(random);
        all[m].value = rounded_to_decide(function(all[m].at));
    }
    const auto lower = [](const Peak<N>& a, const Peak<N>& b) { return a.value < b.value; };
    for (int generation = 0; generation < generations; ++generation) {
        for (Peak<N>& one : all) {
            const Peak<N>&a = all[pick()], &b = all[pick()], &c = all[pick()];
            const double step = kLeastStep + (kMostStep - kLeastStep) * uniform(random);
            const std::size_t certain = std::size_t(uniform(random) * N);
            Peak<N> trial = one;
            for (std::size_t i = 0; i < N; ++i)
                if (i == certain || uniform(random) < kCrossover)
                    trial.at[i] = std::clamp(a.at[i] + step * (b.at[i] - c.at[i]), low[i], high[i]);
            trial.value = rounded_to_decide(function(trial.at));
            if (trial.value >= one.value) one = trial;
        }
        const auto [worst, best] = std::minmax_element(all.begin(), all.end(), lower);
        if (best->value - worst->value < kAlike || (generation == generations / 4 && best->value < least)) break;
    }
    return *std::max_element(all.begin(), all.end(), lower);
}

}  // namespace watershed
