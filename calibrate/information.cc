// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/information.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace watershed {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
/// The target's range is told apart in this many parts of equal probability.
constexpr std::size_t kParts = 16;
/// Share of bursts whose outcome is not believed.
constexpr double kFlip = 0.005;
/// Numbers of frames are whole, and the closed form leaves a part of one open.
constexpr double kLeastCountNoise = 0.5;
/// The target follows the number lost along a curve; in so many pieces it is taken for straight, if enough points lie in each.
constexpr std::size_t kPieces = 6, kPointsPerPiece = 25;

double entropy(double p) { return p <= 0 || p >= 1 ? 0 : -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

double believed(double p) { return kFlip + (1 - 2 * kFlip) * p; }

/// Weighted moments of pairs.
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
    double variance_y() const { return sum_ > 0 ? yy_ / sum_ : 0; }
    /// Of y once x is known but for its noise.
    double residual_y(double noise_variance) const {
        if (sum_ <= 0) return 0;
        const double xy = xy_ / sum_;
        return std::max(0.0, yy_ / sum_ - xy * xy / (xx_ / sum_ + noise_variance));
    }

  private:
    double sum_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

}  // namespace

Informant::Informant(const Belief& belief, const Burst& like, Time separation, Time spacing, const std::vector<double>& target, double resolution)
    : belief_(belief), burst_(like), resolution_(resolution) {
    burst_.separation = separation;
    burst_.spacing = spacing;
    const std::size_t size = belief.points.size();
    for (const double value : target) target_.push_back(std::log(value));
    for (const SupportPoint& point : belief.points)
        longest_.push_back(longest_lossless(belief.model, burst_, spacing, point.depth, point.rate).value_or(kNever));
    by_longest_.resize(size);
    std::iota(by_longest_.begin(), by_longest_.end(), std::size_t{0});
    std::vector<std::size_t> by_target = by_longest_;
    std::stable_sort(by_longest_.begin(), by_longest_.end(), [&](std::size_t a, std::size_t b) { return longest_[a] < longest_[b]; });
    std::stable_sort(by_target.begin(), by_target.end(), [&](std::size_t a, std::size_t b) { return target_[a] < target_[b]; });
    parts_.resize(size);
    part_weights_.assign(kParts, 0);
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t point = by_target[i];
        const bool same = i > 0 && target_[point] == target_[by_target[i - 1]];
        parts_[point] = same ? parts_[by_target[i - 1]] : std::min(kParts - 1, static_cast<std::size_t>(sum * kParts));
        sum += belief.points[point].weight;
        part_weights_[parts_[point]] += belief.points[point].weight;
    }
}

std::optional<std::int64_t> Informant::longest_lossless_quantile(double share) const {
    double sum = 0;
    for (const std::size_t point : by_longest_)
        if ((sum += belief_.points[point].weight) >= share) return longest_[point] == kNever ? std::nullopt : std::make_optional(longest_[point]);
    return std::nullopt;
}

double Informant::loses(std::size_t point, std::int64_t events) const {
    const std::int64_t longest = longest_[point];
    if (longest == kNever) return 0;
    if (belief_.threshold_scale <= 0 || longest < 1) return events > longest ? 1 : 0;
    const double z = std::log(static_cast<double>(events) / (static_cast<double>(longest) + 0.5)) / belief_.threshold_scale;
    return std::erfc(-z / std::sqrt(2.0)) / 2;
}

Information Informant::about(std::int64_t events) const {
    Information result;
    std::vector<double> lossy(longest_.size());
    std::vector<double> part_lossy(kParts, 0);
    for (std::size_t i = 0; i < longest_.size(); ++i) {
        lossy[i] = loses(i, events) * belief_.points[i].weight;
        result.probability_of_loss += lossy[i];
        part_lossy[parts_[i]] += lossy[i];
    }
    result.probability_of_loss = std::min(1.0, result.probability_of_loss);
    result.bits = entropy(believed(result.probability_of_loss));
    // Noise of the outcome itself, and what the parts of the target leave open.
    for (std::size_t part = 0; part < kParts; ++part)
        if (part_weights_[part] > 0) result.bits -= part_weights_[part] * entropy(believed(std::min(1.0, part_lossy[part] / part_weights_[part])));
    result.bits = std::max(0.0, result.bits);
    if (belief_.counts && result.probability_of_loss > 0) {
        Burst burst = burst_;
        burst.events = events;
        result.count_bits = bits_of_count(burst, lossy, result.probability_of_loss, result.frames_lost);
        result.bits += result.count_bits;
    }
    return result;
}

double Informant::bits_of_count(const Burst& burst, const std::vector<double>& lossy, double probability, double& mean_lost) const {
    const double noise = std::max(kLeastCountNoise, belief_.count_noise);
    std::vector<std::pair<double, std::size_t>> counts;   // frames lost, point
    Moments all;
    for (std::size_t i = 0; i < lossy.size(); ++i) {
        if (lossy[i] <= 0) continue;
        const std::int64_t room = belief_.model.room(burst, static_cast<std::int64_t>(belief_.points[i].depth));
        const auto drained = static_cast<std::int64_t>(burst.drain() * belief_.points[i].rate * (1 + 1e-12));
        const auto lost = static_cast<double>(frames_lost(belief_.model, burst, std::max<std::int64_t>(1, room), drained));
        counts.emplace_back(lost, i);
        all.add(lossy[i], lost, target_[i]);
    }
    mean_lost = all.mean_x();
    const double enough = resolution_ * resolution_;
    if (all.variance_y() <= enough) return 0;
    std::sort(counts.begin(), counts.end());
    const double range = counts.back().first - counts.front().first;
    const auto resolved = static_cast<std::size_t>(std::clamp(range / (8 * noise), 1.0, static_cast<double>(kPieces)));
    const std::size_t pieces = std::max<std::size_t>(1, std::min(resolved, counts.size() / kPointsPerPiece));
    double bits = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        Moments moments;
        for (std::size_t i = piece * counts.size() / pieces; i < (piece + 1) * counts.size() / pieces; ++i)
            moments.add(lossy[counts[i].second], counts[i].first, target_[counts[i].second]);
        if (moments.weight() > 0) bits += moments.weight() / all.weight() * std::log2(all.variance_y() / std::max(enough, moments.residual_y(noise * noise))) / 2;
    }
    return probability * std::max(0.0, bits);
}

}  // namespace watershed
