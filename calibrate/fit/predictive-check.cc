// SPDX-License-Identifier: GPL-2.0-only
#include <Eigen/Core>
#include <array>
#include <boost/math/special_functions/gamma.hpp>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

constexpr std::size_t kMostOfSample = 150;
/// Number of posterior samples at which a map is checked.
constexpr std::size_t kDraws = 60;
constexpr std::array<const char*, 3> kShapes{"its worst burst", "more scatter than expected",
                                             "residuals that lie too evenly"};
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
    bool chosen = true;  ///< true if earlier outcomes may decide where in the order a burst lies
};

/// Returns the normal score of a probability; positive: fewer frames lost than expected.
double score_of(double probability) {
    constexpr double kFarthest = 1e-6;
    return -normal_quantile(std::clamp(probability, kFarthest, 1 - kFarthest));
}

/// Prediction of a burst's outcome at one posterior sample.
class Foretold {
  public:
    /// @param flag  true if loss alone is known, not the number of lost frames
    Foretold(const BurstLikelihood& likelihood, std::size_t row, bool flag, const BurstParameters& at) {
        const auto at_most = [&](std::int64_t frames) { return likelihood.at_most(row, frames, at); };
        const Burst& burst = likelihood.burst(row);
        const double none = at_most(0), up_to = flag && burst.lossy ? 1 : at_most(burst.lost);
        seen_ = up_to - (!burst.lossy ? 0 : flag ? none : at_most(burst.lost - 1));
        score_ = score_of(up_to - seen_ / 2);
        double below = 0;
        const auto add_step = [&](double most) {
            steps_.emplace_back(most, score_of((below + most) / 2));
            below = most;
        };
        add_step(none);
        constexpr double kTail = 1e-4;
        if (flag) add_step(1);
        if (flag || none >= 1 - kTail) return;
        const auto reached = [&](double share) {
            return first_of(1, burst.fragments(), [&](std::int64_t frames) { return at_most(frames) >= share; });
        };
        constexpr std::int64_t kSteps = 60;  // numbers of frames that count one by one
        const std::int64_t least = reached(none + kTail), last = reached(1 - kTail);
        for (std::int64_t lost = least; lost <= last && last - least < kSteps; ++lost) add_step(at_most(lost));
    }

    /// Returns true if the burst may lose frames or none: by this outcome the next burst may have been chosen.
    bool at_watershed() const { return steps_.front().first > 1 - kCertain && steps_.front().first < kCertain; }
    /// Returns the probability of what came.
    double seen() const { return seen_; }
    /// Returns the score of what came.
    double score() const { return score_; }
    /// Returns the score of the outcome at a quantile: that of the middle of a step.
    double score_at(double share) const {
        const auto step = boost::lower_bound(steps_, share, [](const auto& one, double x) { return one.first < x; });
        return step == steps_.end() ? score_of(share) : step->second;
    }

  private:
    double seen_ = 0, score_ = 0;
    std::vector<std::pair<double, double>> steps_;  ///< probability of at most an outcome, and its score; others have
                                                    ///< no steps
};

/// Returns the p-value of equally correlated normal scores by their mean; their variance tells the correlation (J.
/// Hartung, Biometrical Journal 41, 1999), which is one half at least: the scores are of one map.
double combined(const std::vector<double>& scores) {
    const Eigen::Map<const Eigen::ArrayXd> all(scores.data(), Eigen::Index(scores.size()));
    const double n = double(scores.size()), apart = (all - all.mean()).square().sum() / std::max(1.0, n - 1);
    constexpr double kMostApart = 0.5;
    return normal_cdf(all.mean() / std::sqrt(1 - std::min(apart, kMostApart) * (1 - 1 / n)));
}

class Check {
  public:
    Check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed)
        : likelihood_(one.model, bursts, one.mixes), random_(seed), scatter_given_(one.noise && one.noise->known) {
        std::vector<std::size_t> usual;
        for (std::size_t i = 0; i < bursts.size(); ++i)
            if (boost::count(one.strays, bursts[i].row) == 0) usual.push_back(i);
        for (std::size_t i = 0; i < usual.size(); i += usual.size() / kMostOfSample + 1) rows_.push_back(usual[i]);
        std::map<Settings, std::vector<Eigen::Index>> repeated;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            first_row_.try_emplace(settings_of(burst(k)), burst(k).row);
            if (burst(k).loss_counted()) repeated[settings_of(burst(k))].push_back(Eigen::Index(k));
        }
        for (auto& [settings, alike] : repeated)
            if (alike.size() > 1) repeats_.push_back(std::move(alike));
        orders_ = {{"a trend with the separation", in_order(&Burst::spacing)},
                   {"a trend with the number of events", in_order(&Burst::events)},
                   {"a trend among bursts of the same ports and payload",
                    in_order([](const Burst& each) { return std::tuple_cat(curve_of(each), std::tie(each.events)); })},
                   {"a trend with the row", in_order(&Burst::row), false}};
        const bool flags = !any_loss_counted(bursts);
        const double draws = double(std::min(kDraws, one.parameters.size())), first = uniform(random_);
        std::vector<const BurstParameters*> drawn;
        for (double j = first; j < draws; ++j)
            drawn.push_back(&one.parameters[std::size_t(j / draws * double(one.parameters.size()))]);
        foretold_.resize(drawn.size());
        do_in_threads(drawn.size(), [&](std::size_t i) {
            for (const std::size_t row : rows_)
                foretold_[i].emplace_back(likelihood_, row, flags || !likelihood_.burst(row).counted, *drawn[i]);
        });
    }

    void run(Goodness& goodness, int replicas) {
        Eigen::VectorXd residuals = Eigen::VectorXd::Zero(Eigen::Index(rows_.size()));
        for (const Predictions& foretold : foretold_) residuals += scores_of(foretold) / double(foretold_.size());
        goodness.deviance = residuals.squaredNorm();
        for (std::size_t k = 0; k < rows_.size(); ++k)
            if (is_open(k)) goodness.residuals.push_back({burst(k).row, residuals[Eigen::Index(k)]});
        goodness.runs = {
            runs_test(
                "row", residuals, [&](const Burst& each) { return first_row_.at(settings_of(each)); },
                [](const Burst&) { return 0; }),
            runs_test("separation", residuals, &Burst::spacing, [](const Burst& each) { return mix_of(each); }),
            runs_test("events", residuals, &Burst::events, [](const Burst& each) { return curve_of(each); })};
        constexpr std::size_t kFewest = 5;
        if (goodness.residuals.size() < kFewest) return;
        std::vector<std::vector<Eigen::VectorXd>> maps;  // by sample: the map that came, then simulated ones
        for (const Predictions& foretold : foretold_) {
            maps.push_back({scores_of(foretold)});
            while (int(maps.back().size()) <= replicas) maps.back().push_back(draw(foretold));
        }
        std::vector<Comparison> compared(maps.size());
        do_in_threads(maps.size(), [&](std::size_t i) { compared[i] = compare(maps[i], foretold_[i]); });
        std::vector<double> p_values;  // their normal scores
        Eigen::ArrayXd unusual = Eigen::ArrayXd::Zero(kShapes.size() + 2 * orders_.size());
        double alike = 0;
        for (const Comparison& one : compared)
            unusual += one.unusual, p_values.push_back(one.p_value), alike += one.alike;
        goodness.replicas = replicas * int(foretold_.size());
        goodness.p_value = combined(p_values);
        Eigen::Index which = 0;
        unusual.maxCoeff(&which);
        const auto statistic = std::size_t(which);
        goodness.unusual =
            statistic < kShapes.size() ? kShapes[statistic] : orders_[(statistic - kShapes.size()) / 2].name;
        if (!repeats_.empty()) goodness.alike_repeats = alike / double(foretold_.size());
    }

  private:
    using Predictions = std::vector<Foretold>;

    const Burst& burst(std::size_t k) const { return likelihood_.burst(rows_[k]); }
    /// Returns true if the fit leaves open what came, and it came nevertheless.
    bool is_open(std::size_t k) const {
        double seen = 0;
        for (const Predictions& foretold : foretold_) seen += foretold[k].seen();
        return seen < kCertain * double(foretold_.size());
    }
    static Eigen::VectorXd scores_of(const Predictions& foretold) {
        const std::vector<double> scores = transformed_values(foretold, &Foretold::score);
        return Eigen::Map<const Eigen::VectorXd>(scores.data(), Eigen::Index(scores.size()));
    }
    /// Returns the scores of a simulated map.
    Eigen::VectorXd draw(const Predictions& foretold) {
        return Eigen::VectorXd::NullaryExpr(Eigen::Index(foretold.size()), [&](Eigen::Index k) {
            return foretold[std::size_t(k)].score_at(uniform(random_));
        });
    }

    /// Comparison of the map that came with simulated ones.
    struct Comparison {
        Eigen::ArrayXd unusual;  ///< statistics, in standard deviations from the mean
        double p_value = 0;      ///< its normal score
        double alike = 0;        ///< chance of repeats as alike
    };
    Comparison compare(const std::vector<Eigen::VectorXd>& maps, const Predictions& foretold) const {
        Eigen::ArrayXXd values(kShapes.size() + 2 * orders_.size(), maps.size());
        for (std::size_t i = 0; i < maps.size(); ++i) values.col(Eigen::Index(i)) = statistics(maps[i], foretold);
        values.colwise() -= values.rowwise().mean().eval();
        values.colwise() /= values.square().rowwise().mean().sqrt().max(1e-12).eval();
        const Eigen::ArrayXd most = values.colwise().maxCoeff();
        return {values.col(0),
                normal_quantile((double((most > most[0]).count()) + 0.5 * double((most == most[0]).count())) /
                                double(maps.size())),
                chance_of_repeats(transformed_values(maps, [&](const auto& map) { return apart(map); }))};
    }

    /// Statistics of the scores: the larger, the more unusual. Where the size of the scatter was fitted none has a
    /// scale.
    Eigen::ArrayXd statistics(const Eigen::VectorXd& scores, const Predictions& foretold) const {
        const double n = double(scores.size()), mean_square = std::max(scores.squaredNorm() / n, 1e-12),
                     scale = scatter_given_ ? 1 : std::sqrt(mean_square);
        std::vector<double> all{scores.cwiseAbs().maxCoeff() / scale, scatter_given_ ? mean_square : 0,
                                -scores.array().pow(4).mean() / (mean_square * mean_square)};
        for (const OpenOrder& order : orders_) {
            // Differences of neighbours, relative to those of others (von Neumann, 1941), and the longest run to one
            // side in windows of several lengths.
            double most = 0, steps = 0;
            const auto at = [&](std::size_t i) {
                const std::size_t k = order.bursts[i];
                return order.chosen && foretold[k].at_watershed() ? 0 : scores[Eigen::Index(k)];
            };
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
        return Eigen::Map<const Eigen::ArrayXd>(all.data(), Eigen::Index(all.size()));
    }

    /// Sum of the squared differences between repeats and their mean: scatter is another for each of them.
    double apart(const Eigen::VectorXd& scores) const {
        double sum = 0;
        for (const std::vector<Eigen::Index>& alike : repeats_) {
            double mean = 0;
            for (const Eigen::Index k : alike) mean += scores[k] / double(alike.size());
            for (const Eigen::Index k : alike) sum += std::pow(scores[k] - mean, 2);
        }
        return sum;
    }
    /// Returns the chance of repeats as alike as those that came: the share of simulated maps; chi square, since
    /// repeats scatter about their mean, where none has them so alike.
    /// @param distances  apart() of the map that came, then of the simulated ones
    double chance_of_repeats(const std::vector<double>& distances) const {
        const auto simulated = std::next(distances.begin());
        const double came = distances.front(), maps = double(distances.size() - 1),
                     usual = std::accumulate(simulated, distances.end(), 0.0) / maps,
                     share = double(std::count_if(simulated, distances.end(), [&](double x) { return x <= came; }));
        double freedom = 0;
        for (const std::vector<Eigen::Index>& alike : repeats_) freedom += double(alike.size() - 1);
        return usual > 0 ? std::max(share / maps, boost::math::gamma_p(freedom / 2, freedom / 2 * came / usual)) : 1;
    }

    static BurstMix mix_of(const Burst& burst) { return {burst.ports, burst.uplinks, burst.payload}; }
    /// Bursts of one mix and one separation differ by their length alone.
    static std::tuple<BurstMix, Time> curve_of(const Burst& burst) { return {mix_of(burst), burst.spacing}; }

    /// Returns the indices of the bursts sorted by a key.
    template <class Key>
    std::vector<std::size_t> in_order(const Key& key) const {
        std::vector<std::size_t> order(rows_.size());
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
        for (std::size_t k = 0; k < rows_.size(); ++k)
            if (is_open(k)) sums[sequence(burst(k))][std::invoke(key, burst(k))] += residuals[Eigen::Index(k)];
        std::vector<std::vector<double>> sequences;
        for (const auto& [of, values] : sums)
            sequences.push_back(transformed_values(values, [](const auto& value) { return value.second; }));
        return wald_wolfowitz(name, sequences);
    }

    BurstLikelihood likelihood_;
    RandomBits random_;
    bool scatter_given_;
    std::vector<std::size_t> rows_;                   ///< rows of the likelihood that are checked
    std::vector<Predictions> foretold_;               ///< predictions of these rows, by posterior sample
    std::vector<std::vector<Eigen::Index>> repeats_;  ///< repeats of one setting, with losses that were counted
    std::vector<OpenOrder> orders_;
    std::map<Settings, int> first_row_;
};

}  // namespace

Goodness predictive_check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas) {
    Goodness goodness;
    if (!bursts.empty() && !one.parameters.empty()) Check(one, bursts, seed).run(goodness, replicas);
    return goodness;
}

}  // namespace watershed
