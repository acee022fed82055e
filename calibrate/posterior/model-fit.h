// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/feasible-region.h"
#include "calibrate/posterior/nuisance-model.h"

/// Result of the fit of a loss map for one kind of memory.
namespace watershed {

enum class FitStatus {
    Separated,     ///< one threshold separates lossy from lossless bursts
    Overlap,       ///< no threshold does; the exceptions lie close to it: noise
    Inconsistent,  ///< no threshold does; some bursts contradict the others grossly
    Unbounded,     ///< only lossy or only lossless bursts: a one-sided limit
    Misfit         ///< no kind of memory explains the bursts, with any disturbance
};
inline std::string to_text(FitStatus status) {
    static const char* const kNames[] = {"separated", "overlap", "inconsistent", "unbounded", "misfit"};
    return kNames[int(status)];
}

/// Interval; std::nullopt is "no limit".
struct Interval {
    std::optional<double> low;
    std::optional<double> high;
};

/// Returns true if the intervals overlap.
inline bool meet(const Interval& a, const Interval& b) {
    return (!a.low || !b.high || *a.low <= *b.high) && (!b.low || !a.high || *b.low <= *a.high);
}

/// Weighted sample of depth and rate.
struct SupportPoint {
    double depth = 0;
    double rate = 0;
    double weight = 0;
    double value = 0;  ///< value of the model's feature, if it has one
};

struct Estimate {
    std::optional<double> value;  ///< median; std::nullopt if the data give a limit only
    Interval hard;                ///< limits of the feasible region
    Interval interval68;
    Interval interval95;
};

/// Weight beyond either end of a 68 % and of a 95 % interval.
constexpr double kTailOf68 = 0.16, kTailOf95 = 0.025;

/// @param quantile  function that returns the quantile of a probability
/// @param tail      weight beyond either end of the 95 % interval
template <class Quantile>
Estimate estimate_by(const Quantile& quantile, const Interval& hard = {}, double tail = kTailOf95) {
    return {quantile(0.5), hard, {quantile(kTailOf68), quantile(1 - kTailOf68)}, {quantile(tail), quantile(1 - tail)}};
}

/// Posterior sample of all parameters.
struct ParameterSample {
    BurstParameters parameters;
    double log_likelihood = 0;
    double log_prior =
        0;  ///< log density of ln(depth) and ln(rate); the other parameters are quantiles of their priors
};

/// Number of independent samples that know the mean of depth and of rate as well as the samples of a posterior do.
struct EffectiveSamples {
    double depth = 0, rate = 0;
};

/// Scatter of the bursts about the model.
struct NoiseEstimate {
    bool relative = true;         ///< true: of ln(burst length); false: of the number of lost frames
    std::optional<double> value;  ///< std::nullopt if the data give an upper limit only
    Interval interval95;
    double background = 0;  ///< mean probability of a loss without congestion
    bool known = false;     ///< true if given, not estimated
};

/// Disturbance beside the memory that changes the loss of a burst.
struct Disturbance {
    std::string name;        ///< "noise-frames", "noise-length", "loss", "loss-ahead", "bucket", "other-traffic",
                             ///< "drift", "stray-bursts"
    std::string unit;        ///< "frames", "of the length", "of the frames", "bytes", "of the uplink", "of the depth",
                             ///< "of the bursts"
    double probability = 0;  ///< probability that the disturbance is present
    std::optional<double> value;  ///< median if present
    Interval interval95;          ///< interval of the size, from 0 if it may be absent
    bool known = false;           ///< true if given, not estimated
};

/// Fit of one kind of memory.
struct ModelFit {
    QueueModel model;
    bool feasible = false;  ///< explains every burst (numbers of lost frames only if some model explains these)
    double probability = 0;
    double log_evidence = 0;            ///< log evidence of the map; -infinity if another kind alone is to explain it
    double error_of_log_evidence = 0;   ///< half the width of its 95 % interval
    double error_of_log_odds = 0;       ///< the same of the log odds against all other kinds
    double log_likelihood = -HUGE_VAL;  ///< largest value of a search, if there was one
    double work = 0;                    ///< cost of sampling, in likelihoods of a burst
    double undisturbed = 0;             ///< evidence of depths and rates that explain every count if nothing disturbs
    bool by_closed_form = true;  ///< some depths and rates explain the counts without excess loss of memories by input
    double log_prior = 0;        ///< log odds against a plain memory in frames or bytes
    FeasibleRegion region;       ///< region of the bursts outside of `violating`
    std::optional<double> scatter;       ///< standard deviation of numbers of lost frames, if they scatter
    std::vector<int> violating;          ///< rows that contradict the others
    std::vector<int> strays;             ///< violating rows that are strays with a probability above one half
    Estimate depth;                      ///< in the model's unit
    Estimate rate;                       ///< bit/s of one uplink
    double shallowest = 0, deepest = 0;  ///< probability of depths at either end of the searched range
    double correlation = 0;
    double error_of_ends = 0;               ///< sampling error of an end of a 95 % interval, as a fraction of its width
    std::vector<double> depths, rates;      ///< posterior samples, in any order
    std::vector<SupportPoint> support;      ///< some of them as pairs of depth and rate
    std::optional<SupportPoint> likeliest;  ///< posterior mode; medians of depth and rate need not be a likely pair
    std::vector<BurstMix> mixes;            ///< mixes of the constants in `parameters`
    std::vector<BurstParameters>
        parameters;  ///< posterior samples of all parameters, equally weighted; empty if bursts are taken at their word
    std::vector<ParameterSample> draws;  ///< posterior samples for joint draws; empty if none are kept
    std::size_t samples = 0;             ///< number of posterior samples
    EffectiveSamples effective;
    std::optional<NoiseEstimate> noise;
    std::vector<Disturbance> disturbances;
    std::optional<Estimate> feature;  ///< value of the model's feature, if it has one
};

}  // namespace watershed
