// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibrate/posterior/burst-law.h"

/// Whether what a fit leaves of the bursts looks like noise.
namespace watershed {

/// What is left of one burst, in standard deviations; positive: kept more frames (or lost none) against expectation.
struct Residual {
    int row = 0;
    double value = 0;
};

/// Whether neighbours in some order miss to the same side (Wald and Wolfowitz); repeats of a setting count once.
struct RunsTest {
    std::string order;  ///< "separation", "events" or "row"
    std::size_t residuals = 0, runs = 0;
    double p_value = 1;
};

struct Goodness {
    std::vector<Residual> residuals;  ///< where the outcome was open
    std::vector<RunsTest> runs;
    double deviance = 0;  ///< at the estimate
    int replicas = 0;     ///< maps simulated; 0 where too few bursts scatter to tell
    double p_value = 1;   ///< share of simulated maps that look at least as unusual as the measured one
    std::string unusual;  ///< in what the measured map is most unusual
};

/// Whether a map looks like those that the posterior of one kind of memory predicts (Rubin, Annals of Statistics 12,
/// 1984). Each burst's outcome becomes a normal number by the distribution that the posterior expects of it. Simulated
/// maps are drawn from points of the posterior and are not fitted again, so that the p-value is, if anything, too
/// large: a fit that is rejected is wrong.
Goodness predictive_check(const QueueModel& model, const std::vector<BurstParameters>& parameters,
                          const std::vector<BurstMix>& mixes, const std::vector<const Burst*>& bursts,
                          std::uint64_t seed, int replicas);

}  // namespace watershed
