// SPDX-License-Identifier: GPL-2.0-only
#include <numeric>

#include "calibrate/advice/burst-planner.h"

namespace watershed {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
/// Number of intervals of equal probability into which the target's range is divided.
constexpr std::size_t kIntervals = 16;
/// Probability that an outcome "lossy" or "lossless" is wrong.
constexpr double kFlip = 0.005;
/// Least scatter of a number of lost frames: rounding of the closed form.
constexpr double kLeastCountNoise = 0.5;
/// Number of linear pieces of the regression of the target on the number lost, and least points per piece.
constexpr std::size_t kPieces = 6, kPointsPerPiece = 25;

/// Returns the entropy of a yes/no outcome, bits.
double entropy(double p) { return p <= 0 || p >= 1 ? 0 : -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

/// Returns the probability of an outcome "lossy" if a burst is lossy with probability p: outcomes may be wrong.
double reported(double p) { return kFlip + (1 - 2 * kFlip) * p; }

/// Weighted moments of pairs (x, y), updated one by one (West, Communications of the ACM 22, 1979).
class Moments {
  public:
    void add(double weight, double x, double y) {
        sum_ += weight;
        const double dx = x - x_, dy = y - y_, share = weight / sum_;
        x_ += share * dx, y_ += share * dy;
        xx_ += weight * dx * (x - x_), yy_ += weight * dy * (y - y_), xy_ += weight * dx * (y - y_);
    }
    double weight() const { return sum_; }
    double mean_x() const { return x_; }
    double mean_y() const { return y_; }
    double variance_y() const { return sum_ > 0 ? yy_ / sum_ : 0; }
    /// Returns the variance of y about its linear regression on x, if x is measured with noise.
    double residual_y(double noise_variance) const {
        if (sum_ <= 0) return 0;
        const double xy = xy_ / sum_;
        return std::max(0.0, yy_ / sum_ - xy * xy / (xx_ / sum_ + noise_variance));
    }

  private:
    double sum_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

/// Prediction of one sample: number of lost frames (or peak) of a burst.
struct Count {
    double lost = 0, weight = 0;
    double target = 0;  ///< logarithm of the sample's target
};

double weight_of(const std::vector<Count>& counts) {
    double weight = 0;
    for (const Count& one : counts) weight += one.weight;
    return weight;
}

/// Returns the information of the number of lost frames about the target, bits, by piecewise linear regression.
/// @param noise       standard deviation of the number
/// @param resolution  standard deviation of the log target that is precise enough
double bits_within(std::vector<Count>& counts, double noise, double resolution) {
    Moments all;
    for (const Count& one : counts) all.add(one.weight, one.lost, one.target);
    const double enough = resolution * resolution;
    if (all.variance_y() <= enough) return 0;
    boost::stable_sort(counts, [](const Count& a, const Count& b) { return a.lost < b.lost; });
    const double range = counts.back().lost - counts.front().lost;
    const auto resolved = std::size_t(std::clamp(range / (8 * noise), 1.0, double(kPieces)));
    const std::size_t pieces = std::max<std::size_t>(1, std::min(resolved, counts.size() / kPointsPerPiece));
    double bits = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        Moments moments;
        for (std::size_t i = piece * counts.size() / pieces; i < (piece + 1) * counts.size() / pieces; ++i)
            moments.add(counts[i].weight, counts[i].lost, counts[i].target);
        if (moments.weight() > 0)
            bits += moments.weight() / all.weight() *
                    std::log2(all.variance_y() / std::max(enough, moments.residual_y(noise * noise))) / 2;
    }
    return std::max(0.0, bits);
}

/// Returns the mutual information of the group and the number of lost frames, bits. The number is divided into ranges.
double bits_between(const std::vector<std::vector<Count>>& groups, double noise) {
    if (groups.size() < 2) return 0;
    constexpr double kRanges = 20, kNoises = 4;
    double low = HUGE_VAL, high = -HUGE_VAL, total = 0;
    std::vector<double> weights(groups.size(), 0);
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const Count& one : groups[group])
            low = std::min(low, one.lost), high = std::max(high, one.lost), weights[group] += one.weight,
            total += one.weight;
    if (total <= 0) return 0;
    const double width = std::max(kNoises * noise, (high - low) / kRanges);
    std::map<std::int64_t, std::vector<double>> ranges;
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const Count& one : groups[group]) {
            std::vector<double>& range = ranges[std::int64_t((one.lost - low) / width)];
            range.resize(groups.size(), 0);
            range[group] += one.weight / total;
        }
    double bits = 0;
    for (const auto& [number, range] : ranges) {
        const double here = std::accumulate(range.begin(), range.end(), 0.0);
        for (std::size_t group = 0; group < groups.size(); ++group)
            if (range[group] > 0) bits += range[group] * std::log2(range[group] / (here * weights[group] / total));
    }
    return std::max(0.0, bits);
}

}  // namespace

double expected_loss(const PosteriorMixture& mixture, const PosteriorPoint& point, const Burst& sent) {
    const Burst burst = mixture.seen(sent, mixture.kinds[point.kind]);
    const QueueModel model = mixture.model_at(point);
    const std::int64_t room = model.room(burst, std::int64_t(point.depth));
    const auto drained = burst.drained(point.rate);
    const auto overflow = double(frames_lost(model, burst, std::max<std::int64_t>(1, room), drained));
    const MixtureKind& kind = mixture.kinds[point.kind];
    if (kind.loss_ahead) return std::max(overflow, kind.loss * double(burst.fragments()));
    return overflow + kind.loss * (double(burst.fragments()) - overflow);
}

InformationGain::InformationGain(const PosteriorMixture& mixture, const Burst& like, Time separation, Time spacing,
                                 const std::vector<double>& target, double resolution)
    : mixture_(mixture), burst_(like), resolution_(resolution) {
    burst_.separation = separation;
    burst_.spacing = spacing;
    const std::size_t size = mixture.points.size();
    for (const double value : target) target_.push_back(std::log(value));
    for (const PosteriorPoint& point : mixture.points)
        longest_.push_back(longest_lossless(mixture.model_at(point), mixture.seen(burst_, mixture.kinds[point.kind]),
                                            spacing, point.depth, point.rate)
                               .value_or(kNever));
    by_longest_.resize(size);
    std::iota(by_longest_.begin(), by_longest_.end(), std::size_t{0});
    group_kinds();
    std::vector<std::size_t> by_target = by_longest_;
    boost::stable_sort(by_longest_, [&](std::size_t a, std::size_t b) { return longest_[a] < longest_[b]; });
    boost::stable_sort(by_target, [&](std::size_t a, std::size_t b) { return target_[a] < target_[b]; });
    intervals_.resize(size);
    interval_weights_.assign(kIntervals, 0);
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t point = by_target[i];
        const bool same = i > 0 && target_[point] == target_[by_target[i - 1]];
        intervals_[point] =
            same ? intervals_[by_target[i - 1]] : std::min(kIntervals - 1, std::size_t(sum * kIntervals));
        sum += mixture.points[point].weight;
        interval_weights_[intervals_[point]] += mixture.points[point].weight;
    }
}

std::optional<std::int64_t> InformationGain::longest_lossless_quantile(double share) const {
    double sum = 0;
    for (const std::size_t point : by_longest_)
        if ((sum += mixture_.points[point].weight) >= share)
            return longest_[point] == kNever ? std::nullopt : std::make_optional(longest_[point]);
    return std::nullopt;
}

double InformationGain::loss_probability(std::size_t point, std::int64_t events) const {
    const std::int64_t longest = longest_[point];
    const MixtureKind& kind = mixture_.kinds[mixture_.points[point].kind];
    const double without = kind.loss > 0 ? std::exp(double(burst_.ports * events) * std::log1p(-kind.loss))
                                         : 1;  // probability of no random loss
    if (longest == kNever) return 1 - without;
    if (kind.noise.length <= 0 || longest < 1) return events > longest ? 1 : 1 - without;
    const double log_ratio = std::log(double(events) / (double(longest) + 0.5));
    return 1 - without * kind.noise.over_threshold(-log_ratio);
}

Information InformationGain::expected(std::int64_t events) const {
    Information result;
    std::vector<double> lossy(longest_.size());
    std::vector<double> interval_lossy(kIntervals, 0);
    for (std::size_t i = 0; i < longest_.size(); ++i) {
        lossy[i] = loss_probability(i, events) * mixture_.points[i].weight;
        result.probability_of_loss += lossy[i];
        interval_lossy[intervals_[i]] += lossy[i];
    }
    result.probability_of_loss = std::min(1.0, result.probability_of_loss);
    result.bits = entropy(reported(result.probability_of_loss));
    // Subtract the mean entropy of the outcome once the target is known to an interval.
    for (std::size_t interval = 0; interval < kIntervals; ++interval)
        if (interval_weights_[interval] > 0)
            result.bits -= interval_weights_[interval] *
                           entropy(reported(std::min(1.0, interval_lossy[interval] / interval_weights_[interval])));
    result.bits = std::max(0.0, result.bits);
    Burst burst = burst_;
    burst.events = events;
    if (mixture_.counts && result.probability_of_loss > 0) {
        result.count_bits = bits_of_count(burst, lossy, result.probability_of_loss, result.frames_lost);
        result.bits += result.count_bits;
    }
    if (mixture_.peak) {
        result.peak_bits = bits_of_peak(burst, lossy, result.probability_of_loss, result.count_bits);
        result.bits += result.peak_bits;
    }
    return result;
}

/// Without loss the peak measures the drained frames, with loss the depth.
double InformationGain::bits_of_peak(const Burst& sent, const std::vector<double>& lossy, double probability,
                                     double count_bits) const {
    const auto unit = double(sent.buffer);  // bytes of a frame, a unit common to all kinds
    double variance = 0;
    for (const MixtureKind& kind : mixture_.kinds) variance += kind.probability * kind.noise.frames * kind.noise.frames;
    std::vector<std::vector<Count>> fits(group_count_), fills(group_count_);
    for (std::size_t i = 0; i < lossy.size(); ++i) {
        const PosteriorPoint& point = mixture_.points[i];
        const MixtureKind& kind = mixture_.kinds[point.kind];
        Burst burst = mixture_.seen(sent, kind);
        burst.peak = mixture_.peak;
        const QueueModel model = mixture_.model_at(point);
        const double cost = double(counter_cost(model, burst)) / (burst.peak->cells ? 1 : unit);
        const double most = double((burst.events - 1) * burst.ports),
                     needed = double(burst.fragments()) - std::min(most, burst.uplinks * burst.drain() * point.rate);
        const double room = double(model.memories(burst)) * std::floor(model.room_as_real(burst, point.depth));
        const std::size_t group = groups_[point.kind];
        if (point.weight > lossy[i]) fits[group].push_back({needed * cost, point.weight - lossy[i], target_[i]});
        if (lossy[i] > 0) fills[group].push_back({room * cost, lossy[i], target_[i]});
    }
    const double resolution = double(mixture_.peak->resolution) / (mixture_.peak->cells ? 1 : unit);
    const double noise = std::max({kLeastCountNoise, resolution, std::sqrt(variance)});
    const auto bits = [&](std::vector<std::vector<Count>>& groups) {
        double all = 0, within = 0;
        for (std::vector<Count>& group : groups) {
            const double weight = weight_of(group);
            all += weight;
            if (weight > 0) within += weight * bits_within(group, noise, resolution_);
        }
        return all > 0 ? within / all + bits_between(groups, noise) : 0;
    };
    return (1 - probability) * bits(fits) + std::max(0.0, probability * bits(fills) - count_bits);
}

/// Groups kinds by their mean targets. Neighbours that differ by more than their spreads and the resolution are in
/// different groups, each with a regression of its own.
void InformationGain::group_kinds() {
    std::vector<Moments> moments(mixture_.kinds.size());
    for (std::size_t i = 0; i < target_.size(); ++i)
        moments[mixture_.points[i].kind].add(mixture_.points[i].weight, 0, target_[i]);
    std::vector<std::size_t> order(mixture_.kinds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    boost::sort(order, [&](std::size_t a, std::size_t b) { return moments[a].mean_y() < moments[b].mean_y(); });
    groups_.assign(mixture_.kinds.size(), 0);
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Moments &below = moments[order[i - 1]], &above = moments[order[i]];
        const double alike = std::max({2 * resolution_, std::sqrt(below.variance_y()), std::sqrt(above.variance_y())});
        group_count_ += above.mean_y() - below.mean_y() > alike;
        groups_[order[i]] = group_count_ - 1;
    }
}

double InformationGain::bits_of_count(const Burst& burst, const std::vector<double>& lossy, double probability,
                                      double& mean_lost) const {
    double variance = 0;  // mean variance of a count over the kinds
    for (const MixtureKind& kind : mixture_.kinds)
        variance += kind.probability *
                    (kind.noise.frames * kind.noise.frames + kind.loss * (1 - kind.loss) * double(burst.fragments()));
    const double noise = std::max(kLeastCountNoise, std::sqrt(variance));
    std::vector<std::vector<Count>> counts(group_count_);
    Moments all;
    for (std::size_t i = 0; i < lossy.size(); ++i) {
        if (lossy[i] <= 0) continue;
        const double lost = expected_loss(mixture_, mixture_.points[i], burst);
        counts[groups_[mixture_.points[i].kind]].push_back({lost, lossy[i], target_[i]});
        all.add(lossy[i], lost, target_[i]);
    }
    mean_lost = all.mean_x();
    double bits = bits_between(counts, noise);
    for (std::vector<Count>& group : counts) {
        const double weight = weight_of(group);
        if (weight > 0) bits += weight / all.weight() * bits_within(group, noise, resolution_);
    }
    return probability * std::max(0.0, bits);
}

}  // namespace watershed
