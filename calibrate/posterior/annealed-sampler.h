// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

/// Samples of a posterior, and its evidence, whatever its shape.
namespace watershed {

using Point = std::vector<double>;
using RandomBits = std::mt19937_64;

/// Between 0 and 1, neither included; the same on every machine.
inline double uniform(RandomBits& random) { return (static_cast<double>(random() >> 12) + 0.5) * 0x1p-52; }

/// The nearest multiple of 2^-24. What decides on a move is rounded so: else the last bit of an exponential, which
/// differs between processors, would now and then lead to other samples.
inline double rounded_to_decide(double value) {
    constexpr double kSteps = 0x1p24;
    return std::abs(value) < 0x1p28 ? std::nearbyint(value * kSteps) / kSteps : value;
}

/// A density over points of which the first `leading` coordinates are any numbers, strongly correlated, and the others
/// lie between 0 and 1; those before `correlated` may be correlated with the first.
struct AnnealedProblem {
    std::size_t dimensions = 0;
    std::size_t leading = 0;
    std::size_t correlated = 0;
    /// Not normalised: its sum is the evidence. @param least  where it is less, any smaller number will do
    std::function<double(const Point&, double least)> log_target;
    std::function<double(const Point&)> log_start;  ///< a normalised density that covers the target
    std::function<Point(RandomBits&)> draw_start;
    double from_start = 0;  ///< share of moves to anywhere by the start's density
    /// A move between points of about the same target, if there is one, and as probable there as back. @return log of
    /// the volume that it makes of one
    std::function<double(Point&, RandomBits&)> slide;
};

struct AnnealedSamples {
    std::vector<Point> points;        ///< all of one weight
    std::vector<double> log_targets;  ///< of the same
    double log_evidence = 0;
};

struct AnnealedEffort {
    std::size_t particles = 400;
    int sweeps = 5;  ///< moves of each particle from one distribution to the next
    int last = 7;    ///< pairs of sweeps over the target itself, each of which is kept
};

/// Sequential Monte Carlo (Del Moral, Doucet and Jasra, J. R. Stat. Soc. B 68, 2006) from the start to the target by a
/// geometric path, whose steps leave half of the particles effective. In between, particles move by differences of
/// others (ter Braak, Stat. Comput. 16, 2006), which follow correlations and widths by themselves, and single
/// coordinates anywhere. The same samples for the same seed.
AnnealedSamples sample_annealed(const AnnealedProblem& problem, const AnnealedEffort& effort, std::uint64_t seed);

// The largest value of a function that has many peaks, narrow ones among them.

template <std::size_t N>
struct Peak {
    std::array<double, N> at{};
    double value = -HUGE_VAL;
};

/// Differential evolution, rand/1/bin (Storn and Price, Journal of Global Optimization 11, 1997), within a box. The
/// same peak every time.
/// @param starts  members of the first generation; the others lie anywhere in the box
/// @param least   gives up where a quarter of the generations has not found as much
template <std::size_t N, class Function>
Peak<N> evolve(const Function& function, const std::array<double, N>& low, const std::array<double, N>& high,
               const std::vector<std::array<double, N>>& starts, std::size_t members, int generations,
               double least = -HUGE_VAL) {
    constexpr double kCrossover = 0.9, kLeastStep = 0.4, kMostStep = 0.9,
                     kAlike = 0.1;  // the last, of logarithms of likelihoods
    RandomBits random(1);
    const auto pick = [&] { return static_cast<std::size_t>(uniform(random) * static_cast<double>(members)); };
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
            const std::size_t certain = static_cast<std::size_t>(uniform(random) * N);
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
