// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/count-fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

/// A number rounded down from anywhere within one frame scatters by 1/sqrt(12) around the middle; nothing scatters
/// less.
constexpr double kLeastScatter = 0.2887;

/// Bursts that the line is laid through: of larger maps a sample.
constexpr std::size_t kMostFitted = 4000;

struct Line {
    double depth = 0;  ///< frames per unit of depth
    double rate = 0;   ///< frames per bit/s
    double kept = 0;   ///< frames, in the middle of the rounding
    const Burst* burst = nullptr;
};

Line line_of(const QueueModel& model, const Burst& burst) {
    const double inputs = static_cast<double>(model.memories(burst)), uplinks = burst.uplinks;
    const double rounding =
        0.5 * uplinks * (burst.events > 1) + (model.unit == MemorySize::Unit::Frame ? 0 : 0.5 * inputs);
    return {inputs / static_cast<double>(model.cost(burst)), uplinks * burst.drain(),
            static_cast<double>(burst.fragments() - (burst.counted ? burst.lost : 0)) + rounding, &burst};
}

}  // namespace

double count_residual(const QueueModel& model, const Burst& burst, double depth, double rate) {
    const Line line = line_of(model, burst);
    return line.kept - line.depth * depth - line.rate * rate;
}

std::optional<CountFit> fit_counts(const QueueModel& model, const std::vector<Burst>& bursts,
                                   std::optional<double> fixed_rate, std::optional<double> fixed_depth) {
    std::vector<Line> lines;
    const std::size_t stride = bursts.size() / kMostFitted + 1;
    for (std::size_t i = 0; i < bursts.size(); i += stride)
        if (bursts[i].counted && bursts[i].lossy) lines.push_back(line_of(model, bursts[i]));
    const int unknowns = !fixed_rate + !fixed_depth;
    if (static_cast<int>(lines.size()) < unknowns + 2) return std::nullopt;
    // What is known has a slope of 0, and its part goes to the other side.
    const Eigen::Vector2d known(fixed_depth.value_or(0), fixed_rate.value_or(0));
    const Eigen::Array2d unknown(!fixed_depth, !fixed_rate);
    std::vector<Eigen::Vector2d> slopes;
    std::vector<double> kept, weights(lines.size(), 1), residuals(lines.size());
    Eigen::Array2d scale = 1 - unknown;
    for (const Line& line : lines) {
        const Eigen::Vector2d slope(line.depth, line.rate);
        kept.push_back(line.kept - slope.dot(known));
        slopes.push_back(slope.array() * unknown);
        scale = scale.max(slopes.back().array().abs());
    }
    if ((scale <= 0).any()) return std::nullopt;
    for (Eigen::Vector2d& slope : slopes) slope.array() /= scale;

    // First the least sum of distances, which single wild bursts do not move, then Tukey's biweight around it.
    Eigen::Vector2d solution = Eigen::Vector2d::Zero();
    Eigen::Matrix2d inverse;
    double scatter = 0;
    constexpr int kDistanceSteps = 60, kBiweightSteps = 30;
    for (int step = 0; step < kDistanceSteps + kBiweightSteps; ++step) {
        const Eigen::Vector2d before = solution;
        Eigen::Matrix2d information = Eigen::Matrix2d::Zero();
        Eigen::Vector2d right = Eigen::Vector2d::Zero();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            information += weights[i] * slopes[i] * slopes[i].transpose();
            right += weights[i] * kept[i] * slopes[i];
        }
        information.diagonal() += ((1 - unknown) * (unknowns == 0 ? 1 : information.trace())).matrix();
        if (information.determinant() <= 1e-12 * information.trace() * information.trace()) return std::nullopt;
        inverse = information.inverse();
        solution = inverse * right;
        std::vector<double> distances;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            residuals[i] = kept[i] - slopes[i].dot(solution);
            distances.push_back(std::abs(residuals[i]));
        }
        constexpr double kMedianOfNormal = 0.6745;
        scatter = std::max(kLeastScatter, median(distances) / kMedianOfNormal);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (step < kDistanceSteps) {
                weights[i] = 1 / std::max(std::abs(residuals[i]), 1e-3);
            } else {
                const double u = residuals[i] / (4.685 * scatter);
                weights[i] = std::abs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
            }
        }
        const bool settled = step > 0 && (solution - before).norm() <= 1e-10 * solution.norm();
        if (settled && step < kDistanceSteps)
            step = kDistanceSteps - 1;
        else if (settled && step > kDistanceSteps + 1)
            break;
    }
    CountFit fit;
    fit.scatter = scatter;
    const Eigen::Array2d sigma = scatter * inverse.diagonal().array().sqrt() / scale;
    fit.depth = fixed_depth ? *fixed_depth : solution(0) / scale(0);
    fit.rate = fixed_rate ? *fixed_rate : solution(1) / scale(1);
    if (!fixed_depth) {
        std::vector<double> per_depth;
        for (const Line& line : lines) per_depth.push_back(line.depth);
        fit.depth_sigma = std::hypot(sigma(0), kSystematic / median(std::move(per_depth)));
    }
    if (!fixed_rate) fit.rate_sigma = sigma(1);
    if (unknowns == 2) fit.correlation = inverse(0, 1) / std::sqrt(inverse(0, 0) * inverse(1, 1));
    for (const Burst& burst : bursts) {
        const double uniform = std::log(kDisturbed / static_cast<double>(burst.fragments() + 1));
        if (burst.lossy && burst.counted) {
            const double off = count_residual(model, burst, fit.depth, fit.rate) / scatter;
            fit.log_likelihood += log_sum(std::log((1 - kDisturbed) / (scatter * 2.5066)) - off * off / 2, uniform);
            if (std::abs(off * scatter) > std::max(5 * scatter, 2.0)) fit.outliers.push_back(burst.row);
        } else {
            const double inside = -count_residual(model, burst, fit.depth, fit.rate) / scatter;
            const double right = below(burst.lossy ? -inside : inside);
            fit.log_likelihood += log_sum(std::log((1 - kDisturbed) * std::max(right, 1e-300)), uniform);
        }
    }
    return fit;
}

}  // namespace watershed
