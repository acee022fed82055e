// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/goodness.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/predictive-check.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/posterior/count-fit.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

/// Bursts that are simulated: of larger maps a sample.
constexpr std::size_t kMostSimulated = 400;
/// A residual says something only where the outcome was open.
constexpr double kOpen = 0.02;
/// Variance of a number rounded down from anywhere within one frame.
constexpr double kRounded = 1.0 / 12;

using Random = std::mt19937_64;

/// Uniform between 0 and 1, the same on every machine.
double uniform(Random& random) { return (static_cast<double>(random() >> 12) + 0.5) * std::exp2(-52); }
double normal(Random& random) { return normal_quantile(uniform(random)); }

using Mix = std::tuple<std::int64_t, int, std::int64_t>;
using Place = std::tuple<Mix, std::int64_t, std::int64_t>;
Mix mix_of(const Burst& burst) { return {burst.ports, burst.uplinks, burst.payload}; }
Place place_of(const Burst& burst) { return {mix_of(burst), burst.spacing.count(), burst.events}; }

/// What a map leaves in units of its expected noise, what a new fit could take from it, and how to draw such a map.
class Scatter {
  public:
    virtual ~Scatter() = default;
    virtual Eigen::VectorXd simulated(Random& random) const = 0;

    std::vector<const Burst*> bursts;
    std::vector<bool> open;
    Eigen::VectorXd measured;
    Eigen::MatrixXd slopes;  ///< by what is fitted
    Eigen::VectorXd prior;   ///< precision of what is fitted
    bool scaled = false;     ///< the unit is not known but fitted
    bool noise_known = false;
    double deviance = 0;
};

/// Numbers of lost frames.
class CountScatter : public Scatter {
  public:
    CountScatter(const ModelFit& one, const std::vector<const Burst*>& all) {
        const double depth = *one.depth.value, rate = *one.rate.value;
        const NoiseLaw law = NoiseLaw::of(*one.noise->value, one.noise->relative);
        std::map<Mix, Eigen::Index> mixes;
        for (const Burst* burst : all) {
            if (!burst->lossy || !burst->counted) continue;
            bursts.push_back(burst);
            mixes.emplace(mix_of(*burst), static_cast<Eigen::Index>(mixes.size()));
        }
        const auto n = static_cast<Eigen::Index>(bursts.size());
        std::vector<double> sizes;
        for (const Burst* burst : bursts) {
            const double gaps = static_cast<double>(burst->events - 1);
            const double growth =
                gaps > 0
                    ? std::max(0.0, static_cast<double>(burst->ports) - burst->uplinks * burst->drain() * rate / gaps)
                    : 1;
            sizes.push_back(law.deviation(growth * static_cast<double>(burst->events)));
        }
        const auto effects = static_cast<Eigen::Index>(mixes.size());
        measured.resize(n);
        frames_.resize(n);
        slopes = Eigen::MatrixXd::Zero(n, 2 + effects);
        prior = Eigen::VectorXd::Zero(2 + effects);
        prior.tail(effects).setConstant(1 / (kSystematic * kSystematic));
        open.assign(bursts.size(), true);
        noise_known = one.noise->known;
        scaled = !noise_known;
        for (Eigen::Index i = 0; i < n; ++i) {
            const Burst& burst = *bursts[static_cast<std::size_t>(i)];
            const double rounding = rounding_of(burst), size = sizes[static_cast<std::size_t>(i)];
            frames_(i) = std::sqrt(size * size + kRounded + rounding);
            const double missing = kept_residual(one.model, burst, depth, rate);
            measured(i) = missing / frames_(i);
            deviance += measured(i) * measured(i);
            slopes(i, 0) = static_cast<double>(one.model.memories(burst)) / static_cast<double>(one.model.cost(burst)) /
                           frames_(i);
            slopes(i, 1) = burst.uplinks * burst.drain() / frames_(i);
            slopes(i, 2 + mixes.at(mix_of(burst))) = 1 / frames_(i);
        }
        for (Eigen::Index k = 0; k < 2 && n > 0; ++k)
            if (const double most = slopes.col(k).maxCoeff(); most > 0) slopes.col(k) /= most;
        prior.head(2).setConstant(1e-9);  // one separation alone tells but one of the two
    }

    /// The noise that the measured map shows once it is fitted.
    void set_scale(double scale) { scale_ = scale; }

    Eigen::VectorXd simulated(Random& random) const override {
        std::map<Mix, double> parts;
        std::map<Place, double> phases;
        Eigen::VectorXd values(measured.size());
        for (Eigen::Index i = 0; i < values.size(); ++i) {
            const Burst& burst = *bursts[static_cast<std::size_t>(i)];
            const double all = scale_ * frames_(i), noise = std::sqrt(std::max(0.0, all * all - rounding_of(burst)));
            auto part = parts.try_emplace(mix_of(burst), 0);
            if (part.second) part.first->second = kSystematic * normal(random);
            auto phase = phases.try_emplace(place_of(burst), 0.5);
            if (phase.second && burst.events > 1) phase.first->second = uniform(random);
            double off = std::floor(phase.first->second + noise * normal(random)) - phase.first->second + 0.5;
            off += (burst.uplinks - 1) * (0.5 - phase.first->second);
            values(i) = (part.first->second + off) / frames_(i);
        }
        return values;
    }

  private:
    /// Variance of what the links' whole frames leave over: all uplinks begin at once, and each leaves the same.
    static double rounding_of(const Burst& burst) {
        return burst.events > 1 ? kRounded * burst.uplinks * burst.uplinks : 0;
    }

    Eigen::VectorXd frames_;  ///< of a standard deviation, but for `scale_`
    double scale_ = 1;
};

/// Lossy or lossless.
class FlagScatter : public Scatter {
  public:
    FlagScatter(const ModelFit& one, const std::vector<const Burst*>& all) {
        bursts = all;
        noise_known = one.noise->known;
        const auto n = static_cast<Eigen::Index>(bursts.size());
        const double depth = *one.depth.value, rate = *one.rate.value;
        Nuisance nuisance{*one.noise->value, true, one.noise->background, 0, 0};
        loss_.resize(n);
        measured.resize(n);
        slopes = Eigen::MatrixXd::Zero(n, 3);
        prior = Eigen::VectorXd::Constant(3, 1e-9);
        const double step = 0.3 * nuisance.noise;  // within the width of the watershed
        for (Eigen::Index i = 0; i < n; ++i) {
            const Burst& burst = *bursts[static_cast<std::size_t>(i)];
            const double p = loss_(i) = chance(one.model, burst, depth, rate, nuisance),
                         deviation = std::sqrt(p * (1 - p));
            open.push_back(p > kOpen && p < 1 - kOpen);
            measured(i) = (burst.lossy ? p - 1 : p) / deviation;
            deviance -= 2 * std::log(burst.lossy ? p : 1 - p);
            Nuisance wider = nuisance;
            wider.noise *= 1 + step;
            slopes(i, 0) = (chance(one.model, burst, depth * (1 + step), rate, nuisance) -
                            chance(one.model, burst, depth * (1 - step), rate, nuisance)) /
                           deviation;
            slopes(i, 1) = (chance(one.model, burst, depth, rate * (1 + step), nuisance) -
                            chance(one.model, burst, depth, rate * (1 - step), nuisance)) /
                           deviation;
            slopes(i, 2) = (chance(one.model, burst, depth, rate, wider) - p) / deviation;
        }
        for (Eigen::Index k = 0; k < 3 && n > 0; ++k)
            if (const double most = slopes.col(k).cwiseAbs().maxCoeff(); most > 0) slopes.col(k) /= most;
    }

    Eigen::VectorXd simulated(Random& random) const override {
        Eigen::VectorXd values(measured.size());
        for (Eigen::Index i = 0; i < values.size(); ++i) {
            const double p = loss_(i);
            values(i) = (uniform(random) < p ? p - 1 : p) / std::sqrt(p * (1 - p));
        }
        return values;
    }

  private:
    static double chance(const QueueModel& model, const Burst& burst, double depth, double rate,
                         const Nuisance& nuisance) {
        const double threshold = threshold_events(model, burst, depth, rate);
        const double p = std::isinf(threshold) ? nuisance.background
                                               : FlagLikelihood::probability(
                                                     std::log(static_cast<double>(burst.events) / threshold), nuisance);
        return std::clamp(p, 1e-9, 1 - 1e-9);
    }

    Eigen::VectorXd loss_;
};

/// A new fit of a map, to first order.
class Refit {
  public:
    explicit Refit(const Scatter& scatter) : slopes_(scatter.slopes), scaled_(scatter.scaled) {
        const Eigen::Index k = slopes_.cols();
        Eigen::MatrixXd information = slopes_.transpose() * slopes_;
        information.diagonal() +=
            scatter.prior + Eigen::VectorXd::Constant(k, 1e-9 * std::max(1e-9, information.diagonal().maxCoeff()));
        gain_ = information.ldlt().solve(slopes_.transpose());
        for (Eigen::Index i = 0; i < slopes_.rows(); ++i)
            left_.push_back(std::sqrt(std::max(0.05, 1 - slopes_.row(i).dot(gain_.col(i)))));
    }

    /// What is left of a map, each value in its own standard deviations.
    Eigen::VectorXd residuals(const Eigen::VectorXd& values) const {
        const Eigen::VectorXd rest = left_of(values);
        return scaled_ ? Eigen::VectorXd(rest / std::max(root_mean_square(rest), 1e-12)) : rest;
    }
    /// By how much the noise of a map differs from what its unit says.
    double scale(const Eigen::VectorXd& values) const { return root_mean_square(left_of(values)); }

  private:
    Eigen::VectorXd left_of(const Eigen::VectorXd& values) const {
        Eigen::VectorXd rest = values - slopes_ * (gain_ * values);
        for (Eigen::Index i = 0; i < rest.size(); ++i) rest(i) /= left_[static_cast<std::size_t>(i)];
        return rest;
    }
    static double root_mean_square(const Eigen::VectorXd& values) {
        return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
    }

    Eigen::MatrixXd slopes_, gain_;
    std::vector<double> left_;  ///< of each value's standard deviation
    bool scaled_;
};

/// An order of the open bursts.
struct Order {
    std::string name;
    std::vector<Eigen::Index> places;
};

template <class Key>
Order order_of(const std::string& name, const Scatter& scatter, Key key) {
    Order order{name, {}};
    for (std::size_t i = 0; i < scatter.bursts.size(); ++i)
        if (scatter.open[i]) order.places.push_back(static_cast<Eigen::Index>(i));
    // Ties keep the order of rows, in which repeats are neighbours only where they were measured so.
    std::stable_sort(order.places.begin(), order.places.end(), [&](Eigen::Index a, Eigen::Index b) {
        return key(*scatter.bursts[static_cast<std::size_t>(a)]) < key(*scatter.bursts[static_cast<std::size_t>(b)]);
    });
    return order;
}

RunsTest runs_test(const Order& order, const Scatter& scatter, const Eigen::VectorXd& residuals) {
    // Repeats share their rounding, and would miss to the same side for that alone.
    std::vector<double> values;
    std::map<Place, std::size_t> known;
    for (const Eigen::Index i : order.places) {
        const auto [found, added] =
            known.try_emplace(place_of(*scatter.bursts[static_cast<std::size_t>(i)]), values.size());
        if (added)
            values.push_back(residuals(i));
        else
            values[found->second] += residuals(i);
    }
    return wald_wolfowitz(order.name, values);
}

/// What is compared beside the orders.
const std::vector<std::string> kShapes{"its worst burst", "residuals that lie too evenly",
                                       "more scatter than the noise that is known"};

/// The larger, the more unusual.
std::vector<double> statistics(const Eigen::VectorXd& residuals, const std::vector<Order>& orders, bool noise_known) {
    const double square = residuals.array().square().mean();
    // Residuals that are all nothing have no shape, and the moments of normal ones are as good as any.
    constexpr double kNone = 1e-18, kNormalFourth = 3, kNormalStep = 2;
    const bool none = square < kNone;
    std::vector<double> all{residuals.cwiseAbs().maxCoeff(),
                            none ? -kNormalFourth : -residuals.array().pow(4).mean() / (square * square),
                            noise_known ? square : 0};
    for (const Order& order : orders) {
        double steps = 0, squares = 0;
        for (std::size_t i = 0; i < order.places.size(); ++i) {
            const double value = residuals(order.places[i]);
            squares += value * value;
            if (i > 0) steps += std::pow(value - residuals(order.places[i - 1]), 2);
        }
        all.push_back(none ? -kNormalStep : -steps / squares);
    }
    return all;
}

/// The share of all maps that are at least as unusual as each, ties counted half.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> shares;
    for (const double value : values) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
        shares.push_back((static_cast<double>(sorted.end() - last) + 0.5 * static_cast<double>(last - first)) /
                         static_cast<double>(values.size()));
    }
    return shares;
}

void compare(Goodness& goodness, const Scatter& scatter, const Refit& refit, const Eigen::VectorXd& measured,
             std::uint64_t seed, int replicas) {
    const auto spacing = [](const Burst& burst) { return burst.spacing.count(); };
    const auto events = [](const Burst& burst) { return burst.events; };
    const std::vector<Order> orders{order_of("a trend with the separation", scatter, spacing),
                                    order_of("a trend with the number of events", scatter, events),
                                    order_of("a trend among bursts of the same ports and payload", scatter, place_of)};
    std::vector<std::vector<double>> columns(kShapes.size() + orders.size());
    const auto note = [&](const Eigen::VectorXd& residuals) {
        const std::vector<double> values = statistics(residuals, orders, scatter.noise_known);
        for (std::size_t s = 0; s < values.size(); ++s) columns[s].push_back(values[s]);
    };
    note(measured);
    Random random(seed);
    for (int replica = 0; replica < replicas; ++replica) note(refit.residuals(scatter.simulated(random)));
    std::vector<double> least(static_cast<std::size_t>(replicas) + 1, 1);
    for (std::size_t s = 0; s < columns.size(); ++s) {
        const std::vector<double> shares = ranks(columns[s]);
        if (shares.front() < least.front())
            goodness.unusual = s < kShapes.size() ? kShapes[s] : orders[s - kShapes.size()].name;
        for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], shares[i]);
    }
    const auto as_unusual =
        std::count_if(least.begin() + 1, least.end(), [&](double value) { return value <= least.front(); });
    goodness.replicas = replicas;
    goodness.p_value = static_cast<double>(as_unusual + 1) / (replicas + 1);
}

void judge(Goodness& goodness, const Scatter& scatter, const Refit& refit, std::uint64_t seed, int replicas) {
    const Eigen::VectorXd residuals = refit.residuals(scatter.measured);
    goodness.deviance = scatter.deviance;
    for (std::size_t i = 0; i < scatter.bursts.size(); ++i)
        if (scatter.open[i])
            goodness.residuals.push_back({scatter.bursts[i]->row, residuals(static_cast<Eigen::Index>(i))});
    goodness.runs = {
        runs_test(order_of("row", scatter, [](const Burst& burst) { return burst.row; }), scatter, residuals),
        runs_test(order_of("separation", scatter, [](const Burst& burst) { return burst.spacing.count(); }), scatter,
                  residuals),
        runs_test(order_of("events", scatter, [](const Burst& burst) { return burst.events; }), scatter, residuals)};
    // What is fitted takes as many bursts, and fewer than a few more show no shape.
    constexpr Eigen::Index kFewest = 3;
    if (residuals.size() >= scatter.slopes.cols() + kFewest)
        compare(goodness, scatter, refit, residuals, seed, replicas);
}

}  // namespace

RunsTest wald_wolfowitz(const std::string& order, const std::vector<double>& values) {
    RunsTest test;
    test.order = order;
    test.residuals = values.size();
    const auto positive = static_cast<double>(
                   std::count_if(values.begin(), values.end(), [](double value) { return value > 0; })),
               n = static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) test.runs += i == 0 || (values[i] > 0) != (values[i - 1] > 0);
    const double both = 2 * positive * (n - positive);
    if (both <= 0 || n < 10) return test;
    const double mean = both / n + 1, variance = both * (both - n) / (n * n * (n - 1));
    if (variance > 0)
        test.p_value =
            2 * below(-std::max(0.0, std::abs(static_cast<double>(test.runs) - mean) - 0.5) / std::sqrt(variance));
    test.p_value = std::min(1.0, test.p_value);
    return test;
}

Goodness goodness_of(const ModelFit& one, const std::vector<const Burst*>& bursts, std::uint64_t seed, int replicas) {
    if (!one.parameters.empty()) return predictive_check(one.model, one.parameters, one.mixes, bursts, seed, replicas);
    std::vector<const Burst*> sample;
    for (std::size_t i = 0, stride = bursts.size() / kMostSimulated + 1; i < bursts.size(); i += stride)
        sample.push_back(bursts[i]);
    Goodness goodness;
    if (one.counts) {
        CountScatter scatter(one, sample);
        if (scatter.bursts.empty()) return goodness;
        const Refit refit(scatter);
        if (scatter.scaled) scatter.set_scale(refit.scale(scatter.measured));
        judge(goodness, scatter, refit, seed, replicas);
    } else {
        const FlagScatter scatter(one, sample);
        if (!scatter.bursts.empty()) judge(goodness, scatter, Refit(scatter), seed, replicas);
    }
    return goodness;
}

}  // namespace watershed
