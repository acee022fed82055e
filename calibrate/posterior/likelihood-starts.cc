// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/likelihood-starts.h"

#include <Eigen/LU>

namespace watershed {
namespace {

/// Returns the bursts that lost a counted number of frames.
std::vector<const Burst*> counted_losses(const BurstLikelihood& likelihood) {
    std::vector<const Burst*> counted;
    for (std::size_t i = 0; i < likelihood.size(); ++i)
        if (likelihood.burst(i).lossy && likelihood.burst(i).counted) counted.push_back(&likelihood.burst(i));
    return counted;
}

/// Frames that a memory keeps of a lossy burst: linear in its depth and the rate of its uplinks.
struct KeptFrames {
    double room, drain;  ///< frames per unit of depth, and per bit/s
    double kept;         ///< frames that it kept, before a fraction `loss` of these was lost at random
    KeptFrames(const QueueModel& model, const Burst& burst, double loss)
        : room(double(model.memories(burst)) / double(model.cost(burst))),
          drain(burst.uplinks * burst.drain()),
          kept(double(burst.fragments() - burst.lost) / (1 - loss) + 0.5) {}
};

}  // namespace

std::vector<BurstParameters> starts_from_pairs(const BurstLikelihood& likelihood, const QueueModel& model) {
    constexpr std::size_t kMostPairs = 40;
    std::vector<const Burst*> counted = counted_losses(likelihood);
    if (counted.size() < 2) return {};
    std::vector<std::pair<const Burst*, const Burst*>> chosen;
    if (counted.size() * counted.size() <= 2 * kMostPairs) {
        for (const Burst* a : counted)
            for (const Burst* b : counted)
                if (a < b) chosen.emplace_back(a, b);
    } else {
        RandomBits random(1);
        const auto pick = [&] { return counted[std::size_t(uniform(random) * double(counted.size()))]; };
        for (std::size_t i = 0; i < kMostPairs; ++i) chosen.emplace_back(pick(), pick());
    }
    // Bursts that fit into the memory lose frames at random only: low quantiles of the fraction lost estimate random
    // loss.
    auto shares =
        transformed_values(counted, [](const Burst* one) { return double(one->lost) / double(one->fragments()); });
    std::sort(shares.begin(), shares.end());
    std::vector<double> losses{0};
    for (const double quantile : {0.1, 0.25, 0.5})
        losses.push_back(shares[std::size_t(quantile * double(shares.size() - 1))]);
    std::vector<BurstParameters> all;
    for (const double loss : losses)
        for (const auto& [a, b] : chosen) {
            const KeptFrames of_a(model, *a, loss), of_b(model, *b, loss);
            const double determinant = of_a.room * of_b.drain - of_b.room * of_a.drain;
            if (std::abs(determinant) <= 1e-9 * of_a.room * of_b.drain) continue;
            BurstParameters parameters;
            parameters.depth = (of_a.kept * of_b.drain - of_b.kept * of_a.drain) / determinant;
            parameters.rate = (of_a.room * of_b.kept - of_b.room * of_a.kept) / determinant;
            parameters.loss = loss;
            if (parameters.depth > 0 && parameters.rate > 0 && loss < 1) all.push_back(parameters);
        }
    return all;
}

std::vector<BurstParameters> starts_from_triples(const BurstLikelihood& likelihood, const QueueModel& model) {
    constexpr std::size_t kTriples = 60;
    constexpr double kSingular = 1e-9;
    const std::vector<const Burst*> counted = counted_losses(likelihood);
    if (counted.size() < 3 || !likelihood.identifies_bucket()) return {};
    RandomBits random(1);
    std::vector<BurstParameters> all;
    for (std::size_t i = 0; i < kTriples; ++i) {
        // Columns of one size each, so that the determinant tells whether the bursts differ.
        Eigen::Matrix3d rows;
        Eigen::Vector3d kept;
        for (int row = 0; row < 3; ++row) {
            const Burst& burst = *counted[std::size_t(uniform(random) * double(counted.size()))];
            const KeptFrames frames(model, burst, 0);
            rows.row(row) << frames.room, frames.drain, double(burst.uplinks) / double(burst.wire);
            kept[row] = frames.kept;
        }
        const Eigen::RowVector3d size = rows.cwiseAbs().colwise().maxCoeff();
        if (!(size.minCoeff() > 0)) continue;
        const Eigen::Matrix3d scaled = rows.array().rowwise() / size.array();
        if (std::abs(scaled.determinant()) <= kSingular) continue;
        const Eigen::Vector3d solved = (scaled.inverse() * kept).array() / size.transpose().array();
        if (!(solved.minCoeff() > 0)) continue;
        BurstParameters parameters;
        parameters.depth = solved[0], parameters.rate = solved[1], parameters.bucket = solved[2];
        all.push_back(parameters);
    }
    return all;
}

std::vector<BurstParameters> starts_from_peaks(const QueueModel& model, const std::vector<Burst>& bursts) {
    constexpr std::size_t kMostRates = 12, kMostDepths = 6;
    constexpr double kBeyond[] = {1.01, 1.3, 3};
    struct Rate {
        double rate = 0, drained = 0;
        double per_rate = 0;  ///< frames drained by all uplinks at 1 bit/s
        double per_byte = 0;  ///< frames per byte on each link
        double bucket = 0;    ///< bytes
    };
    std::vector<Rate> rates;
    std::vector<double> depths;
    double largest = 0;
    for (const Burst& burst : bursts) {
        if (!burst.peak) continue;
        const double frames = PeakLikelihood(model, burst).frames(),
                     depth = (frames / double(model.memories(burst)) + 0.5) * double(model.cost(burst));
        largest = std::max(largest, depth);
        if (burst.lossy) depths.push_back(depth);
        const double drained = double(burst.fragments() - burst.lost) - frames + 0.5,
                     per_rate = burst.uplinks * burst.drain();
        if (per_rate > 0 && drained > 0 && (burst.counted || !burst.lossy))
            rates.push_back({drained / per_rate, drained, per_rate, burst.uplinks / double(burst.wire), 0});
    }
    std::sort(rates.begin(), rates.end(), [](const Rate& a, const Rate& b) { return a.drained > b.drained; });
    if (rates.size() > kMostRates) rates.resize(kMostRates);
    // A second burst and the one that drains most determine the bucket, too.
    for (std::size_t i = 1, n = rates.size(); i < n; ++i) {
        const Rate most = rates.front(), other = rates[i];
        constexpr double kApart = 1.2;
        if (most.per_rate < kApart * other.per_rate || most.drained <= other.drained) continue;
        Rate both = most;
        both.rate = (most.drained - other.drained) / (most.per_rate - other.per_rate);
        both.bucket = (most.drained - both.rate * most.per_rate) / most.per_byte;
        if (both.bucket > 0) rates.push_back(both);
    }
    if (depths.empty())
        for (const double factor : kBeyond) depths.push_back(largest * factor);
    std::sort(depths.begin(), depths.end());
    std::vector<BurstParameters> places;
    for (std::size_t i = 0; i < depths.size(); i += (depths.size() + kMostDepths - 1) / kMostDepths)
        for (const Rate& rate : rates) {
            places.push_back({depths[i], rate.rate});
            places.back().bucket = rate.bucket;
        }
    return places;
}

}  // namespace watershed
