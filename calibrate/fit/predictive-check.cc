// SPDX-License-Identifier: GPL-2.0-only
#include <Eigen/Eigenvalues>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

constexpr std::size_t kMostOfSample = 150;
/// Probability from which on an outcome that came was certain.
constexpr double kCertain = 0.99;

using Settings = std::tuple<std::int64_t, int, std::int64_t, std::int64_t, std::int64_t>;
Settings settings_of(const Burst& burst) {
    return {burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), burst.events};
}

/// Returns the two-sided p-value of the runs in sequences of their own: conditional on how many of each are positive,
/// all orders within a sequence are as likely.
RunsTest wald_wolfowitz(const std::string& order, const std::vector<std::vector<double>>& sequences) {
    RunsTest test;
    test.order = order;
    double off = 0, variance = 0;
    for (const std::vector<double>& values : sequences) {
        const auto positive = double(boost::count_if(values, [](double value) { return value > 0; })),
                   n = double(values.size()), both = 2 * positive * (n - positive);
        std::size_t runs = 0;
        for (std::size_t i = 0; i < values.size(); ++i) runs += i == 0 || (values[i] > 0) != (values[i - 1] > 0);
        test.residuals += values.size(), test.runs += runs;
        if (both > 0) off += double(runs) - both / n - 1, variance += both * (both - n) / (n * n * (n - 1));
    }
    constexpr std::size_t kFewest = 10;
    if (variance > 0 && test.residuals >= kFewest)
        test.p_value = std::min(1.0, 2 * normal_cdf(-std::max(0.0, std::abs(off) - 0.5) / std::sqrt(variance)));
    return test;
}

/// Bursts in some order.
struct OpenOrder {
    std::string name;
    std::vector<std::size_t> bursts;
};

/// Returns the normal score of a probability; positive: fewer frames lost than expected.
double score_of(double probability) {
    constexpr double kFarthest = 1e-6;
    return -normal_quantile(std::clamp(probability, kFarthest, 1 - kFarthest));
}

double student_cdf(double value, double freedom) {
    using namespace boost::math::policies;
    return cdf(boost::math::students_t_distribution<double, policy<promote_double<false>>>(freedom), value);
}

/// Prediction of a burst's outcome by all other bursts: its distribution function.
class Foretold {
  public:
    /// The posterior's samples count by the inverse likelihood of the burst, which leaves it out of the fit; no more
    /// than the root of their number times the mean (Ionides, J. Comput. Graph. Stat. 17, 2008).
    Foretold(const BurstLikelihood& likelihood, std::size_t row, const std::vector<BurstParameters>& posterior)
        : likelihood_(likelihood), row_(row), posterior_(posterior) {
        double sum = 0;
        for (const BurstParameters& point : posterior)
            sum += weights_.emplace_back(1 / likelihood.likelihood(row, point));
        const double most = sum / std::sqrt(double(posterior.size()));
        sum = 0;
        for (double& weight : weights_) sum += weight = std::min(weight, most);
        for (double& weight : weights_) weight /= sum;
        none_ = at_most(0);
        const Burst& burst = likelihood.burst(row);
        seen_ = flag() ? 1 - none_ : at_most(burst.lost) - (burst.lost > 0 ? at_most(burst.lost - 1) : 0);
        score_ = score_of(flag() ? (1 + none_) / 2 : at_most(burst.lost) - seen_ / 2);
        constexpr double kTail = 1e-4;
        const auto reached = [&](double share) {
            return first_of(1, burst.fragments(), [&](std::int64_t frames) { return at_most(frames) >= share; });
        };
        if (flag() || none_ >= 1 - kTail) return;
        constexpr std::int64_t kSteps = 60;  // numbers of frames that count one by one
        least_ = reached(none_ + kTail);
        const std::int64_t last = reached(1 - kTail);
        if (last - least_ >= kSteps) return;
        for (std::int64_t lost = least_; lost <= last; ++lost) steps_.push_back(at_most(lost));
    }

    /// Returns the probability of what came.
    double seen() const { return seen_; }
    /// Returns the score of what came.
    double score() const { return score_; }
    /// Returns the score of the outcome at a quantile of the prediction: that of the middle of a step.
    double score_at(double share) const {
        if (share <= none_) return score_of(none_ / 2);
        if (flag()) return score_of((1 + none_) / 2);
        const auto step = boost::upper_bound(steps_, share);
        if (step == steps_.end()) return score_of(share);
        return score_of((*step + (step == steps_.begin() ? none_ : *std::prev(step))) / 2);
    }

  private:
    bool flag() const { return likelihood_.burst(row_).lossy && !likelihood_.burst(row_).counted; }
    double at_most(std::int64_t frames) const {
        double sum = 0;
        for (std::size_t j = 0; j < posterior_.size(); ++j)
            sum += weights_[j] * likelihood_.at_most(row_, frames, posterior_[j]);
        return sum;
    }

    const BurstLikelihood& likelihood_;
    std::size_t row_;
    const std::vector<BurstParameters>& posterior_;
    std::vector<double> weights_;
    double none_ = 0, seen_ = 0, score_ = 0;
    std::int64_t least_ = 1;
    std::vector<double> steps_;  ///< probabilities of at most each number of frames from least_ on; empty: no steps
};

class Check {
  public:
    Check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed)
        : likelihood_(one.model, bursts, one.mixes),
          random_(seed),
          scatter_given_(one.noise && one.noise->known),
          scatter_fitted_(one.scatter && !scatter_given_) {
        for (std::size_t i = 0; i < likelihood_.size(); ++i) foretold_.emplace_back(likelihood_, i, one.parameters);
        std::map<Settings, std::vector<std::size_t>> repeated;
        for (std::size_t k = 0; k < foretold_.size(); ++k) first_row_.try_emplace(settings_of(burst(k)), burst(k).row);
        for (std::size_t k = 0; k < foretold_.size(); ++k)
            if (burst(k).loss_counted()) repeated[settings_of(burst(k))].push_back(k);
        for (auto& [settings, alike] : repeated)
            if (alike.size() > 1) repeats_.push_back(std::move(alike));
        orders_ = {{"a trend with the separation", in_order(&Burst::spacing)},
                   {"a trend with the number of events", in_order(&Burst::events)},
                   {"a trend among bursts of the same ports and payload",
                    in_order([](const Burst& each) { return std::tuple_cat(curve_of(each), std::tie(each.events)); })},
                   {"a trend with the row", in_order(&Burst::row)}};
        learn_dependence(one.parameters);
    }

    void run(Goodness& goodness, int replicas) {
        Eigen::VectorXd residuals(foretold_.size());
        for (std::size_t k = 0; k < foretold_.size(); ++k) {
            const double value = residuals[Eigen::Index(k)] = foretold_[k].score();
            goodness.deviance += value * value;
            if (is_open(k)) goodness.residuals.push_back({burst(k).row, value});
        }
        goodness.runs = {
            runs_test(
                "row", residuals, [&](const Burst& each) { return first_row_.at(settings_of(each)); },
                [](const Burst&) { return 0; }),
            runs_test("separation", residuals, &Burst::spacing, [](const Burst& each) { return mix_of(each); }),
            runs_test("events", residuals, &Burst::events, [](const Burst& each) { return curve_of(each); })};
        constexpr std::size_t kFewest = 5;
        if (goodness.residuals.size() < kFewest) return;
        std::vector<std::vector<double>> columns(3 + 2 * orders_.size());
        const auto note = [&](const Eigen::VectorXd& each) {
            const std::vector<double> values = statistics(each);
            for (std::size_t s = 0; s < values.size(); ++s) columns[s].push_back(values[s]);
        };
        note(residuals);
        const double alike = apart(residuals);
        double usual = 0, as_alike = 0;  // mean distance of repeats from each other; share of maps with a smaller one
        for (int replica = 0; replica < replicas; ++replica) {
            const Eigen::VectorXd simulated = draw();
            note(simulated);
            usual += apart(simulated) / replicas, as_alike += double(apart(simulated) <= alike) / replicas;
        }
        // Chi square, since repeats scatter about their mean, where none of the simulated maps has them so alike.
        double freedom = 0;
        for (const std::vector<std::size_t>& bursts : repeats_) freedom += double(bursts.size() - 1);
        if (usual > 0)
            goodness.alike_repeats = std::max(as_alike, boost::math::gamma_p(freedom / 2, freedom / 2 * alike / usual));
        rank(goodness, columns, replicas);
    }

  private:
    const Burst& burst(std::size_t k) const { return likelihood_.burst(k); }
    /// Returns true if other bursts leave open what came, and it came nevertheless.
    bool is_open(std::size_t k) const { return foretold_[k].seen() < kCertain; }

    /// Learns how the fit makes residuals depend on each other: what it takes away of them by its hat matrix is the
    /// covariance of the expected losses over the posterior, in deviations, where the law is linear.
    void learn_dependence(const std::vector<BurstParameters>& posterior) {
        constexpr double kRounding = 0.3;  // frames
        const auto n = Eigen::Index(foretold_.size());
        Eigen::MatrixXd expected(n, posterior.size());
        Eigen::VectorXd counts = Eigen::VectorXd::Zero(n);  // chance that its number of lost frames tells, by burst
        for (Eigen::Index k = 0; k < n; ++k) {
            const auto i = std::size_t(k);
            double usual = 0, lossy = 0;
            for (std::size_t j = 0; j < posterior.size(); ++j) {
                expected(k, Eigen::Index(j)) = likelihood_.overflow(i, posterior[j]);
                usual += std::hypot(likelihood_.deviation(i, posterior[j]), kRounding) / double(posterior.size());
                lossy += (1 - likelihood_.at_most(i, 0, posterior[j])) / double(posterior.size());
            }
            if (likelihood_.burst(i).counted) counts[k] = lossy;
            expected.row(k) = (expected.row(k).array() - expected.row(k).mean()) * lossy / usual;
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> hat(expected * expected.transpose() /
                                                                 double(posterior.size()));
        const Eigen::VectorXd taken = hat.eigenvalues().cwiseMax(0).cwiseMin(1);
        left_ = counts.array() *
                (1 - (hat.eigenvectors() * taken.asDiagonal() * hat.eigenvectors().transpose()).diagonal().array());
        freedom_ = counts.sum() - taken.sum();
        constexpr double kLeast = 0.01;
        dependence_ = hat.eigenvectors() * (1 - hat.eigenvalues().array()).max(kLeast).sqrt().matrix().asDiagonal();
        dependence_.rowwise().normalize();
    }

    /// Returns the scores of a map: each outcome as foretold by the others, dependent as residuals of a fit are.
    Eigen::VectorXd draw() {
        Eigen::VectorXd normal(foretold_.size());
        for (double& each : normal) each = normal_quantile(uniform(random_));
        Eigen::VectorXd scores = dependence_ * normal;
        constexpr double kFewest = 3;
        if (scatter_fitted_ && freedom_ >= kFewest) {
            // The others tell the scatter, too: of normal residuals that of one to them has Student's distribution.
            const double scale = std::sqrt(left_.dot(scores.cwiseAbs2()) / freedom_);
            for (double& each : scores) {
                const double off = each / scale;
                each = -score_of(
                    student_cdf(off * std::sqrt((freedom_ - 1) / std::max(1e-9, freedom_ - off * off)), freedom_ - 1));
            }
        }
        for (std::size_t k = 0; k < foretold_.size(); ++k) {
            double& each = scores[Eigen::Index(k)];
            each = foretold_[k].score_at(normal_cdf_table(-each));
        }
        return scores;
    }

    /// Statistics of the residuals: the larger, the more unusual. Where the size of the scatter was fitted none has a
    /// scale.
    std::vector<double> statistics(const Eigen::VectorXd& residuals) const {
        const double n = double(residuals.size()), mean_square = std::max(residuals.squaredNorm() / n, 1e-12),
                     scale = scatter_given_ ? 1 : std::sqrt(mean_square);
        std::vector<double> all{residuals.cwiseAbs().maxCoeff() / scale, scatter_given_ ? mean_square : 0,
                                -residuals.array().pow(4).mean() / (mean_square * mean_square)};
        for (const OpenOrder& order : orders_) {
            // Differences of neighbours, relative to those of others (von Neumann, 1941), and the longest run to one
            // side in windows of several lengths.
            double most = 0, steps = 0;
            const auto at = [&](std::size_t i) { return residuals[Eigen::Index(order.bursts[i])]; };
            for (std::size_t i = 1; i < order.bursts.size(); ++i) steps += std::pow(at(i) - at(i - 1), 2);
            for (std::size_t window = 3; window <= order.bursts.size() / 2; window *= 2) {
                double sum = 0;
                for (std::size_t i = 0; i < order.bursts.size(); ++i) {
                    sum += at(i);
                    if (i >= window) sum -= at(i - window);
                    if (i + 1 >= window) most = std::max(most, std::abs(sum) / std::sqrt(double(window)));
                }
            }
            all.push_back(-steps / (n * mean_square));
            all.push_back(most / scale);
        }
        return all;
    }

    /// Sum of the squared differences between repeats and their mean: scatter is another for each of them.
    double apart(const Eigen::VectorXd& scores) const {
        double sum = 0;
        for (const std::vector<std::size_t>& bursts : repeats_) {
            double mean = 0;
            for (const std::size_t k : bursts) mean += scores[Eigen::Index(k)] / double(bursts.size());
            for (const std::size_t k : bursts) sum += std::pow(scores[Eigen::Index(k)] - mean, 2);
        }
        return sum;
    }

    void rank(Goodness& goodness, const std::vector<std::vector<double>>& columns, int replicas) const {
        static const char* const kMarginShapes[] = {"its worst burst", "more scatter than expected",
                                                    "residuals that lie too evenly",
                                                    "repeats that are more alike than its scatter"};
        std::vector<double> least(std::size_t(replicas) + 1, 1);
        for (std::size_t s = 0; s < columns.size(); ++s) {
            std::vector<double> sorted = columns[s];
            boost::sort(sorted);
            for (std::size_t i = 0; i < least.size(); ++i) {
                const auto [first, last] = boost::equal_range(sorted, columns[s][i]);
                const double share = (double(sorted.end() - last) + 0.5 * double(last - first)) / double(sorted.size());
                if (share >= least[i]) continue;
                least[i] = share;
                if (i == 0) goodness.unusual = s < 3 ? kMarginShapes[s] : orders_[(s - 3) / 2].name;
            }
        }
        const auto as_unusual =
            std::count_if(least.begin() + 1, least.end(), [&](double value) { return value <= least.front(); });
        goodness.replicas = replicas;
        goodness.p_value = double(as_unusual + 1) / (replicas + 1);
    }

    static BurstMix mix_of(const Burst& burst) { return {burst.ports, burst.uplinks, burst.payload}; }
    /// Bursts of one mix and one separation differ by their length alone.
    static std::tuple<BurstMix, Time> curve_of(const Burst& burst) { return {mix_of(burst), burst.spacing}; }

    /// Returns the indices of the bursts sorted by a key.
    template <class Key>
    std::vector<std::size_t> in_order(const Key& key) const {
        std::vector<std::size_t> order(foretold_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        boost::stable_sort(order, [&](std::size_t a, std::size_t b) {
            return std::invoke(key, burst(a)) < std::invoke(key, burst(b));
        });
        return order;
    }

    /// @param sequence  bursts of another one are no neighbours
    template <class Key, class Sequence>
    RunsTest runs_test(const std::string& name, const Eigen::VectorXd& residuals, const Key& key,
                       const Sequence& sequence) const {
        // Repeats share their rounding, and would miss to the same side for that alone.
        using Of = std::decay_t<decltype(sequence(burst(0)))>;
        std::map<Of, std::map<std::decay_t<decltype(std::invoke(key, burst(0)))>, double>> sums;
        for (std::size_t k = 0; k < foretold_.size(); ++k)
            if (is_open(k)) sums[sequence(burst(k))][std::invoke(key, burst(k))] += residuals[Eigen::Index(k)];
        std::vector<std::vector<double>> sequences;
        for (const auto& [of, values] : sums)
            sequences.push_back(transformed_values(values, [](const auto& value) { return value.second; }));
        return wald_wolfowitz(name, sequences);
    }

    BurstLikelihood likelihood_;
    RandomBits random_;
    bool scatter_given_ = false, scatter_fitted_ = false;
    double freedom_ = 0;
    std::vector<Foretold> foretold_;                 ///< predictions of all bursts
    std::vector<std::vector<std::size_t>> repeats_;  ///< repeats of one setting, with losses that were counted
    std::vector<OpenOrder> orders_;
    std::map<Settings, int> first_row_;
    Eigen::VectorXd left_;        ///< share of the variance of each count that the fit leaves
    Eigen::MatrixXd dependence_;  ///< dependence of the residuals: rows of length 1
};

}  // namespace

Goodness predictive_check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas) {
    std::vector<Burst> sample;
    for (std::size_t i = 0, stride = bursts.size() / kMostOfSample + 1; i < bursts.size(); i += stride)
        sample.push_back(bursts[i]);
    Goodness goodness;
    if (!sample.empty() && !one.parameters.empty()) Check(one, sample, seed).run(goodness, replicas);
    return goodness;
}

}  // namespace watershed
