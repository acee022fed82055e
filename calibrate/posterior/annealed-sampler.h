// SPDX-License-Identifier: GPL-2.0-only
#pragma once

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

}  // namespace watershed
