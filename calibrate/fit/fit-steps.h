// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/parameter-posterior.h"

/// The steps of a fit, in their order.
namespace watershed {

/// The bursts as this model sees them: to a receiver with a cost per packet all frames are as long as the largest.
/// @param first of the whole map, where these are some of its bursts
std::vector<Burst> seen_by(const QueueModel& model, std::vector<Burst> bursts, const Burst& first);
inline std::vector<Burst> seen_by(const QueueModel& model, const std::vector<Burst>& bursts) {
    return seen_by(model, bursts, largest_row(bursts));
}

/// With fewer of them neither noise nor a feature is sought.
constexpr std::size_t kFewestBursts = 8;

/// The bursts of a map, what is known beside them, and what follows from both for a kind of memory. Refers to bursts
/// and options.
struct FitInput {
    const std::vector<Burst>& bursts;
    const FitOptions& options;
    std::vector<Burst> flags;  ///< the bursts as lossy or lossless alone
    std::vector<Burst>
        sample;  ///< those that posteriors look at: of larger maps some, and no more is claimed than they tell
    std::ptrdiff_t lossy = 0;   ///< how many are
    bool counted = false;       ///< numbers of lost frames are known
    bool peaks = false;         ///< counters of the memory were read
    bool to_the_frame = false;  ///< some plain memory explains every count

    FitInput(const std::vector<Burst>& all, const FitOptions& known);

    /// Beyond which nothing changes for any burst of the map, or nothing is allowed.
    SearchBox box(const QueueModel& model) const { return known_box(model, seen_by(model, bursts), options); }
    /// Returns the region of some of the bursts within the box of all. @param quick  a region that begins far up counts
    /// as none
    FeasibleRegion region(const QueueModel& model, const std::vector<Burst>& some, bool quick = false) const {
        SearchBox within = box(model);
        if (quick) within.most_steps = 5'000;
        return feasible_region(model, seen(model, some), within);
    }
    /// Some of the bursts as this model sees them.
    std::vector<Burst> seen(const QueueModel& model, const std::vector<Burst>& some) const {
        return seen_by(model, some, largest_row(bursts));
    }
    /// It is known that bursts do not scatter.
    bool no_noise() const { return options.noise && options.noise->none(); }
    /// A burst's triggers took their time otherwise than the others', by half a frame at this rate.
    bool held_up(double rate) const {
        return boost::algorithm::any_of(
            bursts, [&](const Burst& burst) { return std::abs(burst.drain_held_up()) * rate >= 0.5; });
    }
    /// Only lossy or only lossless bursts.
    bool one_sided() const { return lossy == 0 || lossy == std::ptrdiff_t(flags.size()); }
};

// The kinds of memory and service that a fit compares; and those that a map cannot tell apart: they hold the same
// frames, in another unit.

/// Odds of the kind that a scenario names beside every other kind, before anything is measured.
inline constexpr double kScenarioOdds = 4;

/// Returns the kinds of memory to compare with prior odds: shared and per input; in frames, bytes, and cells if the
/// scenario or two payloads determine them; receivers with a cost per frame if two payloads can show one.
/// @throws InputError if none matches what is known
std::vector<ModelFit> candidates(const std::vector<Burst>& bursts, const Conditions& conditions,
                                 const FitOptions& options);

/// For each kind the place of one before it of which the same is to be said, where all bursts have frames of one size.
std::vector<std::optional<std::size_t>> equivalent_kinds(const std::vector<ModelFit>& kinds,
                                                         const std::vector<Burst>& bursts);

/// Returns a posterior in the unit of an equivalent kind: all depths that hold as many frames are equally likely.
ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior);

/// Where nothing was lost all kinds of memory have the same peaks, but for what a frame takes: they get the evidence of
/// the first of them.
void equalize_lossless_evidence(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts);

// Depths and rates that explain every burst, for each kind of memory, and from these regions numbers with intervals.

/// Fills estimates and support of `fit` from its region, log-uniform in depth with Jeffreys's prior of the rate;
/// uniform if all bursts are lossy. Exact counts weigh more where memories by input lose.
/// @param bursts  bursts of the region
void estimate_from_region(ModelFit& fit, const std::vector<Burst>& bursts);

/// Returns the log probability of the losses beyond the closed form, averaged over the region: none in nine of ten
/// random bursts of queues by input; 0 for other memories.
/// @param bursts  as the model sees them
double log_evidence_of_excess(const ModelFit& one, const std::vector<Burst>& bursts);

/// Gives each kind its region of these bursts, and where there is one evidence and estimates, as if nothing disturbed
/// any burst. @return whether a kind explains them all
bool explain(std::vector<ModelFit>& kinds, const FitInput& map, const std::vector<Burst>& bursts);

/// The same of every number of lost frames; the evidence is also that of what memories of inputs lose beyond the closed
/// form.
bool explain_counts(std::vector<ModelFit>& kinds, const FitInput& map);

/// Pearson's, of depth and rate.
double correlation_of(const std::vector<SupportPoint>& points);

// What bursts allow that nothing disturbs, for depth and rate of a kind of memory, and the bursts that contradict the
// others: faults of single rows, or noise.

/// A smallest set of bursts that contradict the others, as far as a search finds it.
struct LeastContradiction {
    std::vector<int> rows;  ///< those that miss by least first
    double depth = 0;       ///< where the others agree, but for rounding
    double rate = 0;
};

/// Only lossy or lossless is looked at, not counts. Deterministic.
LeastContradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box);

/// The bursts but those of some rows.
std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows);

/// Leaves `one` the region of a consistent part of the map, as large a part as few trials find, and names the other
/// rows as violating.
void remove_contradictions(ModelFit& one, const FitInput& map);
/// Whether the exceptions are few, and so near to the watershed of a model with estimates, that they are noise; or what
/// was fitted beside the memory predicts them, if numbers of lost frames are used.
bool are_noise(const ModelFit& one, const FitInput& map, bool counts_used);

/// As far as another interval; an open end stays open.
inline void widen(Interval& one, const Interval& other) {
    if (one.low && other.low) one.low = std::min(*one.low, *other.low);
    if (one.high && other.high) one.high = std::max(*one.high, *other.high);
}

/// As the region has them.
void take_hard_limits(ModelFit& one);
/// The same, but numbers of lost frames may be off by what the closed form leaves open. Of a kind in reach that does
/// not explain all bursts, those that contradict the others are left out.
void set_hard_limits(ModelFit& one, const FitInput& map, bool in_reach);
/// Adapts the hard limits: they end if bursts are disturbed and bind if none can be. An estimate just beyond them moves
/// to the nearest allowed value; limits of exact counts widen to the 95 % interval.
void reconcile_hard_limits(ModelFit& one, const FitInput& map);
/// Ends the intervals of exact outcomes at the hard limits of the named kind, or widens the limits if noise is
/// excluded. Otherwise a token bucket would have no noise to stand for it: 78 % in place of 97 % of 95 % intervals
/// would hold the depth.
void meet_hard_limits(ModelFit& named, const FitInput& map);

// Posteriors with everything that may disturb.

/// Gives every kind of memory its posterior; of kinds that are out of reach of the best only where they fit best. Each
/// kind must have been asked for the region that explains all bursts (`explain`).
void infer(std::vector<ModelFit>& kinds, const FitInput& map);

/// What plain memories do not explain, one with a resume level, descriptors, ... may: the kinds that do so, with their
/// fits; none where plain memories do well.
std::vector<ModelFit> kinds_with_features(const Fit& fit, const FitInput& map);

/// Fills estimates, evidence, noise, disturbances and support from a posterior. The depth is memory and token bucket,
/// in frames of the largest payload. Hard limits stay.
void take(ModelFit& one, const ParameterPosterior& posterior, const BurstLikelihood& law, const SearchBox& box,
          const FitOptions& options);

/// Fills a kind that is too far from the best to be sampled: its mode, and roughly its evidence.
void take_likeliest(ModelFit& one, const KindInference& question, double units = 1);

/// Gives the first model intervals of depth and rate over all kinds by their probabilities. Depths are compared in
/// frames of the largest burst in the whole switch. The median depth and the hard limits stay.
void mix(std::vector<ModelFit>& models, const Burst& largest);

/// Frames that are lost at random, if the 95 % interval excludes that none are; else nothing.
const Disturbance* likely_loss(const ModelFit& one);

/// Rows that are stray ones more probably than not, ascending.
/// @param of_others  most of these bursts had no part in finding the samples
std::vector<int> stray_rows(const BurstLikelihood& law, const std::vector<BurstParameters>& parameters,
                            bool of_others = false);

// Choice of the reported kind of memory, and how well it explains the map.

/// More bursts than a few have nothing to do with the switch.
bool many_strays(const ModelFit& one, std::size_t bursts);

/// By which part of what a burst fills counts scatter; 0 where they do not, or where it is known by how much.
double scatter_of_memory(const ModelFit& one, const std::vector<Burst>& bursts);

/// Posterior predictive check (Rubin, Annals of Statistics 12, 1984): each outcome becomes a normal number by its
/// predictive distribution. Replicas are not fitted again, so the p-value is too large if anything: a rejected fit is
/// wrong.
/// @param bursts  as the model sees them
Goodness predictive_check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas);

/// Whether the map looks like those that the posterior predicts, stray bursts left out.
Goodness check_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// Fills the check of the chosen model, its p-value, and why the fit is a misfit, if it is one.
void judge(Fit& fit, const FitInput& map);

/// Returns a sentence on delays that differ: the least and the largest.
std::string differing_delays(const std::pair<Time, Time>& delays);

/// By how many frames single counts scatter, if it is more than what rounding to whole frames leaves. The kind must
/// have been sampled.
std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// How well thresholds tell lossy from lossless bursts, once the kind is chosen and judged.
FitStatus status_of(const Fit& fit, const FitInput& map);

/// Takes back depths that the map does not tell, but for their hard limits: those of maps that limit one side only, and
/// those of less than a frame.
void discard_unidentified_depths(std::vector<ModelFit>& kinds, const FitInput& map, bool counts_used);

/// Gives each model its probability and puts the chosen one first, the others by falling probability. Among models with
/// odds below 3 the simplest is chosen, among equivalent ones that of the scenario; a feature needs odds of 10.
void choose_model(std::vector<ModelFit>& models, const Conditions& conditions);

}  // namespace watershed
