// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "calibrate/closed-form/burst-sample.h"
#include "calibrate/closed-form/peak.h"
#include "calibrate/feature/feature-fit.h"
#include "calibrate/fit/candidates.h"
#include "calibrate/fit/contradictions.h"
#include "calibrate/fit/estimate.h"
#include "calibrate/fit/excess-evidence.h"
#include "calibrate/fit/fit-verdict.h"
#include "calibrate/fit/model-choice.h"
#include "calibrate/fit/posterior-summary.h"
#include "calibrate/posterior/hidden-posterior.h"
#include "calibrate/posterior/threads.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Larger maps that some model explains to the frame are taken at their word.
constexpr std::size_t kMostForDoubt = 400;
/// Bursts of larger maps that a posterior looks at.
constexpr std::size_t kMostSampled = 300;
/// Log likelihood by which a kind of memory is out of reach of the best.
constexpr double kOutOfReach = 40;
/// Plain memories that fit worse, or need more scatter as a part of the memory, are compared with those that have a
/// feature.
constexpr double kDoubtful = 0.1, kSmallScatter = 0.02, kFrame = 0.5, kSurely = 0.1;
constexpr std::size_t kFewStrays = 2;

/// Work on one map.
class Fitter {
  public:
    explicit Fitter(Fit& fit) : fit_(fit), map_(fit.bursts, fit.options), contradictions_(map_) {
        for (const Candidate& candidate : candidates(fit.bursts, fit.conditions, fit.options)) {
            ModelFit one;
            one.model = candidate.model;
            one.log_prior = candidate.log_prior;
            fit_.models.push_back(std::move(one));
        }
        counted_ = std::any_of(fit.bursts.begin(), fit.bursts.end(),
                               [](const Burst& burst) { return burst.lossy && burst.counted; });
        peaks_ = std::any_of(fit.bursts.begin(), fit.bursts.end(), [](const Burst& burst) { return burst.peak; });
    }

    void run() {
        if (counted_ && !peaks_ && explain_counts())
            fit_.counts_used = to_the_frame_ = true;
        else
            explain(map_.flags);
        like_ = alike();
        measured();
        if (!taken_at_their_word()) infer();
        consider_features();
        choose_model(fit_.models, fit_.conditions);
        mix(fit_.models, fit_.bursts.front());
        judge(fit_, to_the_frame_);
        set_status();
        drop_impossible_depths();
        fit_.bursts = seen_by(fit_.best().model, fit_.bursts);
    }

  private:
    /// Bursts are what the switch alone makes of them, beyond doubt; or they limit one side only.
    bool taken_at_their_word() const {
        const bool one_sided = map_.lossy == 0 || map_.lossy == static_cast<std::ptrdiff_t>(map_.flags.size());
        return (to_the_frame_ && fit_.bursts.size() > kMostForDoubt) || (one_sided && !counted_ && !peaks_);
    }

    /// Of the prior, as the posterior with noise takes it: each depth as likely per factor.
    double log_share(const ModelFit& one) const {
        const SearchBox box = map_.box(one.model);
        const double share = std::log(std::max(one.region.share, 1e-300));
        if (box.depth_high <= box.depth_low) return share;
        const double depths = static_cast<double>(box.depth_high - std::max<std::int64_t>(1, box.depth_low) + 1),
                     middle = static_cast<double>(one.region.depth_low + one.region.depth_high) / 2;
        const LogDepths prior(box);
        return share + std::log(depths / (middle * (prior.high - prior.low)));
    }

    /// Regions of all models; whether any explains these bursts.
    bool explain(const std::vector<Burst>& bursts) {
        bool any = false;
        for (ModelFit& one : fit_.models) {
            one.region = map_.region(one.model, bursts);
            one.feasible = one.region.feasible();
            any |= one.feasible;
            if (!one.feasible) continue;
            one.log_evidence = log_share(one);
            one.support.clear();
            estimate_from_region(one, seen_by(one.model, bursts));
        }
        return any;
    }

    /// Regions that explain every number of lost frames.
    bool explain_counts() {
        if (!explain(fit_.bursts)) return false;
        for (ModelFit& one : fit_.models)
            if (one.feasible)
                one.undisturbed = one.log_evidence + log_evidence_of_excess(one, seen_by(one.model, fit_.bursts));
        for (ModelFit& one : fit_.models)
            if (one.feasible) one.log_evidence = one.undisturbed;
        return true;
    }

    /// The posterior of every kind of memory that is in reach, with everything that may disturb.
    void infer() {
        fit_.counts_used = counted_;
        std::vector<ModelFit*> sought;
        for (std::size_t i = 0; i < fit_.models.size(); ++i)
            if (!like_[i]) sought.push_back(&fit_.models[i]);
        const std::vector<Burst>& bursts = measured();
        std::vector<std::unique_ptr<Inference>> questions(sought.size());
        do_in_threads(sought.size(), [&](std::size_t i) {
            ModelFit& one = *sought[i];
            questions[i] = std::make_unique<Inference>(one.model, seen_by(one.model, bursts), map_.box(one.model),
                                                       fit_.options, hints(one));
        });
        double best = -HUGE_VAL;
        for (const auto& one : questions) best = std::max(best, one->question.log_likelihood());
        std::vector<HiddenPosterior> posteriors(questions.size());
        do_in_threads(questions.size(), [&](std::size_t i) {
            const auto& question = questions[i]->question;
            if (question.log_likelihood() >= best - kOutOfReach) posteriors[i] = question.posterior({}, 1);
        });
        std::vector<HiddenPosterior> found(fit_.models.size());
        std::vector<const Inference*> asked(fit_.models.size());
        for (std::size_t i = 0, next = 0; i < fit_.models.size(); ++i) {
            const std::size_t from = like_[i].value_or(i);
            if (!like_[i]) {
                asked[i] = questions[next].get();
                found[i] = std::move(posteriors[next++]);
            }
            ModelFit& one = fit_.models[i];
            const Inference& inference = *asked[from];
            if (found[from].samples.empty()) {
                take_likeliest(one, inference.question,
                               like_[i] ? cost_of_all(one.model) / cost_of_all(fit_.models[from].model) : 1);
                limit(one, false);
            } else if (like_[i]) {
                // The same frames fit: of all depths that hold as many, each is as likely.
                const BurstLaw law(one.model, seen_by(one.model, measured()));
                limit(one, true);
                take(one, in_unit_of(one.model, fit_.models[from].model, found[from]), law, map_.box(one.model),
                     fit_.options);
                finish(one, law, inference.question);
            } else {
                limit(one, true);
                take(one, found[i], inference.question.law(), inference.box, fit_.options);
                finish(one, inference.question.law(), inference.question);
            }
            reconcile(one);
        }
        if (map_.lossy == 0) leave_open_what_no_peak_tells();
    }

    /// Where nothing was lost all kinds of memory have the same peaks, but for what a frame takes.
    void leave_open_what_no_peak_tells() {
        for (ModelFit& one : fit_.models)
            for (const ModelFit& other : fit_.models)
                if (other.model.per_packet == one.model.per_packet && counters_alike(other.model, one.model)) {
                    one.log_evidence = other.log_evidence;
                    break;
                }
    }

    void finish(ModelFit& one, const BurstLaw& law, const HiddenQuestion& question) {
        // Few samples find the narrow place where nothing disturbs; its size is known.
        if (to_the_frame_ && one.feasible) {
            const double undisturbed = one.undisturbed + question.log_undisturbed(),
                         most = std::max(undisturbed, one.log_evidence);
            one.log_evidence = most + std::log(std::exp(undisturbed - most) + std::exp(one.log_evidence - most));
        }
        one.strays = stray_rows(BurstLaw(one.model, seen_by(one.model, fit_.bursts), law.mixes()), one.hidden);
        if (counted_ || !one.region.feasible()) note_violations(one, one.strays);
        if (!one.feasible && !one.strays.empty() && !many_strays(one, fit_.bursts.size()))
            one.feasible = map_.region(one.model, without(map_.flags, one.strays)).feasible();
        if (counted_) one.counts = scatter_of(one);
    }

    /// Units of depth that a frame takes, where all bursts have frames of one size.
    double cost_of_all(const QueueModel& model) const { return static_cast<double>(model.cost(fit_.bursts.front())); }

    HiddenPosterior in_unit_of(const QueueModel& model, const QueueModel& other, HiddenPosterior posterior) const {
        const double from = cost_of_all(other), to = cost_of_all(model);
        constexpr double kGolden = 0.6180339887498949;  // evenly spread over a frame
        double part = 0.5;
        for (Hidden& one : posterior.samples) {
            one.depth = (std::floor(one.depth / from) + part) * to;
            part = std::fmod(part + kGolden, 1);
        }
        return posterior;
    }

    /// For each kind of memory one that holds the same frames in another unit, and comes before it.
    std::vector<std::optional<std::size_t>> alike() const {
        std::vector<std::optional<std::size_t>> like(fit_.models.size());
        const std::int64_t size = fit_.bursts.front().buffer, wire = fit_.bursts.front().wire;
        if (std::any_of(fit_.bursts.begin(), fit_.bursts.end(),
                        [&](const Burst& burst) { return burst.buffer != size || burst.wire != wire; }))
            return like;
        for (std::size_t i = 0; i < fit_.models.size(); ++i)
            for (std::size_t j = 0; j < i && !like[i]; ++j)
                if (fit_.models[j].model.sharing == fit_.models[i].model.sharing &&
                    fit_.models[j].model.per_packet == fit_.models[i].model.per_packet &&
                    counters_alike(fit_.models[j].model, fit_.models[i].model))
                    like[i] = j;
        return like;
    }

    /// Frames take as much of the counters that were read.
    bool counters_alike(const QueueModel& one, const QueueModel& other) const {
        return std::all_of(fit_.bursts.begin(), fit_.bursts.end(), [&](const Burst& burst) {
            return !burst.peak || counter_cost(one, burst) == counter_cost(other, burst);
        });
    }

    /// Where depth and rate of a kind may lie: in the region that explains every burst, or most.
    std::vector<Hidden> hints(ModelFit& one) const {
        Hidden hidden;
        if (one.region.feasible()) {
            hidden.depth = static_cast<double>(one.region.depth_low + one.region.depth_high) / 2;
            hidden.rate = (one.region.rate_low + one.region.rate_high) / 2;
        } else {
            if (counted_) return {};
            const SearchBox box = map_.box(one.model);
            const LeastContradiction least =
                least_contradiction(one.model, seen_by(one.model, measured_flags()), box.depth_low, box.depth_high,
                                    box.rate_low, box.rate_high);
            hidden.depth = least.depth;
            hidden.rate = least.rate;
        }
        if (!(hidden.depth >= 1 && hidden.rate > 0)) return {};
        return {hidden};
    }

    /// A kind of memory, and what its likelihood refers to.
    struct Inference {
        Inference(const QueueModel& model, std::vector<Burst> seen, const SearchBox& where, const FitOptions& options,
                  const std::vector<Hidden>& hints)
            : bursts(std::move(seen)), box(where), question(model, bursts, box, options, hints) {}
        std::vector<Burst> bursts;
        SearchBox box;
        HiddenQuestion question;
    };

    /// Hard limits: what bursts allow that are not disturbed. Numbers of lost frames may be off by what the closed form
    /// leaves open.
    void limit(ModelFit& one, bool in_reach) {
        if (one.feasible && to_the_frame_ && !map_.no_noise()) {
            std::vector<Burst> bursts = fit_.bursts;
            for (Burst& burst : bursts) burst.tolerance = 1;
            const FeasibleRegion wider = map_.region(one.model, bursts);
            if (wider.feasible()) one.region = wider;
        } else if (!one.feasible && in_reach) {
            contradictions_.remove(one);
        }
        one.depth.hard = one.rate.hard = {};
        if (!one.region.feasible()) return;
        one.depth.hard.low = static_cast<double>(one.region.depth_low);
        one.rate.hard.low = one.region.rate_low;
        if (!one.region.depth_open) one.depth.hard.high = static_cast<double>(one.region.depth_high);
        if (!one.region.rate_open) one.rate.hard.high = one.region.rate_high;
    }

    /// What undisturbed bursts allow is no limit where they are disturbed, and the answer where it is known that they
    /// are not. An estimate that lies just beyond them, of bursts that do not look disturbed, is the next one that they
    /// allow; and where numbers of lost frames are explained, too, limits reach as far as what else may be.
    void reconcile(ModelFit& one) const {
        for (Estimate* const each : {&one.depth, &one.rate}) {
            Interval& hard = each->hard;
            const bool inside = !each->value || ((!hard.low || *each->value >= *hard.low) &&
                                                 (!hard.high || *each->value <= *hard.high));
            if (one.feasible && map_.no_noise()) {
                for (auto* const end : {&each->value, &each->interval68.low, &each->interval68.high,
                                        &each->interval95.low, &each->interval95.high})
                    if (*end)
                        *end = std::clamp(**end, hard.low.value_or(**end),
                                          std::max(hard.low.value_or(**end), hard.high.value_or(**end)));
            } else if (to_the_frame_ && one.feasible) {
                if (hard.low && each->interval95.low) hard.low = std::min(*hard.low, *each->interval95.low);
                if (hard.high && each->interval95.high) hard.high = std::max(*hard.high, *each->interval95.high);
            } else if (!inside && one.feasible && meet(hard, each->interval95)) {
                each->value = std::max(hard.low.value_or(0), std::min(*each->value, hard.high.value_or(HUGE_VAL)));
            } else if (!inside) {
                one.depth.hard = one.rate.hard = {};
            }
        }
    }

    static bool meet(const Interval& a, const Interval& b) {
        return (!a.low || !b.high || *a.low <= *b.high) && (!b.low || !a.high || *b.low <= *a.high);
    }

    /// By how many frames single counts scatter, in this share of what may be at most.
    double scatter_at(const ModelFit& one, double share) const {
        const BurstLaw law(one.model, seen_by(one.model, measured()), one.mixes);
        std::vector<double> means;
        for (const Hidden& hidden : one.hidden) {
            double sum = 0, n = 0;
            for (std::size_t i = 0; i < law.size(); ++i)
                if (law.burst(i).lossy && law.burst(i).counted) sum += law.deviation(i, hidden), ++n;
            means.push_back(n > 0 ? sum / n : 0);
        }
        const auto at = static_cast<std::size_t>(share * static_cast<double>(means.size()));
        std::nth_element(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(at), means.end());
        return means[at];
    }

    /// By how many frames single counts scatter, if they do.
    std::optional<CountFit> scatter_of(const ModelFit& one) const {
        CountFit counts;
        counts.scatter = scatter_at(one, 0.5);
        constexpr double kNone = 0.3;  // frames: less than what rounding to whole ones leaves
        if (counts.scatter < kNone || !one.depth.value) return std::nullopt;
        counts.depth = *one.depth.value;
        counts.rate = *one.rate.value;
        counts.depth_sigma = widths_of(one.support).depth * counts.depth;
        counts.rate_sigma = widths_of(one.support).rate * counts.rate;
        counts.correlation = one.correlation;
        return counts;
    }

    static void note_violations(ModelFit& one, const std::vector<int>& rows) {
        std::set<int> all(one.violating.begin(), one.violating.end());
        all.insert(rows.begin(), rows.end());
        one.violating.assign(all.begin(), all.end());
    }

    /// What plain memories do not explain, one with a resume level, descriptors, ... may.
    void consider_features() {
        if (map_.lossy == 0 || to_the_frame_ || fit_.bursts.size() < kFewestBursts) return;
        if (std::any_of(fit_.models.begin(), fit_.models.end(),
                        [&](const ModelFit& one) { return one.feasible && !fit_.counts_used; }))
            return;
        bool resume = true;
        const auto best =
            std::max_element(fit_.models.begin(), fit_.models.end(), [](const ModelFit& a, const ModelFit& b) {
                return a.log_evidence + a.log_prior < b.log_evidence + b.log_prior;
            });
        if (!best->hidden.empty()) {
            const Goodness check = check_of(*best, fit_.bursts);
            resume = check.p_value <= kDoubtful || many_strays(*best, fit_.bursts.size()) ||
                     scatter_of_memory(*best, fit_.bursts) >= kSmallScatter;
            const bool scatters = best->counts && scatter_at(*best, kSurely) > kFrame,
                       uncertain = best->noise && best->noise->relative && best->noise->interval95.high > kSmallScatter;
            if (!resume && !scatters && !uncertain && best->strays.size() < kFewStrays) return;
        }
        const std::vector<Burst>& bursts = fit_.counts_used ? fit_.bursts : map_.flags;
        const bool payloads = std::any_of(bursts.begin(), bursts.end(),
                                          [&](const Burst& burst) { return burst.payload != bursts.front().payload; });
        std::vector<std::pair<const ModelFit*, Feature>> asked;
        for (const ModelFit& plain : fit_.models) {
            // Frames of one size fill any kind of memory alike.
            if (plain.model.per_packet || (!payloads && plain.model.unit != fit_.conditions.unit)) continue;
            if (plain.model.unit == MemorySize::Unit::Cell && fit_.conditions.cell == 0)
                continue;  // of a size that was fitted already
            for (const Feature feature : visible_features(plain.model, bursts))
                if (feature != Feature::Resume || resume) asked.emplace_back(&plain, feature);
        }
        const std::vector<Burst>& sample = measured();
        std::vector<std::optional<ModelFit>> found(asked.size());
        do_in_threads(asked.size(), [&](std::size_t i) {
            const auto& [plain, feature] = asked[i];
            found[i] = fit_feature({*plain, feature, bursts, sample, fit_.options, fit_.counts_used});
        });
        std::vector<ModelFit> features;
        for (auto& one : found)
            if (one) features.push_back(std::move(*one));
        std::move(features.begin(), features.end(), std::back_inserter(fit_.models));
    }

    std::vector<Burst> measured_flags() const {
        std::vector<Burst> bursts = measured();
        for (Burst& burst : bursts) burst.counted = false;
        return bursts;
    }

    /// Of larger maps a sample is looked at, the same one for all models, and no more is claimed than it tells.
    const std::vector<Burst>& measured() const {
        if (measured_.empty())
            measured_ = fit_.bursts.size() <= kMostSampled ? fit_.bursts
                        : counted_ || peaks_               ? sample_of(fit_.bursts, kMostSampled)
                                                           : bursts_near_loss(map_.flags, kMostSampled);
        return measured_;
    }

    void set_status() {
        const auto used = static_cast<std::ptrdiff_t>(map_.flags.size());
        const bool one_sided = map_.lossy == 0 || map_.lossy == used;
        if (!fit_.misfit.empty() && !one_sided)
            fit_.status = FitStatus::Misfit;
        else if (one_sided)
            fit_.status = FitStatus::Unbounded;
        else if (flags_explained() && (fit_.counts_used || fit_.best().feasible))
            fit_.status = FitStatus::Separated;
        else
            fit_.status =
                contradictions_.noisy(fit_.best(), fit_.counts_used) ? FitStatus::Overlap : FitStatus::Inconsistent;
        if (!one_sided) return;
        // Numbers of lost frames alone may still determine depth and rate.
        for (ModelFit& one : fit_.models)
            if (map_.lossy == 0 || !(fit_.counts_used || peaks_) || one.hidden.empty())
                one.depth = {std::nullopt, one.depth.hard, one.depth.hard, one.depth.hard};
            else if (!one.depth.interval95.low || !one.depth.interval95.high)
                one.depth.value.reset();
    }

    /// The line through numbers of lost frames may want less than a frame of memory: then it is none.
    void drop_impossible_depths() {
        for (ModelFit& one : fit_.models) {
            if (!one.depth.value || *one.depth.value >= 1) continue;
            one.depth = {std::nullopt, one.depth.hard, one.depth.hard, one.depth.hard};
            one.support.clear();
        }
    }

    /// Whether some model tells lossy from lossless bursts without exception; counts left out with single bursts do not
    /// matter for this.
    bool flags_explained() {
        return std::any_of(fit_.models.begin(), fit_.models.end(), [&](const ModelFit& one) {
            return one.feasible && (one.violating.empty() || map_.region(one.model, map_.flags).feasible());
        });
    }

    Fit& fit_;
    MapReading map_;
    Contradictions contradictions_;
    mutable std::vector<Burst> measured_;  ///< once they are asked for
    std::vector<std::optional<std::size_t>> like_;
    bool to_the_frame_ = false;  ///< some plain model explains every count
    bool counted_ = false;
    bool peaks_ = false;  ///< counters of the memory were read
};

}  // namespace

Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options) {
    if (options.jobs > 0) limit_threads(options.jobs);
    Fit fit;
    fit.conditions = conditions;
    fit.options = options;
    fit.source = map.source;
    fit.bursts = bursts_of(map, conditions, options.counts);
    if (options.noise && !options.noise->relative &&
        std::none_of(fit.bursts.begin(), fit.bursts.end(),
                     [](const Burst& burst) { return burst.lossy && burst.counted; }))
        throw InputError(map.source +
                         ": noise: found a number of frames, expected a part of a burst's length such as \"2 %\": no "
                         "numbers of lost frames are used");
    fit.set_aside = set_aside_unusable(fit.bursts);
    if (fit.bursts.empty())
        throw InputError(map.source + ": every burst was set aside, expected at least one that tells: " +
                         fit.set_aside.front().reason);
    Fitter(fit).run();
    return fit;
}

}  // namespace watershed
