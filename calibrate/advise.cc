// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "scenarios/units.h"

namespace watershed {
namespace {

/// Nearer to saturation the watershed is steeper than clocks are accurate.
constexpr double kSteepest = 0.97;
/// The target's range is told apart in this many parts of equal probability.
constexpr std::size_t kParts = 16;
/// Share of bursts whose outcome is not believed.
constexpr double kFlip = 0.005;
/// Below this a burst is not worth its time.
constexpr double kLeastInformation = 0.01;

double entropy(double p) { return p <= 0 || p >= 1 ? 0 : -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

double saturation(const QueueModel& model, const Burst& like, double rate) {
    return static_cast<double>(ceil_div<std::int64_t>(like.ports, model.uplinks)) * 8e12 * static_cast<double>(like.wire) / rate;
}

std::vector<SupportPoint> prior_support(const Prior& prior) {
    constexpr int kDepths = 200;
    const std::vector<std::pair<double, double>> rates = prior.rate_spread < 0.5
        ? std::vector<std::pair<double, double>>{{-2, 0.054}, {-1, 0.244}, {0, 0.404}, {1, 0.244}, {2, 0.054}}
        : std::vector<std::pair<double, double>>{{-2, 1}, {-1.5, 1}, {-1, 1}, {-0.5, 1}, {0, 1}, {0.5, 1}, {1, 1}, {1.5, 1}, {2, 1}};
    std::vector<SupportPoint> points;
    for (int i = 0; i < kDepths; ++i)
        for (const auto& [sigmas, weight] : rates)
            points.push_back({std::floor(prior.depth_low * std::pow(prior.depth_high / prior.depth_low, (i + 0.5) / kDepths)),
                              prior.rate * std::exp(sigmas * prior.rate_spread), weight});
    return points;
}

/// The points under which every burst ends as measured, lossy or lossless.
std::vector<SupportPoint> consistent(const std::vector<SupportPoint>& points, const QueueModel& model, const std::vector<Burst>& bursts) {
    std::vector<SupportPoint> kept;
    for (const SupportPoint& point : points) {
        const bool explains = std::all_of(bursts.begin(), bursts.end(), [&](const Burst& burst) {
            const std::int64_t room = model.room(burst, static_cast<std::int64_t>(point.depth));
            return room >= 1 && (frames_lost(model, burst, room, static_cast<std::int64_t>(burst.drain() * point.rate)) > 0) == burst.lossy;
        });
        if (explains) kept.push_back(point);
    }
    return kept;
}

/// What is believed now: the fit where it is a region, else the part of the prior that the bursts leave.
std::vector<SupportPoint> belief(const std::optional<Fit>& fit, const Prior& prior) {
    if (!fit) return prior_support(prior);
    const ModelFit& best = fit->best();
    if (best.depth.value && best.rate.value) return best.support;
    const std::vector<SupportPoint> left = consistent(prior_support(prior), best.model, fit->bursts);
    return left.empty() ? best.support : left;
}

class Advisor {
  public:
    Advisor(const QueueModel& model, const Prior& prior, std::vector<SupportPoint> support, const AdviceOptions& options)
        : model_(model), prior_(prior), support_(std::move(support)), options_(options) {
        double total = 0;
        for (const SupportPoint& point : support_) total += point.weight;
        for (SupportPoint& point : support_) point.weight /= total;
        for (const SupportPoint& point : support_) targets_.push_back(target_of(point));
        divide();
    }

    std::vector<AdvisedPoint> best() const {
        std::vector<AdvisedPoint> all;
        for (const Time separation : separations()) {
            std::optional<AdvisedPoint> here;
            for (const std::int64_t events : lengths(separation)) {
                const AdvisedPoint point = judge(separation, events);
                if (!here || score(point) > score(*here)) here = point;
            }
            if (here && here->information_bits >= kLeastInformation) all.push_back(*here);
        }
        std::sort(all.begin(), all.end(), [&](const AdvisedPoint& a, const AdvisedPoint& b) { return score(a) > score(b); });
        if (all.size() > options_.points) all.resize(options_.points);
        return all;
    }

    /// Half of the central 95 % of the target, relative to its median.
    double relative_half_width() const {
        const double middle = quantile(0.5);
        return middle > 0 ? (quantile(0.975) - quantile(0.025)) / 2 / middle : HUGE_VAL;
    }

  private:
    double target_of(const SupportPoint& point) const {
        if (options_.target == AdviceTarget::Depth) return point.depth;
        if (options_.target == AdviceTarget::Rate) return point.rate;
        const auto longest = longest_lossless(model_, prior_.like, std::max(options_.watershed_at, prior_.slot), point.depth, point.rate);
        return longest ? static_cast<double>(*longest) : 1e9;
    }

    double quantile(double share) const {
        std::vector<std::pair<double, double>> sorted;
        for (std::size_t i = 0; i < support_.size(); ++i) sorted.emplace_back(targets_[i], support_[i].weight);
        std::sort(sorted.begin(), sorted.end());
        double sum = 0;
        for (const auto& [value, weight] : sorted)
            if ((sum += weight) >= share) return value;
        return sorted.back().first;
    }

    /// Puts every point into one of the parts of the target's range.
    void divide() {
        std::set<double> limits;
        for (std::size_t i = 1; i < kParts; ++i) limits.insert(quantile(static_cast<double>(i) / kParts));
        parts_.resize(support_.size());
        weights_.assign(kParts, 0);
        for (std::size_t i = 0; i < support_.size(); ++i) {
            parts_[i] = static_cast<std::size_t>(std::distance(limits.begin(), limits.lower_bound(targets_[i])));
            weights_[parts_[i]] += support_[i].weight;
        }
    }

    std::vector<Time> separations() const {
        double rate = 0;
        for (const SupportPoint& point : support_) rate += point.weight * point.rate;
        const double asymptote = saturation(model_, prior_.like, rate), slot = static_cast<double>(prior_.slot.count());
        std::set<Time> result;
        for (const double share : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, kSteepest}) {
            const auto steps = static_cast<std::int64_t>(std::ceil(std::max(share * asymptote, slot) / static_cast<double>(options_.step.count())));
            const Time separation = options_.step * steps;
            if (static_cast<double>(separation.count()) <= kSteepest * asymptote * (1 + 1e-9)) result.insert(separation);
        }
        if (result.empty()) result.insert(options_.step * ceil_div<std::int64_t>(prior_.slot.count(), options_.step.count()));
        return {result.begin(), result.end()};
    }

    /// Burst lengths at which believed watersheds differ: just above some quantiles of them.
    std::set<std::int64_t> lengths(Time separation) const {
        std::vector<std::pair<std::int64_t, double>> longest;
        for (const SupportPoint& point : support_)
            longest.emplace_back(longest_lossless(model_, prior_.like, std::max(separation, prior_.slot), point.depth, point.rate).value_or(kNever), point.weight);
        std::sort(longest.begin(), longest.end());
        std::set<std::int64_t> result;
        double sum = 0, next = 0.05;
        for (const auto& [events, weight] : longest) {
            sum += weight;
            if (sum < next || events == kNever) continue;
            result.insert(events + 1);
            next = sum + 0.05;
        }
        return result;
    }

    AdvisedPoint judge(Time separation, std::int64_t events) const {
        Burst burst = prior_.like;
        burst.events = events;
        burst.separation = separation;
        burst.spacing = std::max(separation, prior_.slot);
        std::vector<double> lossy(kParts, 0);
        AdvisedPoint point{separation, events, 0, 0, 0};
        for (std::size_t i = 0; i < support_.size(); ++i) {
            const std::int64_t room = model_.room(burst, static_cast<std::int64_t>(support_[i].depth));
            const bool loses = room < 1 || frames_lost(model_, burst, room, static_cast<std::int64_t>(burst.drain() * support_[i].rate * (1 + 1e-12))) > 0;
            if (loses) lossy[parts_[i]] += support_[i].weight, point.probability_of_loss += support_[i].weight;
        }
        const auto believed = [](double p) { return kFlip + (1 - 2 * kFlip) * p; };
        point.information_bits = entropy(believed(point.probability_of_loss));
        for (std::size_t part = 0; part < kParts; ++part)
            if (weights_[part] > 0) point.information_bits -= weights_[part] * entropy(believed(lossy[part] / weights_[part]));
        point.information_bits = std::max(0.0, point.information_bits);
        point.seconds = (static_cast<double>(options_.setup.count()) + static_cast<double>(events) * static_cast<double>(burst.spacing.count())) / 1e12;
        return point;
    }

    static double score(const AdvisedPoint& point) { return point.information_bits / point.seconds; }

    static constexpr std::int64_t kNever = INT64_MAX;
    const QueueModel model_;
    const Prior& prior_;
    std::vector<SupportPoint> support_;
    const AdviceOptions& options_;
    std::vector<double> targets_;
    std::vector<std::size_t> parts_;
    std::vector<double> weights_;
};

std::string name_of(const AdviceOptions& options) {
    switch (options.target) {
        case AdviceTarget::Depth: return "depth";
        case AdviceTarget::Rate: return "service rate";
        case AdviceTarget::Watershed: return "watershed at " + to_text(options.watershed_at);
    }
    return "";
}

std::string percent(double share) {
    std::ostringstream out;
    out.precision(3);
    out << share * 100 << " %";
    return out.str();
}

}  // namespace

Prior prior_of(const Scenario& scenario, const Conditions& conditions) {
    Prior prior;
    LossMap one{conditions.scenario, {}};
    LossMapRow row;
    row.ports = scenario.front_end.modules;
    row.payload = scenario.frame.payload;
    row.events = row.frames_sent = row.frames_received = 1;
    one.rows.push_back(row);
    prior.like = bursts_of(one, conditions, CountUse::Flag).front();
    prior.slot = prior.like.spacing;
    prior.model = {conditions.sharing, conditions.unit == MemorySize::Unit::Byte ? MemorySize::Unit::Byte : MemorySize::Unit::Frame, conditions.uplinks};
    constexpr double kTimesDeeper = 100, kRateSpread = 0.02;
    prior.depth_low = static_cast<double>(prior.model.cost(prior.like) * (conditions.sharing == Buffer::Sharing::Shared ? prior.like.ports : 1));
    prior.depth_high = kTimesDeeper * std::max(prior.depth_low, static_cast<double>(scenario.network_switch.buffer.size.amount));
    prior.rate = static_cast<double>(scenario.network_switch.uplink_rate.count);
    prior.rate_spread = kRateSpread;
    return prior;
}

Prior prior_of(const Fit& fit) {
    Prior prior;
    prior.model = fit.best().model;
    prior.like = *std::min_element(fit.bursts.begin(), fit.bursts.end(), [](const Burst& a, const Burst& b) { return a.row < b.row; });
    prior.slot = Time{static_cast<std::int64_t>(std::ceil(8e12 * static_cast<double>(prior.like.wire) / static_cast<double>(fit.conditions.link_rate.count)))};
    const SearchBox box = search_box(prior.model, fit.bursts);
    constexpr double kTimesDeeper = 100, kRateFactor = 10;
    prior.depth_low = static_cast<double>(prior.model.cost(prior.like));
    prior.depth_high = kTimesDeeper * static_cast<double>(box.depth_high);
    prior.rate = box.rate_high / kRateFactor;
    prior.rate_spread = std::log(kRateFactor) / 2;   // from a hundredth of what the closest triggers could need up to all of it
    return prior;
}

Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options) {
    const Advisor advisor(fit ? fit->best().model : prior.model, prior, belief(fit, prior), options);
    Advice advice;
    advice.points = advisor.best();
    if (fit && fit->status == FitStatus::Inconsistent) {
        advice.reason = "the map contradicts itself: repeat rows ";
        for (std::size_t i = 0; i < fit->best().violating.size() && i < 10; ++i) advice.reason += (i ? ", " : "") + std::to_string(fit->best().violating[i]);
        advice.reason += " first";
        return advice;
    }
    const bool known = fit && fit->best().depth.value && fit->best().rate.value;
    if (known) advice.relative_half_width = advisor.relative_half_width();
    if (known && *advice.relative_half_width <= options.precision) {
        advice.stop = true;
        advice.reason = "the " + name_of(options) + " is known to +-" + percent(*advice.relative_half_width) + " (95 %), better than the wanted " + percent(options.precision);
        return advice;
    }
    if (advice.points.empty()) {
        advice.stop = true;
        advice.reason = "no burst that the generator can set would tell more about the " + name_of(options);
    } else if (known) {
        advice.reason = "the " + name_of(options) + " is known to +-" + percent(*advice.relative_half_width) + " (95 %), wanted is " + percent(options.precision);
    } else {
        advice.reason = fit ? "the bursts so far limit the " + name_of(options) + " on one side only" : "nothing is measured yet: the advice comes from the scenario alone";
    }
    return advice;
}

}  // namespace watershed
