// SPDX-License-Identifier: GPL-2.0-only
#include <Eigen/Core>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Adds a normal error to an interval about a value; an end that lies beyond the value stays, and none passes a hard
/// limit that it kept.
void add_error(const Estimate& estimate, Interval& interval, double error) {
    const double value = *estimate.value;
    if (interval.low && *interval.low <= value) {
        const double low = std::max(0.0, value - std::hypot(value - *interval.low, error));
        interval.low = std::min(*interval.low, std::max(low, estimate.hard.low.value_or(low)));
    }
    if (interval.high && *interval.high >= value) {
        const double high = value + std::hypot(*interval.high - value, error);
        interval.high = std::max(*interval.high, std::min(high, estimate.hard.high.value_or(high)));
    }
}

/// Samples that are not far off the others, by three times what lies between the outer sixths, and have random loss at
/// the likelier place: a rival place does not tell how an estimate follows its bursts.
std::vector<BurstParameters> about_the_middle(std::vector<BurstParameters> samples) {
    constexpr double kFar = 3;
    const bool ahead =
        2 * boost::count_if(samples, [](const auto& one) { return one.loss_ahead; }) > std::ptrdiff_t(samples.size());
    boost::remove_erase_if(samples, [&](const auto& one) { return one.loss_ahead != ahead; });
    for (double BurstParameters::*const value : {&BurstParameters::depth, &BurstParameters::rate}) {
        const auto at = [&](double share) {
            const auto nth = samples.begin() + std::ptrdiff_t(share * double(samples.size() - 1));
            std::nth_element(samples.begin(), nth, samples.end(),
                             [&](const auto& a, const auto& b) { return a.*value < b.*value; });
            return (*nth).*value;
        };
        const double middle = at(0.5), far = kFar * (at(1 - kTailOf68) - at(kTailOf68));
        samples.erase(std::remove_if(samples.begin(), samples.end(),
                                     [&](const auto& one) { return std::abs(one.*value - middle) > far; }),
                      samples.end());
    }
    return samples;
}

}  // namespace

std::map<Time, Time> shifts_within_rounding(const ModelFit& one, const std::vector<Burst>& bursts, Time step) {
    constexpr double kCount = 0.5, kFixed = 1e4;  // frames by which a count may be off; weight of a shift that is known
    constexpr double kMostOff = 2;                // frames by which a count that is explained may be off
    constexpr int kMostTurns = 10;
    std::map<Time, Eigen::Index> column;
    for (const Burst& burst : bursts) column.try_emplace(burst.separation, 2 + Eigen::Index(column.size()));
    const Eigen::Index unknowns = 2 + Eigen::Index(column.size());
    constexpr std::size_t kMostRows = 1000;
    if (!one.depth.value || !one.rate.value || one.model.feature != Feature::None || one.model.per_packet ||
        bursts.size() > kMostRows)
        return {};
    // Frames lost are linear in depth, rate, and each shift times the rate; each in parts of its size.
    const double depth = *one.depth.value, rate = *one.rate.value, error = double(step.count()) / std::sqrt(12.0);
    Eigen::VectorXd at = Eigen::VectorXd::Zero(unknowns);
    at[0] = at[1] = 1;
    const double half = std::sqrt(3.0);                  // half of the unit, in standard deviations of the rounding
    std::vector<double> ends(std::size_t(unknowns), 0);  // shifts that would be more, at this end; 0: others
    const std::vector<Burst> seen = seen_by(one.model, bursts);
    std::vector<bool> full(seen.size());  // bursts that fill the memory
    double worst = 0;                     // frames by which a count is missed
    for (int turn = 0; turn <= kMostTurns; ++turn) {
        std::vector<Eigen::VectorXd> rows;
        std::vector<double> targets;
        worst = 0;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const Burst& burst = seen[i];
            const double memories = double(one.model.memories(burst)),
                         per_time = burst.uplinks * double(burst.events - 1) / bit_picoseconds(burst.wire) * rate;
            Eigen::VectorXd row = Eigen::VectorXd::Zero(unknowns);
            row[0] = memories * depth / double(one.model.cost(burst)), row[1] = burst.uplinks * burst.drain() * rate;
            row[column.at(burst.separation)] = per_time * error;
            const double kept = double(burst.fragments() - burst.lost);
            // Rows without loss count once they would lose, from then on as if they were at the watershed; rows with
            // losses that nobody counted never do.
            full[i] = full[i] || burst.loss_counted() || (!burst.lossy && row.dot(at) < kept);
            if (!full[i]) continue;
            worst = std::max(worst, std::abs(row.dot(at) - kept));
            rows.push_back(row / kCount), targets.push_back(kept / kCount);
        }
        if (turn == kMostTurns) break;
        for (const auto& [separation, place] : column) {
            double& end = ends[std::size_t(place)];
            if (std::abs(at[place]) > half * at[1]) end = std::copysign(half, at[place]);
            const double weight = end != 0 ? kFixed : 1;
            rows.push_back(weight *
                           (Eigen::VectorXd::Unit(unknowns, place) - end * Eigen::VectorXd::Unit(unknowns, 1)));
            targets.push_back(0);
        }
        Eigen::MatrixXd matrix(Eigen::Index(rows.size()), unknowns);
        for (std::size_t i = 0; i < rows.size(); ++i) matrix.row(Eigen::Index(i)) = rows[i];
        at = matrix.colPivHouseholderQr().solve(
            Eigen::Map<const Eigen::VectorXd>(targets.data(), Eigen::Index(targets.size())));
    }
    std::map<Time, Time> shifts;
    if (worst > kMostOff) return shifts;
    for (const auto& [separation, place] : column) {
        const double shift = at[place] * error / at[1];
        constexpr double kSlack = 1e-3;
        if (!(std::abs(shift) <= (1 + kSlack) * double(step.count()) / 2)) return {};
        shifts[separation] = Time{std::llround(shift)};
    }
    return shifts;
}

std::optional<double> allow_for_rounding(ModelFit& one, const std::vector<Burst>& bursts, Time step, bool in_full) {
    constexpr double kRounding = 0.3;  // frames
    if (step.count() == 0 || one.parameters.size() < 2 || !one.depth.value || !one.rate.value) return std::nullopt;
    const std::vector<BurstParameters> points = about_the_middle(one.parameters);
    const auto samples = Eigen::Index(points.size());
    const double error = double(step.count()) / std::sqrt(12.0);
    const BurstLikelihood likelihood(one.model, seen_by(one.model, bursts), one.mixes);
    // To first order the posterior's covariance with the expected losses tells how the estimate follows them.
    std::map<Time, Eigen::VectorXd> pulls;
    double squares = 0, rows = 0;
    for (std::size_t i = 0; i < likelihood.size(); ++i) {
        const Burst& burst = likelihood.burst(i);
        const double frames =
            burst.uplinks * double(burst.events - 1) * error / bit_picoseconds(burst.wire) * *one.rate.value;
        Eigen::VectorXd expected(samples);
        double variance = 0, lossy = 0;
        for (Eigen::Index j = 0; j < samples; ++j) {
            const BurstParameters& point = points[std::size_t(j)];
            expected[j] = likelihood.overflow(i, point);
            variance += (std::pow(likelihood.deviation(i, point), 2) + kRounding * kRounding +
                         (point.loss_ahead ? 0 : point.loss * double(burst.fragments()))) /
                        double(samples);
            // Frames lost at random tell nothing of a memory that is not full.
            BurstParameters certain = point;
            certain.loss = 0;
            lossy += (1 - likelihood.at_most(i, 0, certain)) / double(samples);
        }
        Eigen::VectorXd& pull = pulls.try_emplace(burst.separation, Eigen::VectorXd::Zero(samples)).first->second;
        pull += lossy / variance * frames * expected;
        squares += lossy * frames * frames, rows += lossy;
    }
    // Depth and rate follow two separations; from three on their scatter shows how large the error is.
    constexpr std::size_t kFollowed = 2;
    double part = 1;
    if (pulls.size() > kFollowed && squares > 0 && !in_full)
        part = std::min(1.0, std::hypot(one.scatter.value_or(0), kRounding) / std::sqrt(squares / rows));
    const auto error_of = [&](double BurstParameters::*value) {
        Eigen::VectorXd values(samples);
        for (Eigen::Index j = 0; j < samples; ++j) values[j] = points[std::size_t(j)].*value;
        values.array() -= values.mean();
        double sum = 0;
        for (const auto& [separation, pull] : pulls) sum += std::pow(values.dot(pull) / double(samples), 2);
        return part * std::sqrt(sum);
    };
    double of_rate = error_of(&BurstParameters::rate);
    const double of_depth = error_of(&BurstParameters::depth);
    // All drain in proportion to one separation, whatever samples of an exact map still vary.
    if (pulls.size() == 1) of_rate = std::max(of_rate, *one.rate.value * error / double(pulls.begin()->first.count()));
    constexpr double kMatters = 0.1;  // in halves of a 68 % interval
    const Interval& known = one.rate.interval68;
    if (!known.low || !known.high || of_rate < kMatters * (*known.high - *known.low) / 2) return std::nullopt;
    for (const auto& [estimate, deviation] : {std::pair{&one.rate, of_rate}, {&one.depth, of_depth}})
        add_error(*estimate, estimate->interval68, deviation),
            add_error(*estimate, estimate->interval95, 2 * deviation);
    return of_rate / *one.rate.value;
}

}  // namespace watershed
