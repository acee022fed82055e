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
    /// Of some of the bursts, within the box of all. @param quick  one that begins far up counts as none
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

/// Shared and per input; frames, bytes, and cells where the scenario knows them or two payloads can show them; links
/// that carry bytes and, where two payloads can show it, receivers that take frames. Each with its prior odds.
/// @throws InputError if none counts in the unit that a given depth is in, or none is of the kind that is known
std::vector<ModelFit> candidates(const std::vector<Burst>& bursts, const Conditions& conditions,
                                 const FitOptions& options);

/// For each kind the place of one before it of which the same is to be said, where all bursts have frames of one size.
std::vector<std::optional<std::size_t>> equivalent_kinds(const std::vector<ModelFit>& kinds,
                                                         const std::vector<Burst>& bursts);

/// What is known of one kind, said of another that is alike: of all depths that hold as many frames, each is as likely.
ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior);

/// Where nothing was lost all kinds of memory have the same peaks, but for what a frame takes: they get the evidence of
/// the first of them.
void equalize_lossless_evidence(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts);

// Depths and rates that explain every burst, for each kind of memory, and from these regions numbers with intervals.

/// Fills estimates and support of `fit` from its region: within it a depth is as likely per factor, and a rate by
/// Jeffreys's prior, as in the posterior with noise; where all bursts are lossy, every depth is as likely, and every
/// rate. Where inputs with memories of their own lose, numbers of lost frames that the closed form meets exactly weigh
/// more.
/// @param bursts those that made the region
void estimate_from_region(ModelFit& fit, const std::vector<Burst>& bursts);

/// Logarithm of the probability of the losses beyond the closed form, on average over the region of `one`: nine in ten
/// random bursts of queues per input had none. Other memories have no such losses: 0.
/// @param bursts  as the model sees them; each is explained somewhere in the region
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
/// What undisturbed bursts allow is no limit where they are disturbed, and the answer where it is known that they are
/// not. An estimate that lies just beyond them, of bursts that do not look disturbed, is the next one that they allow;
/// and where numbers of lost frames are explained, too, limits reach as far as what else may be.
void reconcile_hard_limits(ModelFit& one, const FitInput& map);
/// Of exact outcomes no interval over several kinds of memory reaches beyond the hard limits of the named one: it ends
/// there, or where it is told that nothing scatters the limits give way. A token bucket then has no noise to stand for
/// it: bounded by the named kind, 78 % of 95 % intervals held the depth beside a bucket, in place of 97 %.
void meet_hard_limits(ModelFit& named, const FitInput& map);

// Posteriors with everything that may disturb.

/// Gives every kind of memory its posterior; of kinds that are out of reach of the best only where they fit best. Each
/// kind must have been asked for the region that explains all bursts (`explain`).
void infer(std::vector<ModelFit>& kinds, const FitInput& map);

/// What plain memories do not explain, one with a resume level, descriptors, ... may: the kinds that do so, with their
/// fits; none where plain memories do well.
std::vector<ModelFit> kinds_with_features(const Fit& fit, const FitInput& map);

/// Fills estimates, evidence, noise, disturbances and support of a kind of memory from its posterior. A depth is what a
/// burst fills: the memory and, in frames of the largest payload, the token bucket ahead of it. Hard limits stay as
/// they are.
void take(ModelFit& one, const ParameterPosterior& posterior, const BurstLikelihood& law, const SearchBox& box,
          const FitOptions& options);

/// Of a kind that is too far from the best one to matter: where it fits best, and roughly what evidence it has.
/// @param units  of the kind's depth that are one of the question's
void take_likeliest(ModelFit& one, const KindInference& question, double units = 1);

/// Gives the first model the intervals of depth and rate of all kinds that may be, each with its probability: which
/// kind it is, few bursts do not tell. A rate means the same in every kind; depths are compared by the frames of the
/// largest burst that the whole switch holds. The depth's middle stays that of the first model. Hard limits stay as
/// they are.
void mix(std::vector<ModelFit>& models, const Burst& largest);

/// Frames that are lost at random, if the 95 % interval excludes that none are; else nothing.
const Disturbance* likely_loss(const ModelFit& one);

/// Rows that are stray ones more probably than not, ascending.
/// @param of_others  most of these bursts had no part in finding the samples
std::vector<int> stray_rows(const BurstLikelihood& law, const std::vector<BurstParameters>& parameters,
                            bool of_others = false);

// Which kind of memory a fit reports, whether it explains the map with all that may disturb it, and how well.

/// More bursts than a few have nothing to do with the switch.
bool many_strays(const ModelFit& one, std::size_t bursts);

/// By which part of what a burst fills counts scatter; 0 where they do not, or where it is known by how much.
double scatter_of_memory(const ModelFit& one, const std::vector<Burst>& bursts);

/// Whether a map looks like those that the posterior of one kind of memory predicts (Rubin, Annals of Statistics 12,
/// 1984). Each burst's outcome becomes a normal number by the distribution that the posterior expects of it. Simulated
/// maps are drawn from points of the posterior and are not fitted again, so that the p-value is, if anything, too
/// large: a fit that is rejected is wrong.
/// @param bursts  as the model sees them
Goodness predictive_check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas);

/// Whether the map looks like those that the posterior predicts, stray bursts left out.
Goodness check_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// Fills the check of the chosen model, its p-value, and why the fit is a misfit, if it is one.
void judge(Fit& fit, const FitInput& map);

/// What delays tell that differ: the least and the most.
std::string differing_delays(const std::pair<Time, Time>& delays);

/// By how many frames single counts scatter, if it is more than what rounding to whole frames leaves. The kind must
/// have been sampled.
std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// How well thresholds tell lossy from lossless bursts, once the kind is chosen and judged.
FitStatus status_of(const Fit& fit, const FitInput& map);

/// Takes back depths that the map does not tell, but for their hard limits: those of maps that limit one side only, and
/// those of less than a frame.
void discard_unidentified_depths(std::vector<ModelFit>& kinds, const FitInput& map, bool counts_used);

/// Gives each model its probability from its evidence and prior odds, and puts the chosen one first, the others by
/// falling probability. Among models that the data do not tell apart (odds below 3) the simplest one is chosen, and of
/// those that are alike the kind that the scenario names. A model with a feature must be the likeliest, with odds
/// of 10.
void choose_model(std::vector<ModelFit>& models, const Conditions& conditions);

}  // namespace watershed
