// SPDX-License-Identifier: GPL-2.0-only
#include <boost/math/special_functions/gamma.hpp>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

constexpr std::size_t kMostOfSample = 150, kMostPoints = 24;
/// Least probability of loss, and of no loss, for a burst whose outcome was open.
constexpr double kOpenOutcome = 0.01;

using Settings = std::tuple<std::int64_t, int, std::int64_t, std::int64_t, std::int64_t>;
Settings settings_of(const Burst& burst) {
    return {burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), burst.events};
}

/// @param values  in that order
RunsTest wald_wolfowitz(const std::string& order, const std::vector<double>& values) {
    RunsTest test;
    test.order = order;
    test.residuals = values.size();
    const auto positive = double(boost::count_if(values, [](double value) { return value > 0; })),
               n = double(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) test.runs += i == 0 || (values[i] > 0) != (values[i - 1] > 0);
    const double both = 2 * positive * (n - positive);
    if (both <= 0 || n < 10) return test;
    const double mean = both / n + 1, variance = both * (both - n) / (n * n * (n - 1));
    if (variance > 0)
        test.p_value = 2 * normal_cdf(-std::max(0.0, std::abs(double(test.runs) - mean) - 0.5) / std::sqrt(variance));
    test.p_value = std::min(1.0, test.p_value);
    return test;
}

/// Bursts whose outcome was open, in some order.
struct OpenOrder {
    std::string name;
    std::vector<std::size_t> bursts;
};

class Check {
  public:
    Check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed)
        : likelihood_(one.model, bursts, one.mixes), random_(seed) {
        const std::size_t step = one.parameters.size() / kMostPoints + 1;
        for (std::size_t i = 0; i < one.parameters.size(); i += step) points_.push_back(one.parameters[i]);
        for (std::size_t i = 0; i < likelihood_.size(); ++i) {
            const Burst& burst = likelihood_.burst(i);
            shares_.push_back(uniform(random_));
            const double none = below(i, 0), seen = burst.lossy ? 1 - none : none;
            if ((none > kOpenOutcome && none < 1 - kOpenOutcome) || burst.loss_counted() || seen < kOpenOutcome)
                open_.push_back(i);
        }
        std::map<Settings, std::vector<std::size_t>> repeated;
        for (const std::size_t i : open_)
            if (likelihood_.burst(i).loss_counted()) repeated[settings_of(likelihood_.burst(i))].push_back(i);
        for (auto& [settings, bursts] : repeated)
            if (bursts.size() > 1) repeats_.push_back(std::move(bursts));
        orders_ = {{"a trend with the separation", in_order(by_separation)},
                   {"a trend with the number of events", in_order(by_events)},
                   {"a trend among bursts of the same ports and payload", in_order([](const Burst& burst) {
                        return std::make_tuple(burst.ports, burst.payload, burst.separation, burst.events);
                    })}};
    }

    void run(Goodness& goodness, int replicas) {
        std::vector<double> measured;
        for (std::size_t i = 0; i < likelihood_.size(); ++i)
            measured.push_back(residual(i, outcome(likelihood_.burst(i))));
        for (const std::size_t i : open_)
            goodness.residuals.push_back({likelihood_.burst(i).row, measured[i]}),
                goodness.deviance += measured[i] * measured[i];
        goodness.runs = {runs_test("row", measured, [](const Burst& burst) { return burst.row; }),
                         runs_test("separation", measured, by_separation), runs_test("events", measured, by_events)};
        constexpr std::size_t kFewest = 5;
        if (goodness.residuals.size() < kFewest) return;
        std::vector<std::vector<double>> columns(3 + 2 * orders_.size());
        const auto note = [&](const std::vector<double>& residuals) {
            const std::vector<double> values = statistics(residuals);
            for (std::size_t s = 0; s < values.size(); ++s) columns[s].push_back(values[s]);
        };
        note(measured);
        std::vector<double> simulated(likelihood_.size());
        double usual = 0;  ///< distance of repeats from their mean
        for (int replica = 0; replica < replicas; ++replica) {
            const BurstParameters& truth = points_[std::size_t(uniform(random_) * double(points_.size()))];
            for (const std::size_t i : open_) simulated[i] = residual(i, draw(i, truth));
            note(simulated);
            usual += apart(simulated) / replicas;
        }
        // Chi square, since repeats scatter about their mean.
        double freedom = 0;
        for (const std::vector<std::size_t>& bursts : repeats_) freedom += double(bursts.size() - 1);
        if (usual > 0)
            goodness.alike_repeats = boost::math::gamma_p(freedom / 2, freedom / 2 * apart(measured) / usual);
        rank(goodness, columns, replicas);
    }

  private:
    static std::int64_t outcome(const Burst& burst) { return !burst.lossy ? 0 : burst.counted ? burst.lost : -1; }

    double below(std::size_t i, std::int64_t frames) const {
        double sum = 0;
        for (const BurstParameters& point : points_) sum += likelihood_.at_most(i, frames, point);
        return sum / double(points_.size());
    }

    /// Returns the residual; positive: fewer frames lost than expected. @param lost  -1: an unknown number of frames
    double residual(std::size_t i, std::int64_t lost) const {
        constexpr double kFarthest = 1e-6;
        const double high = lost < 0 ? 1 : below(i, lost), low = lost < 0    ? below(i, 0)
                                                                 : lost == 0 ? 0
                                                                             : below(i, lost - 1);
        return -normal_quantile(std::clamp(low + shares_[i] * (high - low), kFarthest, 1 - kFarthest));
    }

    std::int64_t draw(std::size_t i, const BurstParameters& truth) {
        const Burst& burst = likelihood_.burst(i);
        const double share = uniform(random_);
        if (share <= likelihood_.at_most(i, 0, truth)) return 0;
        if (burst.lossy && !burst.counted) return -1;
        return first_of(1, burst.fragments(),
                        [&](std::int64_t frames) { return likelihood_.at_most(i, frames, truth) >= share; });
    }

    /// Statistics of the residuals: the larger, the more unusual. All but the first two have no scale, so that noise of
    /// the wrong size hides no shape.
    std::vector<double> statistics(const std::vector<double>& residuals) const {
        double worst = 0, squares = 0, fourth = 0, n = 0;
        for (const std::size_t i : open_)
            worst = std::max(worst, std::abs(residuals[i])), squares += residuals[i] * residuals[i],
            fourth += std::pow(residuals[i], 4), ++n;
        const double mean_square = std::max(squares / n, 1e-12), scale = std::sqrt(mean_square);
        std::vector<double> all{worst, squares, -fourth / n / (mean_square * mean_square)};
        for (const OpenOrder& order : orders_) {
            // Differences of neighbours, relative to those of others (von Neumann, 1941), and the longest run to one
            // side in windows of several lengths.
            double most = 0, steps = 0;
            for (std::size_t i = 1; i < order.bursts.size(); ++i)
                steps += std::pow(residuals[order.bursts[i]] - residuals[order.bursts[i - 1]], 2);
            for (std::size_t window = 3; window <= order.bursts.size() / 2; window *= 2) {
                double sum = 0;
                for (std::size_t i = 0; i < order.bursts.size(); ++i) {
                    sum += residuals[order.bursts[i]];
                    if (i >= window) sum -= residuals[order.bursts[i - window]];
                    if (i + 1 >= window) most = std::max(most, std::abs(sum) / std::sqrt(double(window)));
                }
            }
            all.push_back(-steps / (n * mean_square));
            all.push_back(most / scale);
        }
        return all;
    }

    /// Sum of the squared differences between repeats and their mean: scatter is another for each of them.
    double apart(const std::vector<double>& residuals) const {
        double sum = 0;
        for (const std::vector<std::size_t>& bursts : repeats_) {
            double mean = 0;
            for (const std::size_t i : bursts) mean += residuals[i] / double(bursts.size());
            for (const std::size_t i : bursts) sum += std::pow(residuals[i] - mean, 2);
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

    static std::int64_t by_separation(const Burst& burst) { return burst.spacing.count(); }
    static std::int64_t by_events(const Burst& burst) { return burst.events; }

    /// Returns open_ sorted by a key.
    template <class Key>
    std::vector<std::size_t> in_order(const Key& key) const {
        std::vector<std::size_t> order = open_;
        boost::stable_sort(
            order, [&](std::size_t a, std::size_t b) { return key(likelihood_.burst(a)) < key(likelihood_.burst(b)); });
        return order;
    }

    template <class Key>
    RunsTest runs_test(const std::string& name, const std::vector<double>& residuals, const Key& key) const {
        // Repeats share their rounding, and would miss to the same side for that alone.
        std::vector<double> values;
        std::map<Settings, std::size_t> known;
        for (const std::size_t i : in_order(key)) {
            const auto [found, added] = known.try_emplace(settings_of(likelihood_.burst(i)), values.size());
            if (added)
                values.push_back(residuals[i]);
            else
                values[found->second] += residuals[i];
        }
        return wald_wolfowitz(name, values);
    }

    BurstLikelihood likelihood_;
    RandomBits random_;
    std::vector<BurstParameters> points_;
    std::vector<double> shares_;
    std::vector<std::size_t> open_;                  ///< bursts whose outcome was open
    std::vector<std::vector<std::size_t>> repeats_;  ///< repeats of one setting, with losses that were counted
    std::vector<OpenOrder> orders_;
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
