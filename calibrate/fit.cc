// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <set>

#include "calibrate/burst-sample.h"
#include "calibrate/candidates.h"
#include "calibrate/contradictions.h"
#include "calibrate/estimate.h"
#include "calibrate/excess-evidence.h"
#include "calibrate/feature-fit.h"
#include "calibrate/model-choice.h"
#include "calibrate/soft-fit.h"
#include "scenarios/input-error.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

/// Log likelihood by which a model is out of reach of the best.
constexpr double kOutOfReach = 60;
/// Larger maps that some model explains without noise are taken at their word.
constexpr std::size_t kMostForNoise = 400;
/// Counts that a robust fit rejects must be few to be called faults of single bursts.
constexpr double kMostOutliers = 0.2;
/// Work on one map, from the strictest reading to the most forgiving.
class Fitter {
  public:
    explicit Fitter(Fit& fit) : fit_(fit), map_(fit.bursts, fit.options), contradictions_(map_) {
        for (const Candidate& candidate : candidates(fit.bursts, fit.conditions, fit.options)) {
            ModelFit one;
            one.model = candidate.model;
            one.log_prior = candidate.log_prior;
            fit_.models.push_back(std::move(one));
        }
        counted_ = std::any_of(fit.bursts.begin(), fit.bursts.end(), [](const Burst& burst) { return burst.lossy && burst.counted; });
    }

    void run() {
        if (counted_ && ((!surely_noisy() && explain_counts(fit_.bursts)) || fit_scattered_counts()))
            fit_.counts_used = true;
        else if (!explain(map_.flags))
            fit_contradictory();
        else
            consider_noise();
        consider_features();
        choose_model(fit_.models, fit_.conditions);
        set_status();
        drop_impossible_depths();
        keep_to_known_noise();
        fit_.bursts = seen_by(fit_.best().model, fit_.bursts);
    }

  private:
    /// Of the prior, as the posterior with noise takes it: each depth as likely per factor.
    double log_share(const ModelFit& one) const {
        const SearchBox box = map_.box(one.model);
        const double share = std::log(std::max(one.region.share, 1e-300));
        if (box.depth_high <= box.depth_low) return share;
        const double low = static_cast<double>(std::max<std::int64_t>(1, box.depth_low)), high = static_cast<double>(box.depth_high);
        const double middle = static_cast<double>(one.region.depth_low + one.region.depth_high) / 2;
        return share + std::log((high - low + 1) / (middle * std::log(high / low)));
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

    bool explained_by_some(const std::vector<Burst>& bursts) const {
        return std::any_of(fit_.models.begin(), fit_.models.end(), [&](const ModelFit& one) { return map_.region(one.model, bursts).feasible(); });
    }

    /// Regions that explain every number of lost frames. Where only inputs with memories of their own do, whose losses are known
    /// less exactly, scattered numbers in another kind of memory must not be the better explanation.
    bool explain_counts(const std::vector<Burst>& bursts) {
        if (!explain(bursts)) return false;
        to_the_frame_ |= bursts.size() == fit_.bursts.size();
        double hard = -HUGE_VAL;
        for (ModelFit& one : fit_.models) {
            if (!one.feasible) continue;
            const double evidence = log_evidence_of_excess(one, seen_by(one.model, bursts));
            one.log_evidence += evidence;
            hard = std::max(hard, evidence);
        }
        if (hard == 0) return true;
        for (const ModelFit& one : fit_.models) {
            const auto scattered = counts_of(one.model, bursts);
            if (scattered && scattered->log_likelihood > hard) return false;
        }
        return true;
    }

    std::optional<CountFit> counts_of(const QueueModel& model, const std::vector<Burst>& bursts) const {
        std::optional<double> rate, depth;
        if (fit_.options.service_rate) rate = static_cast<double>(fit_.options.service_rate->count);
        if (fit_.options.depth) depth = static_cast<double>(fit_.options.depth->amount);
        return fit_counts(model, seen_by(model, bursts), rate, depth);
    }

    /// Numbers of lost frames that no model explains to the frame: robust fit, then once more without the bursts it rejects.
    bool fit_scattered_counts() {
        for (ModelFit& one : fit_.models) one.counts = counts_of(one.model, fit_.bursts);
        const auto better = [](const ModelFit& a, const ModelFit& b) {
            return (a.counts ? a.counts->log_likelihood : -HUGE_VAL) < (b.counts ? b.counts->log_likelihood : -HUGE_VAL);
        };
        const ModelFit& best = *std::max_element(fit_.models.begin(), fit_.models.end(), better);
        if (!best.counts) return false;
        const std::vector<int> outliers = best.counts->outliers;
        const double best_likelihood = best.counts->log_likelihood, best_scatter = best.counts->scatter;
        const bool few = static_cast<double>(outliers.size()) <= kMostOutliers * static_cast<double>(fit_.bursts.size());
        if (!outliers.empty() && few && explained_by_some(without(fit_.bursts, outliers)) && !features_explain(outliers) && explain_counts(without(fit_.bursts, outliers))) {
            for (ModelFit& one : fit_.models) one.counts.reset(), note_violations(one, outliers);
            return true;
        }
        for (ModelFit& one : fit_.models) {
            one.region = map_.region(one.model, one.counts ? without(map_.flags, one.counts->outliers) : map_.flags);
            one.feasible = one.region.feasible();
            // The grid and the exceptions cost time, and a model that is out of reach does not need them.
            const bool in_reach = one.counts && one.counts->log_likelihood + merit_of_whole_frames(one.model, best_scatter) > best_likelihood - kOutOfReach;
            if (!one.feasible && in_reach) contradictions_.remove(one);
            one.log_evidence = -HUGE_VAL;
            if (!one.counts) continue;
            note_violations(one, one.counts->outliers);
            one.log_evidence = one.counts->log_likelihood;
            one.support.clear();
            estimate_from_counts(one);
            if (in_reach) estimate_from_noisy_counts(one, seen_by(one.model, counted_sample()), map_.box(one.model), fit_.options.noise);
        }
        return true;
    }

    /// Log likelihood that the straight-line fit may lose because it takes the room that whole frames leave free for scatter.
    double merit_of_whole_frames(const QueueModel& model, double scatter) const {
        if (model.unit == MemorySize::Unit::Frame) return 0;
        constexpr double kRounding = 0.2887;   // of a number rounded down, 1/sqrt(12)
        double merit = 0;
        for (const Burst& burst : fit_.bursts)
            if (burst.counted && burst.lossy) merit += std::log(std::hypot(scatter, kRounding * static_cast<double>(model.memories(burst))) / scatter);
        return merit;
    }

    static void note_violations(ModelFit& one, const std::vector<int>& rows) {
        std::set<int> all(one.violating.begin(), one.violating.end());
        all.insert(rows.begin(), rows.end());
        one.violating.assign(all.begin(), all.end());
    }

    /// A model that explains every burst may do so by luck, where noise keeps the right one from it: all are judged with noise too.
    void consider_noise() {
        const bool one_sided = map_.lossy == 0 || map_.lossy == static_cast<std::ptrdiff_t>(map_.flags.size());
        if (map_.no_noise() || one_sided || (map_.flags.size() > kMostForNoise && !surely_noisy()) || map_.flags.size() < kFewestBursts) return;
        for (ModelFit& one : fit_.models) {
            if (one.feasible)
                watershed::allow_for_noise(one, seen_by(one.model, near_loss()), map_.box(one.model), fit_.options.noise);
            else
                contradictions_.take_for_noise({{&one, contradictions_.leave_out(one)}}, near_loss());
        }
    }

    /// What plain memories do not explain exactly, one with a resume level, descriptors, ... may.
    void consider_features() {
        // Cells of some size explain two payloads of any kind.
        const auto exact = [&](const ModelFit& one) { return one.feasible && !one.counts && (fit_.counts_used || fit_.conditions.cell > 0 || one.model.unit != MemorySize::Unit::Cell); };
        if (map_.lossy == 0 || to_the_frame_ || std::any_of(fit_.models.begin(), fit_.models.end(), exact)) return;
        if (features_.empty()) features_ = fitted_features(fit_.counts_used ? fit_.bursts : map_.flags, fit_.counts_used);
        std::move(features_.begin(), features_.end(), std::back_inserter(fit_.models));
    }

    /// Whether the bursts that plain memories would leave out are no faults of the apparatus but have a reason in common.
    bool features_explain(const std::vector<int>& outliers) {
        constexpr std::size_t kFewest = 2;
        if (outliers.size() < kFewest || to_the_frame_) return false;
        for (ModelFit& one : fit_.models)
            if (one.counts) estimate_from_counts(one);
        for (ModelFit& found : fitted_features(fit_.bursts, true))
            if (found.violating.size() < outliers.size() / 2) features_.push_back(std::move(found));
        return !features_.empty();
    }

    std::vector<ModelFit> fitted_features(const std::vector<Burst>& bursts, bool counts) const {
        std::vector<ModelFit> all;
        if (bursts.size() < kFewestBursts) return all;
        const bool payloads = std::any_of(bursts.begin(), bursts.end(), [&](const Burst& burst) { return burst.payload != bursts.front().payload; });
        const std::vector<Burst>& measured = counts ? counted_sample() : near_loss();
        std::vector<std::future<std::optional<ModelFit>>> found;
        for (const ModelFit& plain : fit_.models) {
            // Frames of one size fill any kind of memory alike.
            if (plain.model.per_packet || (!payloads && plain.model.unit != fit_.conditions.unit)) continue;
            if (plain.model.unit == MemorySize::Unit::Cell && fit_.conditions.cell == 0) continue;   // of a size that was fitted already
            for (const Feature feature : visible_features(plain.model, bursts))
                found.push_back(std::async(std::launch::async, [&, feature] { return fit_feature({plain, feature, bursts, measured, fit_.options, counts}); }));
        }
        for (auto& one : found)
            if (auto fit = one.get()) all.push_back(std::move(*fit));
        return all;
    }

    void fit_contradictory() {
        std::vector<LeastContradiction> least;
        std::size_t fewest = SIZE_MAX;
        for (ModelFit& one : fit_.models) {
            least.push_back(contradictions_.leave_out(one));
            fewest = std::min(fewest, one.violating.size());
        }
        // The posterior takes time, and a model with many more exceptions than another is out of its reach.
        constexpr std::size_t kMore = 20;
        std::vector<Contradictory> in_reach;
        for (std::size_t i = 0; i < least.size(); ++i)
            if (fit_.models[i].violating.size() <= fewest + fewest / 2 + kMore) in_reach.push_back({&fit_.models[i], least[i]});
        contradictions_.take_for_noise(in_reach, near_loss());
    }

    /// Of larger maps a sample is looked at where noise counts, the same one for all models, and no more is claimed than it tells.
    const std::vector<Burst>& near_loss() const {
        constexpr std::size_t kMostSettings = 350;
        if (near_loss_.empty()) near_loss_ = bursts_near_loss(map_.flags, kMostSettings);
        return near_loss_;
    }
    const std::vector<Burst>& counted_sample() const {
        constexpr std::size_t kMostBursts = 500;
        if (counted_sample_.empty()) counted_sample_ = sample_of(fit_.bursts, kMostBursts);
        return counted_sample_;
    }

    void set_status() {
        const auto used = static_cast<std::ptrdiff_t>(map_.flags.size());
        if (map_.lossy == 0 || map_.lossy == used)
            fit_.status = FitStatus::Unbounded;
        else if (flags_explained() && (fit_.counts_used || fit_.best().feasible))
            fit_.status = FitStatus::Separated;
        else
            fit_.status = contradictions_.noisy(fit_.best(), fit_.counts_used) ? FitStatus::Overlap : FitStatus::Inconsistent;
        if (fit_.status == FitStatus::Separated && !fit_.models.front().noise && !map_.no_noise()) fit_.models.front().noise = noise_limit(fit_.best(), seen_by(fit_.best().model, near_loss()), fit_.options.noise);
        if (fit_.status != FitStatus::Unbounded || map_.lossy == 0) return;
        for (ModelFit& one : fit_.models)   // counts alone may still determine depth and rate
            if (!fit_.counts_used || one.region.rate_open) one.depth = {std::nullopt, one.depth.hard, one.depth.hard, one.depth.hard};
    }

    /// The line through numbers of lost frames may want less than a frame of memory: then it is none.
    void drop_impossible_depths() {
        for (ModelFit& one : fit_.models) {
            if (!one.depth.value || *one.depth.value >= 1) continue;
            one.depth = {std::nullopt, one.depth.hard, one.depth.hard, one.depth.hard};
            one.support.clear();
        }
    }

    bool surely_noisy() const { return fit_.options.noise && fit_.options.noise->low > 0; }

    void keep_to_known_noise() {
        if (!fit_.options.noise) return;
        const KnownNoise& known = *fit_.options.noise;
        for (ModelFit& one : fit_.models) {
            if (!one.noise) continue;
            one.noise->known = known.low == known.high;
            for (auto* const value : {&one.noise->value, &one.noise->interval95.low, &one.noise->interval95.high})
                if (*value) *value = std::clamp(**value, known.low, known.high);
        }
    }

    /// Whether some model tells lossy from lossless bursts without exception; counts left out with single bursts do not matter for this.
    bool flags_explained() {
        return std::any_of(fit_.models.begin(), fit_.models.end(), [&](const ModelFit& one) {
            return one.feasible && (one.violating.empty() || map_.region(one.model, map_.flags).feasible());
        });
    }

    Fit& fit_;
    MapReading map_;
    Contradictions contradictions_;
    mutable std::vector<Burst> near_loss_, counted_sample_;   ///< once they are asked for
    std::vector<ModelFit> features_;   ///< models that have one
    bool to_the_frame_ = false;        ///< some plain model explains every count
    bool counted_ = false;
};

}  // namespace

std::string to_text(FitStatus status) {
    switch (status) {
        case FitStatus::Separated: return "separated";
        case FitStatus::Overlap: return "overlap";
        case FitStatus::Inconsistent: return "inconsistent";
        case FitStatus::Unbounded: return "unbounded";
        case FitStatus::Misfit: return "misfit";
    }
    return "";
}

Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options) {
    Fit fit;
    fit.conditions = conditions;
    fit.options = options;
    fit.source = map.source;
    fit.bursts = bursts_of(map, conditions, options.counts);
    if (options.noise && !options.noise->relative && std::none_of(fit.bursts.begin(), fit.bursts.end(), [](const Burst& burst) { return burst.lossy && burst.counted; }))
        throw InputError(map.source + ": noise: found a number of frames, expected a part of a burst's length such as \"2 %\": no numbers of lost frames are used");
    fit.set_aside = set_aside_late(fit.bursts);
    if (fit.bursts.empty())
        throw InputError(map.source + ": every burst was set aside because a trigger came late, expected at least one that was sent in time");
    Fitter(fit).run();
    return fit;
}

SearchBox known_box(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options) {
    SearchBox box = search_box(model, bursts);
    if (options.depth) {
        box.depth_low = box.depth_high = options.depth->amount;
        box.depth_known = true;
    }
    if (options.depth_bounds) {
        box.depth_low = options.depth_bounds->first.amount;
        box.depth_high = options.depth_bounds->second.amount;
        box.depth_bounded = true;
    }
    if (options.service_rate_bounds) {
        box.rate_low = static_cast<double>(options.service_rate_bounds->first.count);
        box.rate_high = static_cast<double>(options.service_rate_bounds->second.count) * (1 + 1e-12);
        box.rate_bounded = true;
    }
    if (options.service_rate) {
        const double rate = static_cast<double>(options.service_rate->count);
        double loosest = 0;
        for (const Burst& burst : bursts) {
            const double slot = 8e12 * static_cast<double>(burst.wire) / rate;
            loosest = std::max(loosest, 1 - slot / std::ceil(slot - 1e-6));
        }
        constexpr double kRounding = 1e-12;   // of the quotients that may reach it
        box.rate_low = rate * (1 - loosest);
        box.rate_high = rate * (1 + kRounding);
        box.rate_known = true;
    }
    return box;
}

}  // namespace watershed
