// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/posterior/count-fit.h"
#include "calibrate/closed-form/feasible-region.h"
#include "calibrate/fit/goodness.h"
#include "calibrate/posterior/grid-posterior.h"
#include "calibrate/posterior/hidden.h"
#include "calibrate/closed-form/known-noise.h"
#include "calibrate/fit/set-aside.h"

/// Depth, service rate and kind of a switch memory from a loss map.
namespace watershed {

enum class FitStatus {
    Separated,      ///< one threshold explains which bursts lost frames
    Overlap,        ///< none does, but those that contradict it lie close to it: noise
    Inconsistent,   ///< none does, and some bursts contradict the others grossly
    Unbounded,      ///< only lossy or only lossless bursts: a limit on one side
    Misfit          ///< no kind of memory explains the bursts, with all that may disturb them
};
std::string to_text(FitStatus status);

/// Both ends included; equal where the value itself is known.
struct Limits {
    double low = 0;
    double high = 0;
};

struct FitOptions {
    std::optional<BitRate> service_rate;   ///< known rate of one uplink
    std::optional<MemorySize> depth;       ///< known depth; only models that count in its unit are fitted
    std::optional<std::pair<MemorySize, MemorySize>> depth_bounds;     ///< the same, as limits
    std::optional<std::pair<BitRate, BitRate>> service_rate_bounds;
    /// The unit that a given depth, or its limits, are in.
    std::optional<MemorySize::Unit> depth_unit() const {
        return depth ? std::make_optional(depth->unit) : depth_bounds ? std::make_optional(depth_bounds->first.unit) : std::nullopt;
    }
    std::optional<KnownNoise> noise;       ///< known, or limits of it
    std::optional<Buffer::Sharing> sharing;   ///< known; only kinds of memory that are shared like this are fitted
    std::optional<std::string> kind;          ///< known; only the kind of this name is fitted, as QueueModel::name() has it: "shared-bytes"
    std::optional<Limits> loss;               ///< share of frames that are lost at random, wherever they are
    std::optional<Limits> bucket;             ///< bytes that an idle uplink may send at once, ahead of its rate: its token bucket
    std::optional<Limits> traffic;            ///< share of each uplink that others take
    CountUse counts = CountUse::Auto;
};

/// Nothing stands for "no limit".
struct Interval {
    std::optional<double> low;
    std::optional<double> high;
};

struct Estimate {
    std::optional<double> value;   ///< median; nothing where the data give a limit only
    Interval hard;                 ///< what the feasible region allows
    Interval interval68;
    Interval interval95;
};

/// How bursts scatter about the model.
struct NoiseEstimate {
    bool relative = true;         ///< of ln(burst length), or of the number of frames lost
    std::optional<double> value;  ///< nothing where the data give an upper limit only
    Interval interval95;
    double background = 0;        ///< mean probability of a loss without congestion
    bool known = false;           ///< given, not estimated
};

/// Something beside the memory that moves what a burst loses, as far as the data and what is known tell of it.
struct Disturbance {
    std::string name;             ///< "noise-frames", "noise-length", "loss", "bucket", "other-traffic", "stray-bursts"
    std::string unit;             ///< "frames", "of the length", "of the frames", "bytes", "of the uplink", "of the bursts"
    double probability = 0;       ///< that it is there at all
    std::optional<double> value;  ///< median, if it is there
    Interval interval95;          ///< the same; from 0 where it may be absent
    bool known = false;           ///< given, not estimated
};

/// What one kind of memory makes of the map.
struct ModelFit {
    QueueModel model;
    bool feasible = false;                ///< explains every burst (numbers of lost frames only where any model can explain these)
    double probability = 0;
    double log_evidence = 0;
    double undisturbed = 0;               ///< the same, of depths and rates that explain every count, were it known that nothing disturbs
    double log_prior = 0;                 ///< odds beside a plain memory in frames or bytes
    FeasibleRegion region;                ///< of the bursts without those in `violating`
    std::optional<CountFit> counts;       ///< where numbers of lost frames scatter
    std::vector<int> violating;           ///< rows that contradict the rest
    std::vector<int> strays;              ///< those of them that have nothing to do with the switch, more probably than not
    Estimate depth;                       ///< frames or bytes
    Estimate rate;                        ///< bit/s of one uplink
    double correlation = 0;
    std::vector<SupportPoint> support;    ///< the posterior of depth and rate
    std::optional<SupportPoint> likeliest;   ///< of the posterior; medians of depth and of rate need not go together
    std::vector<BurstMix> mixes;               ///< that the constants of `hidden` belong to
    std::vector<Hidden> hidden;           ///< some of the same with all that disturbs, of one weight; none where bursts are taken at their word
    std::optional<NoiseEstimate> noise;
    std::vector<Disturbance> disturbances;
    std::optional<Estimate> feature;      ///< value of the model's feature, where it has one
};

struct Fit {
    FitStatus status = FitStatus::Separated;
    Conditions conditions;
    FitOptions options;
    std::string source;
    std::vector<Burst> bursts;            ///< those used
    std::vector<RowSetAside> set_aside;
    bool counts_used = false;
    std::vector<ModelFit> models;         ///< the chosen one first, then by falling probability
    Goodness check;                       ///< of the chosen model
    std::optional<double> goodness;       ///< its p-value; nothing where too few bursts tell
    std::string unusual;                  ///< in what the map is most unusual
    std::string misfit;                   ///< why no kind of memory explains the map; empty where one does
    const ModelFit& best() const { return models.front(); }
};

/// @throws InputError if nothing is left to fit
Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options);

/// Where to search, narrowed by what is known. A map may come from a simulation that rounds what a frame lasts up to whole picoseconds, which
/// is a rate a little lower than the one that is known.
SearchBox known_box(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options);

}  // namespace watershed
