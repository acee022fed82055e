// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/parameter-posterior.h"
#include "scenarios/text/text-line.h"

/// The steps of a fit, in their order.
namespace watershed {

/// Returns the bursts with the wire bytes that a model counts: for a receiver with a cost per packet, all frames are as
/// long as those of `first`.
/// @param first  largest_row() of the whole map
std::vector<Burst> seen_by(const QueueModel& model, std::vector<Burst> bursts, const Burst& first);
inline std::vector<Burst> seen_by(const QueueModel& model, const std::vector<Burst>& bursts) {
    return seen_by(model, bursts, largest_row(bursts));
}

/// Returns the kind in which a receiver's ring loses the frames and not the switch ahead of it; std::nullopt where the
/// bursts cannot tell: without a scenario's rate of the uplink, or numbers of lost frames at two separations, one of
/// them with a busy uplink.
std::optional<ModelFit> receiver_ring(const std::vector<Burst>& bursts, const Conditions& conditions,
                                      const FitOptions& options);

/// Place at which a memory of which a part is reserved for each input (or output) explains counted losses best.
struct ReserveHint {
    BurstParameters at;  ///< depth, rate, and the part that is reserved
    double gain = 0;     ///< log likelihood that it gains on a memory all shared, and on one all reserved
};
/// Returns the least squares of pool, reserve and rate: what the memory keeps of lossy bursts is linear in them.
/// @return std::nullopt of few bursts, or where one is not positive
std::optional<ReserveHint> reserve_hint(const QueueModel& model, const std::vector<Burst>& bursts);
/// Returns depth, rate and alpha of a dynamic threshold by least squares of counted losses; std::nullopt if these do
/// not tell them: they were counted towards one number of uplinks, or their rooms are not those of a threshold.
std::optional<BurstParameters> threshold_hint(const QueueModel& model, const std::vector<Burst>& bursts);

/// Least number of bursts for a fit of noise or of a feature.
constexpr std::size_t kFewestBursts = 8;

/// Input of a fit: the bursts of a map and prior knowledge. @pre bursts and options outlive it
struct FitInput {
    const std::vector<Burst>& bursts;
    const FitOptions& options;
    std::vector<Burst> flags;   ///< the bursts without numbers of lost frames
    std::vector<Burst> sample;  ///< bursts that posteriors use: all, or a sample of a large map
    std::ptrdiff_t lossy = 0;   ///< number of lossy bursts
    bool counted = false;       ///< true if numbers of lost frames are known
    bool peaks = false;         ///< true if peak counters were read
    bool to_the_frame = false;  ///< true if some memory without a feature explains every count
    /// Unit to which separations are rounded, if they are too few for their counts to show how far; else 0.
    Time rounding{0};

    /// @param step  unit of the last digit of the separations; 0 if they are exact
    FitInput(const std::vector<Burst>& all, const FitOptions& known, Time step = Time{0});

    /// Returns the search box of a model for the whole map.
    SearchBox box(const QueueModel& model) const { return known_box(model, seen_by(model, bursts), options); }
    /// Returns the feasible region of some of the bursts within the box of all.
    /// @param quick  true: the search ends early, so that a region at large depths only counts as none
    FeasibleRegion region(const QueueModel& model, const std::vector<Burst>& some, bool quick = false) const {
        SearchBox within = box(model);
        if (quick) within.most_steps = 5'000;
        return feasible_region(model, seen(model, some), within);
    }
    /// Returns some of the bursts with the wire bytes that a model counts.
    std::vector<Burst> seen(const QueueModel& model, const std::vector<Burst>& some) const {
        return seen_by(model, some, largest_row(bursts));
    }
    /// Returns bursts of which each uplink may drain more or less at `rate` bit/s than the rounded separations say.
    std::vector<Burst> with_rounding(std::vector<Burst> some, double rate) const;
    /// Returns true if the kind is known to have a feature.
    bool feature_given() const {
        return options.kind && boost::algorithm::any_of(kFeatures, [&](Feature feature) {
                   return ends_with(*options.kind, to_text(feature));
               });
    }
    /// Returns true if bursts are known not to scatter.
    bool no_noise() const { return options.noise && options.noise->none(); }
    /// Returns true if the handover of some burst's triggers differs from the usual one by half a frame at `rate`
    /// bit/s.
    bool held_up(double rate) const {
        return boost::algorithm::any_of(
            bursts, [&](const Burst& burst) { return std::abs(burst.drain_held_up()) * rate >= 0.5; });
    }
    /// Returns true if all bursts are lossy or all are lossless.
    bool one_sided() const { return lossy == 0 || lossy == std::ptrdiff_t(flags.size()); }
};

// Kinds of memory and service that a fit compares, and equivalent kinds: a map cannot distinguish them, because they
// hold the same frames, counted in another unit.

/// Prior odds of the scenario's kind against each other kind.
inline constexpr double kScenarioOdds = 4;

/// Returns the kinds of memory to compare with prior odds: shared and per input; in frames, bytes, and cells if the
/// scenario or two payloads determine them; receivers with a cost per frame if two payloads can show one.
/// @throws InputError if none matches what is known
std::vector<ModelFit> candidates(const std::vector<Burst>& bursts, const Conditions& conditions,
                                 const FitOptions& options);

/// Returns the log prior odds of a kind: as the user chose them, else the usual ones.
double log_prior_of(const QueueModel& model, double usual, const FitOptions& options);

/// Returns for each kind the index of an equivalent kind before it, std::nullopt without one. Kinds can be equivalent
/// only if all bursts have frames of one size.
std::vector<std::optional<std::size_t>> equivalent_kinds(const std::vector<ModelFit>& kinds,
                                                         const std::vector<Burst>& bursts);

/// Returns a posterior in the unit of an equivalent kind: all depths that hold as many frames are equally likely.
ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior);

/// Gives kinds of memory whose frames take equally many counter units the evidence of the first of them. @pre no burst
/// lost frames: the peaks of these kinds are then the same
void equalize_lossless_evidence(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts);

// Feasible regions of each kind of memory, and estimates with intervals from them.

/// Fills estimates and support of `fit` from its region, log-uniform in depth with Jeffreys's prior of the rate;
/// uniform if all bursts are lossy. Exact counts weigh more where memories by input lose.
/// @param bursts  bursts of the region
void estimate_from_region(ModelFit& fit, const std::vector<Burst>& bursts);

/// Returns the log probability of the losses beyond the closed form, averaged over the region: none in nine of ten
/// random bursts of queues by input; 0 for other memories.
/// @param bursts  bursts with the wire bytes that the model counts
double log_evidence_of_excess(const ModelFit& one, const std::vector<Burst>& bursts);

/// Sets the feasible region of each kind and, if it is not empty, evidence and estimates without disturbances.
/// @return true if some kind explains all bursts
bool explain(std::vector<ModelFit>& kinds, const FitInput& map, const std::vector<Burst>& bursts);

/// Sets regions, evidence and estimates like explain(), for every number of lost frames. The evidence includes that of
/// log_evidence_of_excess().
bool explain_counts(std::vector<ModelFit>& kinds, const FitInput& map);

/// Returns depths and rates, equally weighted, that stand for the region of bursts that are taken at their word; empty
/// if it has no end. Their likelihood is 1; NaN where frames may be lost beyond the closed form.
std::vector<ParameterSample> samples_of_region(const ModelFit& one, const std::vector<Burst>& bursts,
                                               std::size_t count);

/// Returns Pearson's correlation of depth and rate.
double correlation_of(const std::vector<SupportPoint>& points);

// Hard limits of depth and rate from undisturbed bursts, and bursts that contradict the others: errors of single rows,
// or noise.

/// Smallest set of bursts that contradict the others, as far as a search finds it.
struct LeastContradiction {
    std::vector<int> rows;  ///< rows of the set; those that miss by least first
    double depth = 0;       ///< depth for which the other bursts agree, apart from rounding
    double rate = 0;        ///< rate for which they agree, bit/s
};

/// Searches a smallest contradicting set, by lossy and lossless bursts without counts. Deterministic.
LeastContradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box);

/// Returns the bursts without those of some rows.
std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows);

/// Sets the region of `one` to that of a consistent subset of the bursts, as large as a short search finds, and lists
/// the other rows as violating.
void remove_contradictions(ModelFit& one, const FitInput& map);
/// Returns true if the violating bursts are noise: few and close to the watershed of the model or, if numbers of lost
/// frames are used, predicted by the fitted disturbances.
bool are_noise(const ModelFit& one, const FitInput& map, bool counts_used);

/// Widens an interval to include another one; an open end stays open.
inline void widen(Interval& one, const Interval& other) {
    if (one.low && other.low) one.low = std::min(*one.low, *other.low);
    if (one.high && other.high) one.high = std::max(*one.high, *other.high);
}

/// Returns the nearest value within an interval.
inline double within(const Interval& limits, double value) {
    return std::max(limits.low.value_or(-HUGE_VAL), std::min(value, limits.high.value_or(HUGE_VAL)));
}

/// Sets the hard limits to those of the region.
void take_hard_limits(ModelFit& one);
/// Sets the hard limits, but allows for the closed form's uncertainty of the numbers of lost frames.
/// @param in_reach  true if the kind is about as likely as the best: contradicting bursts are left out, if there are
/// any
void set_hard_limits(ModelFit& one, const FitInput& map, bool in_reach);
/// Adapts the hard limits: they end if bursts are disturbed and bind if none can be. An estimate just beyond them moves
/// to the nearest allowed value; limits of exact counts widen to the 95 % interval.
void reconcile_hard_limits(ModelFit& one, const FitInput& map);
/// Widens the hard limits to the intervals if noise is excluded.
void widen_hard_limits(ModelFit& named, const FitInput& map);

// Rows that are blamed, and those that are not.

/// Returns the whole frames that a burst loses with a sample, without noise and random loss.
double frames_lost_by(const BurstLikelihood& likelihood, std::size_t row, const BurstParameters& parameters);
/// Returns the sample of a kind that explains the bursts of a likelihood best. @pre the kind was sampled
const BurstParameters& likeliest_sample(const ModelFit& one, const BurstLikelihood& likelihood);
/// Takes rows from the violating ones that the kind's likeliest sample explains to the frame: the closed form knows no
/// token bucket.
void acquit_explained(ModelFit& one, const FitInput& map);
/// Returns the few rows without which the plain memory explains all counts to the frame, by row; empty if there are
/// none. They become the violating rows, and the region that of all others.
std::vector<Suspect> take_suspects(ModelFit& one, const FitInput& map);
/// Returns words on the first row that lets fewer frames through than another one, though its frames are no larger and
/// come for longer, as often at least: the frames that a plain memory holds and drains only grow with that. Empty if
/// none does.
std::string outdone_row(const std::vector<Burst>& bursts);

// Posteriors with all disturbances.

/// Computes the posterior of every kind of memory; for kinds that are much less likely than the best only the mode.
/// @pre explain() was called for the kinds
void infer(std::vector<ModelFit>& kinds, const FitInput& map);

/// Returns fits of kinds with a feature (resume level, descriptors, ...) that may explain the map; empty if a memory
/// without a feature explains it well.
std::vector<ModelFit> kinds_with_features(const Fit& fit, const FitInput& map);

/// Fills estimates, evidence, noise, disturbances and support from a posterior. The depth is memory and token bucket,
/// in frames of the largest payload. Hard limits stay.
void take(ModelFit& one, const ParameterPosterior& posterior, const BurstLikelihood& likelihood, const SearchBox& box,
          const FitOptions& options);

/// Fills mode and approximate evidence of a kind that is too unlikely to be sampled.
void take_likeliest(ModelFit& one, const KindInference& question, double units = 1);

/// Returns options.draws draws over all kinds. @pre choose_model() was called
JointDraws joint_draws(const std::vector<ModelFit>& kinds, const FitInput& map);

/// Gives the first model intervals of depth and rate over all kinds by their probabilities. Depths are compared in
/// frames of the largest burst in the whole switch. The median depth and the hard limits stay.
/// @param cut  true: kinds that explain every burst end at their own hard limits. Not without noise: a token bucket
///             then has no noise to stand for it, and 78 % in place of 97 % of 95 % intervals would hold the depth.
void mix(std::vector<ModelFit>& models, const Burst& largest, bool cut = false);

/// Widens the intervals of depth and rate by the error of separations that were rounded to `step`: the same for all
/// bursts of one separation. Intervals of which it is a small part stay.
/// @param in_full  true: scatter does not tell how far separations were rounded
/// @return standard deviation of the rate, relative; std::nullopt if nothing was widened
std::optional<double> allow_for_rounding(ModelFit& one, const std::vector<Burst>& bursts, Time step, bool in_full);
/// Returns the shift of each separation with which a plain memory explains all counts, by least squares from the depth
/// and rate of a fit, the sum of their squares least; each within half of the unit to which separations are rounded.
/// Empty if there are none.
std::map<Time, Time> shifts_within_rounding(const ModelFit& one, const std::vector<Burst>& bursts, Time step);

/// Returns the disturbance "loss" if its 95 % interval excludes 0; else null.
const Disturbance* likely_loss(const ModelFit& one);

/// Returns the rows that are strays with a probability above one half, ascending.
/// @param of_others  true if the samples come from a fit of other bursts for the most part
std::vector<int> stray_rows(const BurstLikelihood& likelihood, const std::vector<BurstParameters>& parameters,
                            bool of_others = false);

// Choice of the reported kind of memory, and checks of how well it explains the map.

/// Returns true if more than a few bursts are strays.
bool many_strays(const ModelFit& one, std::size_t bursts);

/// Returns the scatter of the counts as a fraction of the memory that a burst fills; 0 without scatter, or if it is
/// given.
double scatter_of_memory(const ModelFit& one, const std::vector<Burst>& bursts);

/// Returns the check of a map without its stray bursts at some posterior samples (V. Johnson, Ann. Stat. 35, 2007; F.
/// Gosselin, PLoS ONE 6, 2011): where the law is kept, the parameters that made the map are as likely those of any
/// sample, so that statistics of the map at a sample are distributed as those of maps simulated from it.
/// @param bursts    bursts of the posterior, with the wire bytes that the model counts
/// @param replicas  simulated maps of each sample
Goodness predictive_check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas);

/// Sets the check of the chosen model, its p-value, and the reason if the fit is a misfit.
void judge(Fit& fit, const FitInput& map);

/// Returns a sentence on delays that differ: the least and the largest.
std::string differing_delays(const std::pair<Time, Time>& delays);

/// Returns the standard deviation of single counts in frames; std::nullopt if rounding to whole frames explains it.
/// @pre the kind was sampled
std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// Returns the status of a fit: how well one threshold separates lossy from lossless bursts. @pre judge() was called
FitStatus status_of(const Fit& fit, const FitInput& map);

/// Removes the estimates of unidentified depths and keeps their hard limits: in maps that limit the depth on one side
/// only, and for depths below one frame.
void discard_unidentified_depths(std::vector<ModelFit>& kinds, const FitInput& map, bool counts_used);

/// Sets the probabilities of the models and puts the chosen one first, the others by falling probability. The simplest
/// model within odds of 3 is chosen; of equivalent models that of the scenario. A feature needs odds of 10.
/// @param to_the_frame  see FitInput::to_the_frame; a model that explains every count is then chosen before simpler
///                      ones that do not
void choose_model(std::vector<ModelFit>& models, const Conditions& conditions, bool to_the_frame = false);

}  // namespace watershed
