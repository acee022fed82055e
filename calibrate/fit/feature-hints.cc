// SPDX-License-Identifier: GPL-2.0-only
#include <Eigen/QR>
#include <boost/range/algorithm/find.hpp>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Frames by which whole frames, and when they leave, move a count.
constexpr double kRounding = 0.5;

/// Counted losses as linear equations: the frames that a burst kept are a sum of columns with factors to be found.
struct KeptFrames {
    std::vector<const Burst*> bursts;  ///< bursts that lost a counted number
    Eigen::MatrixXd columns;           ///< by burst; the last one is of the rate, which is in units of 1 / `longest`
    Eigen::VectorXd kept, weights;     ///< in units of the memory, and their inverse uncertainty
    double longest = 1;                ///< longest drain of a burst

    /// @param rooms  number of columns for what the memory holds, 0 at first
    KeptFrames(const QueueModel& model, const std::vector<Burst>& all, Eigen::Index rooms)
        : longest(largest(all, &Burst::drain, 1.0)) {
        for (const Burst& burst : all)
            if (burst.loss_counted()) bursts.push_back(&burst);
        columns.setZero(rows(), rooms + 1);
        kept.resize(rows()), weights.resize(rows());
        for (Eigen::Index i = 0; i < rows(); ++i) {
            const Burst& burst = *bursts[std::size_t(i)];
            const auto cost = double(model.cost(burst));
            columns(i, rooms) = cost * burst.uplinks * burst.drain() / longest;
            kept[i] = cost * (double(burst.fragments() - burst.lost) + kRounding);
            weights[i] = 1 / cost;
        }
    }
    Eigen::Index rows() const { return Eigen::Index(bursts.size()); }
    /// Returns the squares of what is left of the counts, in frames, by some columns.
    double squares_left(const Eigen::MatrixXd& of, Eigen::VectorXd* factors = nullptr) const {
        const Eigen::MatrixXd weighted = weights.asDiagonal() * of;
        const Eigen::VectorXd wanted = weights.cwiseProduct(kept),
                              solved = weighted.colPivHouseholderQr().solve(wanted);
        if (factors) *factors = solved;
        return (weighted * solved - wanted).squaredNorm();
    }
    /// Sets the weight of bursts far off, as strays are, to 0. @return the factors of all columns
    Eigen::VectorXd solve() {
        Eigen::VectorXd factors;
        constexpr int kRounds = 3;
        constexpr double kFar = 5;  // times the median
        for (int round = 0; round < kRounds; ++round) {
            squares_left(columns, &factors);
            const Eigen::VectorXd off = weights.cwiseProduct(columns * factors - kept).cwiseAbs();
            const double usual = std::max(kRounding, median(std::vector<double>(off.data(), off.data() + rows())));
            for (Eigen::Index i = 0; i < rows(); ++i)
                if (off[i] > kFar * usual) weights[i] = 0;
        }
        squares_left(columns, &factors);
        return factors;
    }
};

}  // namespace

std::optional<ReserveHint> reserve_hint(const QueueModel& model, const std::vector<Burst>& bursts) {
    KeptFrames frames(model, bursts, 2);  // pool, reserve of each owner
    constexpr Eigen::Index kFewest = 5;   // two more than the unknown pool, reserve and rate
    if (frames.rows() < kFewest) return std::nullopt;
    for (Eigen::Index i = 0; i < frames.rows(); ++i)
        frames.columns.row(i).head(2) << 1, model.owners_in(*frames.bursts[std::size_t(i)]) / double(model.owners);
    const Eigen::VectorXd factors = frames.solve();
    if (!(factors.minCoeff() > 0)) return std::nullopt;
    const auto rows = double(frames.rows());
    const double rounding = kRounding * kRounding * rows, all = frames.squares_left(frames.columns);
    double gain = HUGE_VAL;  // least gain over a pool alone and over reserves alone
    for (const int left_out : {0, 1}) {
        Eigen::MatrixXd fewer(frames.rows(), 2);
        fewer << frames.columns.col(1 - left_out), frames.columns.col(2);
        gain = std::min(gain, rows / 2 * std::log((frames.squares_left(fewer) + rounding) / (all + rounding)));
    }
    const double depth = factors[0] + factors[1];
    BurstParameters at{depth, factors[2] / frames.longest};
    at.feature = factors[1] / depth;
    return ReserveHint{at, gain};
}

std::optional<BurstParameters> threshold_hint(const QueueModel& model, const std::vector<Burst>& bursts) {
    // n congested queues settle at R = n alpha depth / (1 + n alpha) together: 1 / R = 1 / depth + 1 / (n alpha depth).
    std::vector<std::int64_t> numbers;
    for (const Burst& burst : bursts)
        if (burst.loss_counted() && boost::find(numbers, burst.uplinks) == numbers.end())
            numbers.push_back(burst.uplinks);
    const auto rooms = Eigen::Index(numbers.size());
    KeptFrames frames(model, bursts, rooms);
    if (rooms < 2 || frames.rows() < rooms + 3) return std::nullopt;
    for (Eigen::Index i = 0; i < frames.rows(); ++i)
        frames.columns(i, boost::find(numbers, frames.bursts[std::size_t(i)]->uplinks) - numbers.begin()) = 1;
    const Eigen::VectorXd factors = frames.solve();
    if (!(factors.minCoeff() > 0)) return std::nullopt;
    Eigen::MatrixXd line(rooms, 2);
    for (Eigen::Index i = 0; i < rooms; ++i) line.row(i) << 1, 1 / double(numbers[std::size_t(i)]);
    const Eigen::VectorXd rises = line.colPivHouseholderQr().solve(factors.head(rooms).cwiseInverse());
    if (!(rises.minCoeff() > 0)) return std::nullopt;
    BurstParameters at{1 / rises[0], factors[rooms] / frames.longest};
    at.feature = rises[0] / rises[1];
    return at;
}

}  // namespace watershed
