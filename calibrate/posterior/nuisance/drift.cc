// SPDX-License-Identifier: GPL-2.0-only
#include <Eigen/QR>

#include "calibrate/posterior/nuisance-model.h"

namespace watershed::nuisance {

NuisanceModel drift();

namespace {

constexpr double kLeast = 0.005, kMost = 0.4;  // either way
constexpr std::size_t kFewest = 6;             // bursts that could tell it

/// Returns the drift for a prior quantile: log-uniform in either direction.
double value_of(double share) {
    const double part = 2 * share - 1;
    return std::copysign(kLeast * std::pow(kMost / kLeast, std::abs(part)), part);
}

double share_of(double value) {
    const double part = std::clamp(std::log(std::abs(value) / kLeast) / std::log(kMost / kLeast), 0.0, 1.0);
    return (value > 0 ? 1 + part : 1 - part) / 2;
}

/// Estimates depth, drift and rate by least squares from numbers of lost frames: a full memory keeps what it holds and
/// what its uplinks drain.
std::optional<DisturbedPlace> guess(const std::vector<Burst>& bursts, const QueueModel& model) {
    std::vector<Burst> told;
    std::copy_if(bursts.begin(), bursts.end(), std::back_inserter(told),
                 [](const Burst& one) { return one.loss_counted(); });
    if (told.size() < kFewest) return std::nullopt;
    const RowPlaces places(bursts);
    Eigen::MatrixX3d held(told.size(), 3);
    Eigen::VectorXd kept(told.size());
    for (Eigen::Index i = 0; i < kept.size(); ++i) {
        const Burst& burst = told[std::size_t(i)];
        const double room = double(model.memories(burst)) / double(model.cost(burst));
        held.row(i) << room, room * places.of(burst), burst.uplinks * burst.drain();
        kept[i] = double(burst.fragments() - burst.lost) + 0.5;
    }
    const Eigen::RowVector3d scale = held.colwise().norm().cwiseMax(1e-300);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixX3d> solver(held.array().rowwise() / scale.array());
    const Eigen::Vector3d found = solver.solve(kept).array() / scale.transpose().array();
    if (solver.rank() < 3 || found[0] < 1 || found[2] <= 0) return std::nullopt;
    return DisturbedPlace{found[0], found[2], std::clamp(found[1] / found[0], -kMost, kMost)};
}

}  // namespace

/// Drift: relative growth of the depth from the first row to the last.
NuisanceModel drift() {
    NuisanceModel model;
    model.name = "drift";
    model.unit = "of the depth";
    model.what = "drift: by what part of itself the depth grows from the first row to the last";
    model.meaning =
        "the depth grows by so much of itself from the first row to the last (shrinks, if negative); the depth is that "
        "of the middle";
    model.most = kMost;
    model.either_way = true;
    model.value = value_of;
    model.share = share_of;
    model.is_identifiable = [](const std::vector<Burst>& bursts, bool counted) {
        return counted && bursts.size() >= kFewest;
    };
    model.disturb = [](DisturbedBurst& burst, double value) { burst.depth_factor *= 1 + value * burst.place; };
    model.guess = guess;
    model.headline = [](const std::string& amount, double value) {
        return std::string("the depth ") + (value > 0 ? "grows" : "shrinks") + " by " + amount +
               " from the first row to the last";
    };
    return model;
}

}  // namespace watershed::nuisance
