// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/feasible-region.h"
#include "calibrate/posterior/nuisance-model.h"

/// What a fit makes of a loss map, for one kind of memory.
namespace watershed {

enum class FitStatus {
    Separated,     ///< one threshold explains which bursts lost frames
    Overlap,       ///< none does, but those that contradict it lie close to it: noise
    Inconsistent,  ///< none does, and some bursts contradict the others grossly
    Unbounded,     ///< only lossy or only lossless bursts: a limit on one side
    Misfit         ///< no kind of memory explains the bursts, with all that may disturb them
};
inline std::string to_text(FitStatus status) {
    static const char* const kNames[] = {"separated", "overlap", "inconsistent", "unbounded", "misfit"};
    return kNames[int(status)];
}

/// Nothing stands for "no limit".
struct Interval {
    std::optional<double> low;
    std::optional<double> high;
};

/// Whether they have a number in common.
inline bool meet(const Interval& a, const Interval& b) {
    return (!a.low || !b.high || *a.low <= *b.high) && (!b.low || !a.high || *b.low <= *a.high);
}

/// One (depth, rate) of a distribution.
struct SupportPoint {
    double depth = 0;
    double rate = 0;
    double weight = 0;
    double value = 0;  ///< of the model's feature, where it has one
};

struct Estimate {
    std::optional<double> value;  ///< median; nothing where the data give a limit only
    Interval hard;                ///< what the feasible region allows
    Interval interval68;
    Interval interval95;
};

/// Of the weight, beyond either end of a 68 % interval, and of a 95 % one.
constexpr double kTailOf68 = 0.16, kTailOf95 = 0.025;

/// @param quantile  below which a share lies
/// @param tail      beyond either end of the 95 % interval
template <class Quantile>
Estimate estimate_by(const Quantile& quantile, const Interval& hard = {}, double tail = kTailOf95) {
    return {quantile(0.5), hard, {quantile(kTailOf68), quantile(1 - kTailOf68)}, {quantile(tail), quantile(1 - tail)}};
}

/// How bursts scatter about the model.
struct NoiseEstimate {
    bool relative = true;         ///< of ln(burst length), or of the number of frames lost
    std::optional<double> value;  ///< nothing where the data give an upper limit only
    Interval interval95;
    double background = 0;  ///< mean probability of a loss without congestion
    bool known = false;     ///< given, not estimated
};

/// Something beside the memory that moves what a burst loses, as far as the data and what is known tell of it.
struct Disturbance {
    std::string name;        ///< "noise-frames", "noise-length", "loss", "bucket", "other-traffic", "drift",
                             ///< "stray-bursts"
    std::string unit;        ///< "frames", "of the length", "of the frames", "bytes", "of the uplink", "of the depth",
                             ///< "of the bursts"
    double probability = 0;  ///< that it is there at all
    std::optional<double> value;  ///< median, if it is there
    Interval interval95;          ///< the same; from 0 where it may be absent
    bool known = false;           ///< given, not estimated
};

/// What one kind of memory makes of the map.
struct ModelFit {
    QueueModel model;
    bool feasible = false;  ///< explains every burst (numbers of lost frames only where any model can explain these)
    double probability = 0;
    double log_evidence = 0;
    double log_likelihood = -HUGE_VAL;  ///< the largest that a search found, where one did
    double work = 0;                    ///< that sampling has cost, in likelihoods of a burst
    double undisturbed =
        0;  ///< the same, of depths and rates that explain every count, were it known that nothing disturbs
    bool by_closed_form = true;     ///< some of these explain them without an excess of memories of inputs
    double log_prior = 0;           ///< odds beside a plain memory in frames or bytes
    FeasibleRegion region;          ///< of the bursts without those in `violating`
    std::optional<double> scatter;  ///< of numbers of lost frames, where they do: a standard deviation in frames
    std::vector<int> violating;     ///< rows that contradict the rest
    std::vector<int> strays;        ///< those of them that have nothing to do with the switch, more probably than not
    Estimate depth;                 ///< frames or bytes
    Estimate rate;                  ///< bit/s of one uplink
    double shallowest = 0, deepest = 0;  ///< what of it lies where the search for a depth ends
    double correlation = 0;
    double error_of_ends = 0;  ///< standard error of an end of a 95 % interval by the sampler, as a part of its width
    std::vector<SupportPoint> support;        ///< the posterior of depth and rate
    std::optional<SupportPoint> likeliest;    ///< of the posterior; medians of depth and of rate need not go together
    std::vector<BurstMix> mixes;              ///< that the constants of `parameters` belong to
    std::vector<BurstParameters> parameters;  ///< some of the same with all that disturbs, of one weight; none where
                                              ///< bursts are taken at their word
    std::optional<NoiseEstimate> noise;
    std::vector<Disturbance> disturbances;
    std::optional<Estimate> feature;  ///< value of the model's feature, where it has one
};

}  // namespace watershed
