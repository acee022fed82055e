// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "calibrate/information.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

/// Nearer to saturation the watershed is steeper than clocks are accurate.
constexpr double kSteepest = 0.97;
/// Below this a burst is not worth its time.
constexpr double kLeastInformation = 0.01;
/// What stands for "no length loses".
constexpr double kAnyLength = 1e9;
/// A burst that noise may have changed is worth repeating so many times.
constexpr int kMostRepeats = 4;
/// Lengths relative to the longest that may be lossless, from which frames are lost for certain and can be counted.
constexpr double kCountAt[] = {1.02, 1.05, 1.1, 1.25, 1.6, 2.5};

std::string percent(double share) {
    std::ostringstream out;
    out.precision(3);
    out << share * 100 << " %";
    return out.str();
}

std::string known_to(double relative_half_width) {
    if (relative_half_width == 0) return " is known exactly";
    return " is known to +-" + percent(relative_half_width) + " (95 %)";
}

std::string name_of(const AdviceOptions& options) {
    switch (options.target) {
        case AdviceTarget::Depth: return "depth";
        case AdviceTarget::Rate: return "service rate";
        case AdviceTarget::Watershed: return "watershed at " + to_text(options.watershed_at);
    }
    return "";
}

class Advisor {
  public:
    Advisor(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options)
        : fit_(fit), prior_(prior), options_(options), belief_(belief_of(fit, prior)) {
        for (const SupportPoint& point : belief_.points) targets_.push_back(target_of(point));
        if (!fit) return;
        for (const Burst& burst : fit->bursts)
            if (burst.ports == prior.like.ports && burst.payload == prior.like.payload && burst.uplinks == prior.like.uplinks) ++measured_[{burst.separation, burst.events}];
    }

    /// The best burst of each separation.
    std::vector<AdvisedPoint> best() const {
        std::vector<AdvisedPoint> all;
        for (const Time separation : separations()) {
            const Informant informant = informant_at(separation);
            std::optional<AdvisedPoint> here;
            for (const std::int64_t events : lengths(informant)) {
                if (known_already(separation, events)) continue;
                const AdvisedPoint point = judged(informant, separation, events);
                if (!here || point.bits_per_second() > here->bits_per_second()) here = point;
            }
            if (here && here->information_bits >= kLeastInformation) all.push_back(*here);
        }
        std::stable_sort(all.begin(), all.end(), [](const AdvisedPoint& a, const AdvisedPoint& b) { return a.bits_per_second() > b.bits_per_second(); });
        if (all.size() > options_.points) all.resize(options_.points);
        return all;
    }

    /// The bursts that limit the answer, as far as each was seen once only: noise could have made them, and would show in a repeat.
    std::vector<AdvisedPoint> confirmations() const {
        std::vector<AdvisedPoint> points;
        if (!fit_ || (fit_->options.noise && fit_->options.noise->none()) || belief_.threshold_scale > 0 || belief_.count_noise > 0) return points;
        const std::vector<int>& rows = fit_->best().region.binding;
        for (const Burst& burst : fit_->bursts) {
            const auto times = measured_.find({burst.separation, burst.events});
            if (!std::binary_search(rows.begin(), rows.end(), burst.row) || times == measured_.end() || times->second > 1) continue;
            points.push_back(judged(informant_at(burst.separation), burst.separation, burst.events));
            points.back().reason = std::string("repeat of row ") + std::to_string(burst.row) + ", which limits the answer: should " + (burst.lossy ? "lose frames again" : "lose nothing again");
        }
        return points;
    }

    /// Two bursts, just beyond what is left open on either side, where nothing was measured yet.
    std::vector<AdvisedPoint> probes() const {
        std::optional<Time> farthest;
        std::int64_t most = -1;
        const std::vector<Time> all = separations();
        for (const Time separation : all) {
            std::int64_t distance = INT64_MAX;
            for (const auto& [setting, times] : measured_) distance = std::min(distance, std::abs((setting.first - separation).count()));
            if (distance > most && separation != all.back()) farthest = separation, most = distance;
        }
        if (!farthest) return {};
        const Informant informant = informant_at(*farthest);
        const auto low = informant.longest_lossless_quantile(0.025), high = informant.longest_lossless_quantile(0.975);
        if (!low || !high || *low < 1) return {};
        // Beyond the noise, and at least as far as the wanted precision goes.
        const double margin = std::max(options_.precision, 3 * belief_.threshold_scale);
        const Generator& generator = options_.generator;
        AdvisedPoint lossless = judged(informant, *farthest, generator.nearest(static_cast<std::int64_t>(std::floor(static_cast<double>(*low) * (1 - margin)))));
        AdvisedPoint lossy = judged(informant, *farthest, generator.at_least(static_cast<std::int64_t>(std::ceil(static_cast<double>(*high + 1) * (1 + margin)))));
        lossless.reason = "should lose nothing";
        lossy.reason = "should lose frames";
        return {lossless, lossy};
    }

    /// The bursts that contradict the others, as far as they have not been repeated.
    std::vector<AdvisedPoint> repeats() const {
        std::vector<AdvisedPoint> points;
        std::set<std::pair<Time, std::int64_t>> named;
        const std::vector<int>& rows = fit_->best().violating;
        for (const Burst& burst : fit_->bursts) {
            const auto setting = std::make_pair(burst.separation, burst.events);
            if (!std::binary_search(rows.begin(), rows.end(), burst.row) || points.size() >= options_.points) continue;
            const auto times = measured_.find(setting);
            if (times == measured_.end() || times->second >= kMostRepeats || !named.insert(setting).second) continue;
            AdvisedPoint point = judged(informant_at(burst.separation), burst.separation, burst.events);
            point.reason = "repeat: row " + std::to_string(burst.row) + " contradicts the others";
            points.push_back(point);
        }
        return points;
    }

    /// As the fit says where it says so.
    std::optional<TargetEstimate> estimate() const {
        if (!belief_.measured) return std::nullopt;
        const Estimate* fitted = options_.target == AdviceTarget::Depth ? &fit_->best().depth : options_.target == AdviceTarget::Rate ? &fit_->best().rate : nullptr;
        if (fitted && fitted->value && fitted->interval95.low && fitted->interval95.high)
            return TargetEstimate{*fitted->value, (*fitted->interval95.high - *fitted->interval95.low) / 2 / *fitted->value};
        const double middle = quantile(0.5);
        const double whole = options_.target == AdviceTarget::Watershed ? 1 : 0;   // lengths are whole events
        return TargetEstimate{middle, (quantile(0.975) - quantile(0.025) + whole) / 2 / middle};
    }

    /// Whether no burst of any length is believed to lose frames at the separation that is asked for.
    bool no_watershed() const { return options_.target == AdviceTarget::Watershed && !targets_.empty() && quantile(0.025) >= kAnyLength; }

  private:
    Time spacing_of(Time separation) const { return std::max(separation, prior_.slot); }
    Informant informant_at(Time separation) const {
        constexpr double kSigmas95 = 1.96;
        return {belief_, prior_.like, separation, spacing_of(separation), targets_, options_.precision / kSigmas95};
    }

    /// A burst whose outcome is certain to be what it was. Noise makes repeats worth while.
    bool known_already(Time separation, std::int64_t events) const {
        const auto found = measured_.find({separation, events});
        if (found == measured_.end()) return false;
        const bool noisy = belief_.threshold_scale > 0 || belief_.count_noise > 0;
        return !noisy || found->second >= kMostRepeats;
    }

    double target_of(const SupportPoint& point) const {
        if (options_.target == AdviceTarget::Depth) return std::max(point.depth, 1.0);
        if (options_.target == AdviceTarget::Rate) return point.rate;
        const auto longest = longest_lossless(belief_.model, prior_.like, spacing_of(options_.watershed_at), point.depth, point.rate);
        return longest ? static_cast<double>(*longest) + 0.5 : kAnyLength;
    }

    double quantile(double share) const {
        std::vector<std::pair<double, double>> sorted;
        for (std::size_t i = 0; i < targets_.size(); ++i) sorted.emplace_back(targets_[i], belief_.points[i].weight);
        std::sort(sorted.begin(), sorted.end());
        double sum = 0;
        for (const auto& [value, weight] : sorted)
            if ((sum += weight) >= share) return value;
        return sorted.back().first;
    }

    /// From the shortest that the links can follow to where the watershed becomes too steep, for slow, middling and fast switches of the belief.
    std::vector<Time> separations() const {
        std::vector<std::pair<double, double>> rates;
        for (const SupportPoint& point : belief_.points) rates.emplace_back(point.rate, point.weight);
        std::sort(rates.begin(), rates.end());
        std::vector<double> asymptotes;
        double sum = 0;
        for (const auto& [rate, weight] : rates) {
            sum += weight;
            if (rate <= 0 || sum < 0.1 + 0.4 * static_cast<double>(asymptotes.size())) continue;
            const double modules = static_cast<double>(belief_.model.fullest(prior_.like));
            const double asymptote = modules * 8e12 * static_cast<double>(prior_.like.wire) / rate;
            constexpr double kSame = 0.9;   // of the one before, which is longer
            if (asymptotes.empty() || asymptote < kSame * asymptotes.back()) asymptotes.push_back(asymptote);
            else asymptotes.push_back(asymptotes.back());
        }
        const Generator& generator = options_.generator;
        const double last = asymptotes.empty() ? 0 : kSteepest * asymptotes.front() * (1 + 1e-9);
        std::set<Time> result;
        if (!generator.separations.empty()) {
            for (const Time separation : generator.separations)
                if (static_cast<double>(separation.count()) <= last) result.insert(separation);
        } else {
            for (const double asymptote : asymptotes)
                for (const double share : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, kSteepest}) {
                    const Time separation = generator.at_least(std::max(Time{static_cast<std::int64_t>(share * asymptote)}, prior_.slot));
                    if (static_cast<double>(separation.count()) <= last) result.insert(separation);
                }
        }
        if (result.empty()) result.insert(generator.at_least(prior_.slot));
        return {result.begin(), result.end()};
    }

    /// Where believed watersheds differ: just above some of their quantiles; and longer bursts that are worth counting.
    std::set<std::int64_t> lengths(const Informant& informant) const {
        constexpr int kQuantiles = 20;
        std::set<std::int64_t> result;
        const Generator& generator = options_.generator;
        for (int i = 0; i < kQuantiles; ++i)
            if (const auto longest = informant.longest_lossless_quantile((i + 0.5) / kQuantiles)) result.insert(generator.at_least(*longest + 1));
        if (!belief_.counts) return result;
        for (const double share : {0.5, 0.975})
            if (const auto longest = informant.longest_lossless_quantile(share))
                for (const double factor : kCountAt) result.insert(generator.nearest(static_cast<std::int64_t>(std::ceil(static_cast<double>(*longest + 1) * factor))));
        return result;
    }

    AdvisedPoint judged(const Informant& informant, Time separation, std::int64_t events) const {
        const Information information = informant.about(events);
        AdvisedPoint point;
        point.separation = separation;
        point.events = events;
        point.probability_of_loss = information.probability_of_loss;
        point.information_bits = information.bits;
        point.seconds = (static_cast<double>(options_.setup.count()) + static_cast<double>(events) * static_cast<double>(spacing_of(separation).count())) / 1e12;
        if (belief_.counts && information.probability_of_loss > 0) point.frames_lost = information.frames_lost;
        const double counted = information.bits > 0 ? information.count_bits / information.bits : 0;
        point.reason = std::string(counted > 0.9 ? "how many frames it loses" : counted < 0.1 ? "whether it loses frames" : "whether it loses frames, and how many,") +
                       " tells of the " + name_of(options_);
        return point;
    }

    const std::optional<Fit>& fit_;
    const Prior& prior_;
    const AdviceOptions& options_;
    Belief belief_;
    std::vector<double> targets_;
    std::map<std::pair<Time, std::int64_t>, int> measured_;   ///< how often
};

}  // namespace

std::optional<TargetEstimate> target_estimate(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options) {
    return Advisor(fit, prior, options).estimate();
}

Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options) {
    const Advisor advisor(fit, prior, options);
    Advice advice;
    if (const auto estimate = advisor.estimate()) advice.relative_half_width = estimate->relative_half_width;
    if (fit && fit->status == FitStatus::Inconsistent) {
        advice.points = advisor.repeats();
        if (!advice.points.empty()) {
            advice.reason = "the map contradicts itself: repeat what contradicts the rest first";
            return advice;
        }
    }
    if (fit && advisor.no_watershed()) {
        advice.stop = true;
        advice.relative_half_width.reset();
        advice.reason = "at " + to_text(options.watershed_at) + " no burst of any length loses frames: there is no watershed to measure";
        return advice;
    }
    advice.points = advisor.best();
    const std::string name = "the " + name_of(options);
    const std::string known = advice.relative_half_width ? name + known_to(*advice.relative_half_width) : "";
    if (advice.relative_half_width && *advice.relative_half_width <= options.precision) {
        advice.stop = true;
        advice.reason = known + ", better than the wanted " + percent(options.precision);
        advice.checks = advisor.confirmations();
        for (const AdvisedPoint& probe : advisor.probes()) advice.checks.push_back(probe);
    } else if (advice.points.empty()) {
        advice.stop = true;
        advice.reason = "no burst that the generator can set would tell more about " + name + (known.empty() ? "" : "; " + known);
    } else if (advice.relative_half_width) {
        advice.reason = known + ", wanted is " + percent(options.precision);
    } else {
        advice.reason = fit ? "the bursts so far limit " + name + " on one side only" : "nothing is measured yet: the advice comes from the scenario alone";
    }
    return advice;
}

}  // namespace watershed
