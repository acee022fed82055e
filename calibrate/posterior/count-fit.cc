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
    const Eigen::Index n = static_cast<Eigen::Index>(lines.size()), unknowns = !fixed_rate + !fixed_depth;
    if (n < unknowns + 2) return std::nullopt;
    Eigen::MatrixXd design(n, unknowns);
    Eigen::VectorXd kept(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Line& line = lines[static_cast<std::size_t>(i)];
        if (!fixed_depth) design(i, 0) = line.depth;
        if (!fixed_rate) design(i, unknowns - 1) = line.rate;
        kept(i) =
            line.kept - (fixed_rate ? line.rate * *fixed_rate : 0) - (fixed_depth ? line.depth * *fixed_depth : 0);
    }
    const Eigen::VectorXd scale = design.cwiseAbs().colwise().maxCoeff();
    if ((scale.array() <= 0).any()) return std::nullopt;
    design = design * scale.cwiseInverse().asDiagonal();

    // First the least sum of distances, which single wild bursts do not move, then Tukey's biweight around it.
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(n), solution, residual;
    Eigen::MatrixXd information;
    double scatter = 0;
    constexpr int kDistanceSteps = 60, kBiweightSteps = 30;
    for (int step = 0; step < kDistanceSteps + kBiweightSteps; ++step) {
        const Eigen::VectorXd before = solution;
        residual = kept;
        if (unknowns > 0) {
            information = design.transpose() * weights.asDiagonal() * design;
            const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(information);
            if (eigen.eigenvalues()(0) <= 1e-12 * eigen.eigenvalues()(unknowns - 1)) return std::nullopt;
            solution = information.ldlt().solve(design.transpose() * weights.cwiseProduct(kept));
            residual -= design * solution;
        }
        std::vector<double> distance(residual.data(), residual.data() + n);
        for (double& value : distance) value = std::abs(value);
        constexpr double kMedianOfNormal = 0.6745;
        scatter = std::max(kLeastScatter, median(distance) / kMedianOfNormal);
        for (Eigen::Index i = 0; i < n; ++i) {
            if (step < kDistanceSteps) {
                weights(i) = 1 / std::max(std::abs(residual(i)), 1e-3);
            } else {
                const double u = residual(i) / (4.685 * scatter);
                weights(i) = std::abs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
            }
        }
        const bool settled = step > 0 && (unknowns == 0 || (solution - before).norm() <= 1e-10 * solution.norm());
        if (settled && step < kDistanceSteps)
            step = kDistanceSteps - 1;
        else if (settled && step > kDistanceSteps + 1)
            break;
    }
    CountFit fit;
    fit.scatter = scatter;
    fit.depth = fixed_depth ? *fixed_depth : solution(0) / scale(0);
    fit.rate = fixed_rate ? *fixed_rate : solution(unknowns - 1) / scale(unknowns - 1);
    const Eigen::MatrixXd covariance =
        unknowns > 0 ? Eigen::MatrixXd(scatter * scatter * information.inverse()) : Eigen::MatrixXd();
    if (!fixed_depth) {
        std::vector<double> per_depth;
        for (const Line& line : lines) per_depth.push_back(line.depth);
        fit.depth_sigma =
            std::hypot(std::sqrt(covariance(0, 0)) / scale(0), kSystematic / median(std::move(per_depth)));
    }
    if (!fixed_rate) fit.rate_sigma = std::sqrt(covariance(unknowns - 1, unknowns - 1)) / scale(unknowns - 1);
    if (unknowns == 2) fit.correlation = covariance(0, 1) / std::sqrt(covariance(0, 0) * covariance(1, 1));
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
