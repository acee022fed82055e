// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/grid-posterior.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

constexpr int kRounds = 12;
/// Half width of the grid in standard deviations.
constexpr double kSigmas = 4.5;

/// A parallelogram in (ln depth, ln rate).
struct Frame {
    Eigen::Vector2d centre;
    Eigen::Matrix2d axes;  ///< columns; u, v in -1 ... 1
};

struct Grid {
    std::vector<Eigen::Vector2d> places;
    std::vector<double> log_weights;             ///< posterior, the area of a cell included
    std::vector<std::vector<double>> nuisances;  ///< log posterior, by place
};

class GridSearch {
  public:
    GridSearch(const Likelihood& likelihood, const SearchBox& box, const GridSteps& steps)
        : likelihood_(likelihood), box_(box), seek_(steps.seek) {
        one_depth_ = box.depth_known || box.depth_low >= box.depth_high;
        one_rate_ = box.rate_known || box.rate_low >= box.rate_high;
        depth_prior_ = one_depth_ ? 0
                                  : -std::log(std::log(static_cast<double>(box.depth_high) /
                                                       static_cast<double>(std::max<std::int64_t>(1, box.depth_low))));
        rate_prior_ = one_rate_ ? 0 : -std::log(box.rate_high - box.rate_low);
    }

    Grid evaluate(const Frame& frame, int steps) const {
        Grid grid;
        const double area = std::log((one_depth_ ? 1 : frame.axes.col(0).norm()) *
                                     (one_rate_ ? 1 : std::abs(frame.axes.determinant()) / frame.axes.col(0).norm()) *
                                     4 / static_cast<double>(steps * steps));
        for (int i = 0; i < (one_depth_ ? 1 : steps); ++i)
            for (int j = 0; j < (one_rate_ ? 1 : steps); ++j) {
                const double u = one_depth_ ? 0 : (2.0 * i + 1) / steps - 1,
                             v = one_rate_ ? 0 : (2.0 * j + 1) / steps - 1;
                const Eigen::Vector2d place = frame.centre + frame.axes * Eigen::Vector2d(u, v);
                std::vector<double> logs;
                const double depth = std::exp(place(0)), rate = std::exp(place(1));
                if (inside(depth, rate)) {
                    const double log_prior =
                        depth_prior_ + rate_prior_ + (one_rate_ ? 0 : place(1)) + likelihood_.log_prior(depth, rate);
                    for (const Nuisance& nuisance : likelihood_.nuisances())
                        logs.push_back(nuisance.log_prior + log_prior + area);
                    likelihood_.add(depth, rate, logs);
                } else {
                    logs.assign(likelihood_.nuisances().size(), -HUGE_VAL);
                }
                grid.places.push_back(place);
                grid.log_weights.push_back(log_sum(logs));
                grid.nuisances.push_back(std::move(logs));
            }
        return grid;
    }

    /// A frame around the mass of a grid; larger where mass lies at its edge.
    Frame around(const Grid& grid, const Frame& before) const {
        const double most = *std::max_element(grid.log_weights.begin(), grid.log_weights.end());
        if (most == -HUGE_VAL) return {before.centre, before.axes * 2};
        Eigen::Vector2d mean = Eigen::Vector2d::Zero();
        double sum = 0;
        for (std::size_t i = 0; i < grid.places.size(); ++i) {
            const double weight = std::exp(grid.log_weights[i] - most);
            sum += weight;
            mean += weight * grid.places[i];
        }
        mean /= sum;
        Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
        for (std::size_t i = 0; i < grid.places.size(); ++i)
            covariance += std::exp(grid.log_weights[i] - most) / sum * (grid.places[i] - mean) *
                          (grid.places[i] - mean).transpose();
        // No narrower than a cell of this grid resolves.
        const Eigen::Matrix2d cell = before.axes / seek_;
        covariance += cell * cell.transpose() / 3;
        Frame next{mean, Eigen::Matrix2d::Zero()};
        // Triangular: depth moves along the ridge first.
        const double a = std::sqrt(std::max(covariance(0, 0), 1e-30)), b = covariance(0, 1) / a;
        const double c = std::sqrt(std::max(covariance(1, 1) - b * b, 1e-30));
        next.axes << kSigmas * a, 0, kSigmas * b, kSigmas * c;
        if (one_depth_) {
            next.axes << 1, 0, 0, kSigmas * std::sqrt(std::max(covariance(1, 1), 1e-30));
            next.centre(0) = before.centre(0);
        }
        if (one_rate_) {
            next.axes(1, 0) = 0;
            next.axes(1, 1) = 1;
            next.centre(1) = before.centre(1);
        }
        return next;
    }

    /// The part of a frame that holds the mass, if that is much less than all.
    std::optional<Frame> filled_by(const Grid& grid, const Frame& frame) const {
        constexpr double kNothing = 15, kMuch = 0.6;  // of log weight; of the frame along an axis
        const double most = *std::max_element(grid.log_weights.begin(), grid.log_weights.end());
        if (most == -HUGE_VAL) return std::nullopt;
        Eigen::Vector2d low(1, 1), high(-1, -1);
        const Eigen::Matrix2d inverse = frame.axes.inverse();
        for (std::size_t i = 0; i < grid.places.size(); ++i) {
            const Eigen::Vector2d at = inverse * (grid.places[i] - frame.centre);
            if (grid.log_weights[i] < most - kNothing) continue;
            low = low.cwiseMin(at), high = high.cwiseMax(at);
        }
        const double steps = std::sqrt(static_cast<double>(grid.places.size()));
        Frame part = frame;
        bool less = false;
        for (int axis = 0; axis < 2; ++axis) {
            if ((axis == 0 ? one_depth_ : one_rate_)) continue;
            const double from = low(axis) - 2 / steps, to = high(axis) + 2 / steps;
            if (to - from > 2 * kMuch) continue;
            part.centre += frame.axes.col(axis) * (from + to) / 2;
            part.axes.col(axis) *= (to - from) / 2;
            less = true;
        }
        return less ? std::make_optional(part) : std::nullopt;
    }

    bool one_depth() const { return one_depth_; }
    bool one_rate() const { return one_rate_; }

  private:
    bool inside(double depth, double rate) const {
        const double slack = 1e-9;
        return (one_depth_ || (depth >= static_cast<double>(box_.depth_low) * (1 - slack) &&
                               depth <= (static_cast<double>(box_.depth_high) + 1) * (1 + slack))) &&
               (one_rate_ || (rate >= box_.rate_low && rate <= box_.rate_high * (1 + slack)));
    }

    const Likelihood& likelihood_;
    SearchBox box_;
    int seek_;
    bool one_depth_ = false, one_rate_ = false;
    double depth_prior_ = 0, rate_prior_ = 0;
};

}  // namespace

std::vector<Nuisance> likely(const std::vector<Nuisance>& nuisances, const std::vector<double>& weights) {
    constexpr double kNothing = 1e-5;
    std::vector<Nuisance> kept;
    for (std::size_t i = 0; i < nuisances.size(); ++i)
        if (weights[i] > kNothing) kept.push_back(nuisances[i]);
    return kept;
}

std::vector<double> weights_of_all(const std::vector<Nuisance>& all, const std::vector<Nuisance>& some,
                                   const std::vector<double>& weights) {
    const auto key = [](const Nuisance& one) {
        return std::make_tuple(one.noise, one.relative, one.background, one.dispersion);
    };
    std::vector<double> of_all;
    std::size_t next = 0;
    for (const Nuisance& one : all)
        of_all.push_back(next < some.size() && key(one) == key(some[next]) ? weights[next++] : 0);
    return of_all;
}

RelativeWidths widths_of(const std::vector<SupportPoint>& points) {
    double sum = 0, depth = 0, rate = 0;
    for (const SupportPoint& p : points) sum += p.weight, depth += p.weight * p.depth, rate += p.weight * p.rate;
    RelativeWidths squares;
    for (const SupportPoint& p : points) {
        const double d = p.depth * sum / depth - 1, r = p.rate * sum / rate - 1;
        squares.depth += p.weight / sum * d * d, squares.rate += p.weight / sum * r * r;
    }
    return {std::sqrt(squares.depth), std::sqrt(squares.rate)};
}

double correlation_of(const std::vector<SupportPoint>& points) {
    double sum = 0, depth = 0, rate = 0;
    for (const SupportPoint& p : points) sum += p.weight, depth += p.weight * p.depth, rate += p.weight * p.rate;
    double dd = 0, rr = 0, dr = 0;
    for (const SupportPoint& p : points) {
        const double d = p.depth - depth / sum, r = p.rate - rate / sum;
        dd += p.weight * d * d, rr += p.weight * r * r, dr += p.weight * d * r;
    }
    return dd > 0 && rr > 0 ? dr / std::sqrt(dd * rr) : 0;
}

GridPosterior grid_posterior(const Likelihood& likelihood, const SearchBox& box, double depth, double rate,
                             double depth_scale, double rate_scale, GridSteps steps) {
    const GridSearch search(likelihood, box, steps);
    Frame frame{{std::log(depth), std::log(rate)}, Eigen::Matrix2d::Zero()};
    frame.axes << (search.one_depth() ? 1 : kSigmas * depth_scale), 0, 0,
        (search.one_rate() ? 1 : kSigmas * rate_scale);
    for (int round = 0; round < kRounds; ++round) {
        const Frame next = search.around(search.evaluate(frame, steps.seek), frame);
        const double moved = (frame.axes.inverse() * (next.centre - frame.centre)).cwiseAbs().maxCoeff(),
                     grown = std::abs(std::log(std::abs(next.axes.determinant() / frame.axes.determinant())));
        frame = next;
        if (moved < 0.03 && grown < 0.15) break;
    }
    Grid grid = search.evaluate(frame, steps.last);
    // A distribution with edges fills but a part of a grid that is made for tails.
    if (const auto filled = search.filled_by(grid, frame)) grid = search.evaluate(*filled, steps.last);
    GridPosterior posterior;
    posterior.log_evidence = log_sum(grid.log_weights);
    posterior.nuisance_weights.assign(likelihood.nuisances().size(), 0);
    if (posterior.log_evidence == -HUGE_VAL) return posterior;
    for (std::size_t i = 0; i < grid.places.size(); ++i) {
        const double weight = std::exp(grid.log_weights[i] - posterior.log_evidence);
        if (weight < 1e-9) continue;
        posterior.points.push_back({std::exp(grid.places[i](0)), std::exp(grid.places[i](1)), weight, 0});
        for (std::size_t j = 0; j < grid.nuisances[i].size(); ++j)
            posterior.nuisance_weights[j] += std::exp(grid.nuisances[i][j] - posterior.log_evidence);
    }
    return posterior;
}

}  // namespace watershed
