// SPDX-License-Identifier: GPL-2.0-only
#include <Eigen/QR>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Frames by which whole frames, and when they leave, move a count.
constexpr double kRounding = 0.5;

/// Squares of what is left of the counts, in frames, by columns whose factors are fitted.
double squares_left(const Eigen::MatrixXd& columns, const Eigen::VectorXd& kept, const Eigen::VectorXd& weights,
                    Eigen::VectorXd* factors = nullptr) {
    const Eigen::MatrixXd weighted = weights.asDiagonal() * columns;
    const Eigen::VectorXd wanted = weights.cwiseProduct(kept), solved = weighted.colPivHouseholderQr().solve(wanted);
    if (factors) *factors = solved;
    return (weighted * solved - wanted).squaredNorm();
}

}  // namespace

std::optional<ReserveHint> reserve_hint(const QueueModel& model, const std::vector<Burst>& bursts) {
    std::vector<const Burst*> lossy;
    for (const Burst& burst : bursts)
        if (burst.loss_counted()) lossy.push_back(&burst);
    constexpr std::size_t kFewest = 5;  // two more than the unknown pool, reserve and rate
    if (lossy.size() < kFewest) return std::nullopt;
    const auto rows = Eigen::Index(lossy.size());
    Eigen::MatrixXd columns(rows, 3);  // pool, reserve of each owner, rate
    Eigen::VectorXd kept(rows), weights(rows);
    const double longest = largest(bursts, &Burst::drain, 1.0);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Burst& burst = *lossy[std::size_t(i)];
        const auto cost = double(model.cost(burst));
        columns.row(i) << 1, model.owners_in(burst) / double(model.owners),
            cost * burst.uplinks * burst.drain() / longest;
        kept[i] = cost * (double(burst.fragments() - burst.lost) + kRounding);
        weights[i] = 1 / cost;
    }
    // Few bursts far off, as strays are, count no more.
    Eigen::VectorXd factors;
    constexpr int kRounds = 3;
    constexpr double kFar = 5;  // times the median
    for (int round = 0; round < kRounds; ++round) {
        squares_left(columns, kept, weights, &factors);
        const Eigen::VectorXd off = weights.cwiseProduct(columns * factors - kept).cwiseAbs();
        const double usual = std::max(kRounding, median(std::vector<double>(off.data(), off.data() + rows)));
        for (Eigen::Index i = 0; i < rows; ++i)
            if (off[i] > kFar * usual) weights[i] = 0;
    }
    if (!(factors.minCoeff() > 0)) return std::nullopt;
    const double rounding = kRounding * kRounding * double(rows), all = squares_left(columns, kept, weights, &factors);
    double gain = HUGE_VAL;  // least gain over a pool alone and over reserves alone
    for (const int left_out : {0, 1}) {
        Eigen::MatrixXd fewer(rows, 2);
        fewer << columns.col(1 - left_out), columns.col(2);
        gain = std::min(
            gain, double(rows) / 2 * std::log((squares_left(fewer, kept, weights) + rounding) / (all + rounding)));
    }
    const double depth = factors[0] + factors[1];
    BurstParameters at{depth, factors[2] / longest};
    at.feature = factors[1] / depth;
    return ReserveHint{at, gain};
}

}  // namespace watershed
