// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <set>

#include "calibrate/burst-sample.h"
#include "calibrate/candidates.h"
#include "calibrate/estimate.h"
#include "calibrate/feature-fit.h"
#include "calibrate/model-choice.h"
#include "calibrate/soft-fit.h"
#include "scenarios/input-error.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

/// Exceptions whose burst length is this close to the watershed, as a logarithm, may be noise.
constexpr double kNoise = 0.1;
/// Or within so many standard deviations of the noise that was fitted.
constexpr double kNoiseSigmas = 4;
/// Log likelihood by which a model is out of reach of the best.
constexpr double kOutOfReach = 60;
/// Larger maps that some model explains without noise are taken at their word.
constexpr std::size_t kMostForNoise = 400;
/// And so may those whose count misses by this share of the burst: near the asymptote few frames are many events.
constexpr double kCountNoise = 0.01;
/// Noise is no explanation where the exceptions are a larger share of the map, or where fewer other bursts are left.
constexpr double kMostExceptions = 0.3;
/// Nor where more than this share of the map lies beyond its reach.
constexpr double kMostBeyondNoise = 0.05;
constexpr std::size_t kFewestBursts = 8;
/// Counts that a robust fit rejects must be few to be called faults of single bursts.
constexpr double kMostOutliers = 0.2;
/// Rows that a contradictory map may cost are put back one by one up to this number.
constexpr std::size_t kMostPutBack = 100, kMostPutBackOfLarge = 2, kLarge = 5000;

std::vector<Burst> as_flags(std::vector<Burst> bursts) {
    for (Burst& burst : bursts) burst.counted = false;
    return bursts;
}

std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows) {
    std::vector<bool> out;
    for (const int row : rows) {
        out.resize(std::max(out.size(), static_cast<std::size_t>(row) + 1), false);
        out[static_cast<std::size_t>(row)] = true;
    }
    std::vector<Burst> kept;
    kept.reserve(bursts.size());
    for (const Burst& burst : bursts)
        if (static_cast<std::size_t>(burst.row) >= out.size() || !out[static_cast<std::size_t>(burst.row)]) kept.push_back(burst);
    return kept;
}

/// Work on one map, from the strictest reading to the most forgiving.
class Fitter {
  public:
    explicit Fitter(Fit& fit) : fit_(fit), flags_(as_flags(fit.bursts)) {
        for (const Candidate& candidate : candidates(fit.bursts, fit.conditions, fit.options)) {
            ModelFit one;
            one.model = candidate.model;
            one.log_prior = candidate.log_prior;
            fit_.models.push_back(std::move(one));
        }
        lossy_ = std::count_if(flags_.begin(), flags_.end(), [](const Burst& burst) { return burst.lossy; });
        counted_ = std::any_of(fit.bursts.begin(), fit.bursts.end(), [](const Burst& burst) { return burst.lossy && burst.counted; });
    }

    void run() {
        if (counted_ && ((!surely_noisy() && explain_counts(fit_.bursts)) || fit_scattered_counts()))
            fit_.counts_used = true;
        else if (!explain(flags_))
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
        const SearchBox box = box_of(one.model);
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
            one.region = region_of(one.model, bursts);
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
        return std::any_of(fit_.models.begin(), fit_.models.end(), [&](const ModelFit& one) { return region_of(one.model, bursts).feasible(); });
    }

    /// Regions that explain every number of lost frames. Where only inputs with memories of their own do, whose losses are known
    /// less exactly, scattered numbers in another kind of memory must not be the better explanation.
    bool explain_counts(const std::vector<Burst>& bursts) {
        if (!explain(bursts)) return false;
        to_the_frame_ |= bursts.size() == fit_.bursts.size();
        double hard = -HUGE_VAL;
        for (ModelFit& one : fit_.models) {
            if (!one.feasible) continue;
            const double evidence = log_probability_of_excess(one, seen_by(one.model, bursts));
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

    /// Of the losses beyond the closed form, on average over the region.
    static double log_probability_of_excess(const ModelFit& one, const std::vector<Burst>& bursts) {
        constexpr int kRates = 200;
        constexpr std::size_t kSlices = 5, kBursts = 1000;
        if (one.model.pools() != QueueModel::Pools::Input) return 0;
        std::vector<double> logs;
        double width = 0;
        const std::size_t step = one.region.slices.size() / kSlices + 1, stride = bursts.size() / kBursts + 1;
        for (std::size_t s = 0; s < one.region.slices.size(); s += step) {
            const DepthSlice& slice = one.region.slices[s];
            const double part = slice.weight * (slice.rate_high > slice.rate_low ? slice.rate_high - slice.rate_low : 1);
            width += part;
            for (int i = 0; i < kRates; ++i) {
                const double rate = slice.rate_low + (slice.rate_high - slice.rate_low) * i / kRates;
                logs.push_back(watershed::log_probability_of_excess(one.model, bursts, slice.first, rate, stride) + std::log(part / kRates));
            }
        }
        const double most = *std::max_element(logs.begin(), logs.end());
        double sum = 0;
        for (const double value : logs) sum += std::exp(value - most);
        return most + std::log(sum / width);
    }

    SearchBox box_of(const QueueModel& model) const { return known_box(model, seen_by(model, fit_.bursts), fit_.options); }

    FeasibleRegion region_of(const QueueModel& model, const std::vector<Burst>& bursts) const {
        return feasible_region(model, seen_by(model, bursts), box_of(model));
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
            one.region = region_of(one.model, one.counts ? without(flags_, one.counts->outliers) : flags_);
            one.feasible = one.region.feasible();
            // The grid and the exceptions cost time, and a model that is out of reach does not need them.
            const bool in_reach = one.counts && one.counts->log_likelihood + merit_of_whole_frames(one.model, best_scatter) > best_likelihood - kOutOfReach;
            if (!one.feasible && in_reach) remove_contradictions(one);
            one.log_evidence = -HUGE_VAL;
            if (!one.counts) continue;
            note_violations(one, one.counts->outliers);
            one.log_evidence = one.counts->log_likelihood;
            one.support.clear();
            estimate_from_counts(one);
            if (in_reach) estimate_from_noisy_counts(one, seen_by(one.model, counted_sample()), box_of(one.model), fit_.options.noise);
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
        const bool one_sided = lossy_ == 0 || lossy_ == static_cast<std::ptrdiff_t>(flags_.size());
        if (no_noise() || one_sided || (flags_.size() > kMostForNoise && !surely_noisy()) || flags_.size() < kFewestBursts) return;
        for (ModelFit& one : fit_.models) {
            if (one.feasible)
                watershed::allow_for_noise(one, seen_by(one.model, near_loss()), box_of(one.model), fit_.options.noise);
            else
                take_contradictions_for_noise({{&one, leave_contradictions_out(one)}});
        }
    }

    /// What plain memories do not explain exactly, one with a resume level, descriptors, ... may.
    void consider_features() {
        // Cells of some size explain two payloads of any kind.
        const auto exact = [&](const ModelFit& one) { return one.feasible && !one.counts && (fit_.counts_used || fit_.conditions.cell > 0 || one.model.unit != MemorySize::Unit::Cell); };
        if (lossy_ == 0 || to_the_frame_ || std::any_of(fit_.models.begin(), fit_.models.end(), exact)) return;
        if (features_.empty()) features_ = fitted_features(fit_.counts_used ? fit_.bursts : flags_, fit_.counts_used);
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
            least.push_back(leave_contradictions_out(one));
            fewest = std::min(fewest, one.violating.size());
        }
        // The posterior takes time, and a model with many more exceptions than another is out of its reach.
        constexpr std::size_t kMore = 20;
        std::vector<Contradictory> in_reach;
        for (std::size_t i = 0; i < least.size(); ++i)
            if (fit_.models[i].violating.size() <= fewest + fewest / 2 + kMore) in_reach.push_back({&fit_.models[i], least[i]});
        take_contradictions_for_noise(in_reach);
    }

    struct Contradictory {
        ModelFit* one = nullptr;
        LeastContradiction least;
    };

    /// Of larger maps a sample is looked at where noise counts, the same one for all models, and no more is claimed than it tells.
    const std::vector<Burst>& near_loss() const {
        constexpr std::size_t kMostSettings = 350;
        if (near_loss_.empty()) near_loss_ = bursts_near_loss(flags_, kMostSettings);
        return near_loss_;
    }
    const std::vector<Burst>& counted_sample() const {
        constexpr std::size_t kMostBursts = 500;
        if (counted_sample_.empty()) counted_sample_ = sample_of(fit_.bursts, kMostBursts);
        return counted_sample_;
    }

    LeastContradiction leave_contradictions_out(ModelFit& one) const {
        const LeastContradiction least = remove_contradictions(one);
        estimate_from_region(one, seen_by(one.model, without(flags_, one.violating)));
        // What each row costs that is left unexplained: to name it among all.
        one.log_evidence = -static_cast<double>(one.violating.size()) * std::log(static_cast<double>(fit_.bursts.size()) + 1);
        return least;
    }

    /// With noise all are judged by the same bursts: what even the best of them leaves unexplained, if that is little, is left out.
    void take_contradictions_for_noise(const std::vector<Contradictory>& all) const {
        struct Noisy {
            ModelFit *one, start, soft;
            std::vector<int> beyond;
        };
        std::vector<Noisy> noisy;
        for (const auto& [one, least] : all) {
            if (!scattered(*one)) continue;
            ModelFit start = *one;
            if (!start.region.feasible()) start.depth.value = least.depth, start.rate.value = least.rate;
            ModelFit soft = with_noise(start, near_loss());
            if (!soft.noise) continue;
            std::vector<int> beyond = beyond_noise(soft);
            // What is left must still scatter.
            if (!beyond.empty() && (static_cast<double>(beyond.size()) > kMostBeyondNoise * static_cast<double>(flags_.size()) || region_of(one->model, without(flags_, beyond)).feasible())) continue;
            noisy.push_back({one, std::move(start), std::move(soft), std::move(beyond)});
        }
        if (noisy.empty()) return;
        const std::vector<int> left_out = std::min_element(noisy.begin(), noisy.end(), [](const Noisy& a, const Noisy& b) { return a.beyond.size() < b.beyond.size(); })->beyond;
        for (auto& [one, start, soft, beyond] : noisy) {
            if (!left_out.empty()) soft = with_noise(start, without(near_loss(), left_out));
            if (!soft.noise) continue;
            soft.log_evidence -= static_cast<double>(left_out.size()) * std::log(static_cast<double>(fit_.bursts.size()) + 1);
            *one = std::move(soft);
        }
    }

    ModelFit with_noise(ModelFit one, const std::vector<Burst>& bursts) const {
        estimate_from_noisy_flags(one, seen_by(one.model, bursts), box_of(one.model), fit_.options.noise);
        return one;
    }

    /// Leaves the region of a consistent part of the map, as large a part as few trials find.
    LeastContradiction remove_contradictions(ModelFit& one) const {
        const SearchBox box = box_of(one.model);
        const LeastContradiction least = least_contradiction(one.model, seen_by(one.model, flags_), box.depth_low, box.depth_high, box.rate_low, box.rate_high);
        one.violating = least.rows;
        one.region = region_of(one.model, without(flags_, one.violating));
        for (std::size_t i = 0, trials = 0; one.region.feasible() && i < one.violating.size() && trials < (flags_.size() > kLarge ? kMostPutBackOfLarge : kMostPutBack); ++trials) {
            std::vector<int> fewer = one.violating;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            FeasibleRegion region = region_of(one.model, without(flags_, fewer));
            if (region.feasible()) {
                one.violating.swap(fewer);
                one.region = std::move(region);
            } else {
                ++i;
            }
        }
        std::sort(one.violating.begin(), one.violating.end());
        return least;
    }

    /// Whether the exceptions are few enough to be noise.
    bool scattered(const ModelFit& one) const {
        const std::size_t left = flags_.size() - one.violating.size();
        return !no_noise() && left >= kFewestBursts && lossy_ > 0 && lossy_ < static_cast<std::ptrdiff_t>(flags_.size()) &&
               static_cast<double>(one.violating.size()) <= kMostExceptions * static_cast<double>(flags_.size());
    }

    /// The exceptions of this model that lie too far from its watershed to be noise.
    std::vector<int> beyond_noise(const ModelFit& one) const {
        double reach = fit_.options.noise ? 0 : kNoise;
        if (one.noise && one.noise->relative && one.noise->value) reach = std::max(reach, kNoiseSigmas * *one.noise->interval95.high);
        const std::set<int> exceptions(one.violating.begin(), one.violating.end());
        std::vector<int> beyond;
        for (const Burst& burst : seen_by(one.model, flags_)) {
            if (exceptions.count(burst.row) == 0) continue;
            const auto drained = static_cast<std::int64_t>(burst.drain() * *one.rate.value);
            const std::int64_t lost = frames_lost(one.model, burst, one.model.room(burst, static_cast<std::int64_t>(*one.depth.value)), drained);
            if ((lost > 0) == burst.lossy) continue;   // only its number contradicts
            if (fit_.counts_used && static_cast<double>(std::abs(burst.lost - lost)) <= kCountNoise * static_cast<double>(burst.fragments())) continue;
            const auto longest = longest_lossless(one.model, burst, burst.spacing, *one.depth.value, *one.rate.value);
            if (!longest || *longest <= 0 || std::abs(std::log(static_cast<double>(burst.events) / static_cast<double>(*longest))) > reach) beyond.push_back(burst.row);
        }
        return beyond;
    }

    bool noisy(const ModelFit& one) const { return scattered(one) && one.depth.value && one.rate.value && beyond_noise(one).empty(); }

    void set_status() {
        const auto used = static_cast<std::ptrdiff_t>(flags_.size());
        if (lossy_ == 0 || lossy_ == used)
            fit_.status = FitStatus::Unbounded;
        else if (flags_explained() && (fit_.counts_used || fit_.best().feasible))
            fit_.status = FitStatus::Separated;
        else
            fit_.status = noisy(fit_.best()) ? FitStatus::Overlap : FitStatus::Inconsistent;
        if (fit_.status == FitStatus::Separated && !fit_.models.front().noise && !no_noise()) fit_.models.front().noise = noise_limit(fit_.best(), seen_by(fit_.best().model, near_loss()), fit_.options.noise);
        if (fit_.status != FitStatus::Unbounded || lossy_ == 0) return;
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
    bool no_noise() const { return fit_.options.noise && fit_.options.noise->none(); }

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
            return one.feasible && (one.violating.empty() || region_of(one.model, flags_).feasible());
        });
    }

    Fit& fit_;
    std::vector<Burst> flags_;
    mutable std::vector<Burst> near_loss_, counted_sample_;   ///< once they are asked for
    std::vector<ModelFit> features_;   ///< models that have one
    bool to_the_frame_ = false;        ///< some plain model explains every count
    std::ptrdiff_t lossy_ = 0;
    bool counted_ = false;
};

}  // namespace

std::string to_text(FitStatus status) {
    switch (status) {
        case FitStatus::Separated: return "separated";
        case FitStatus::Overlap: return "overlap";
        case FitStatus::Inconsistent: return "inconsistent";
        case FitStatus::Unbounded: return "unbounded";
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
