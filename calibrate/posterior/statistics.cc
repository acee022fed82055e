// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/statistics.h"

#include <boost/math/distributions/normal.hpp>

namespace watershed {

double normal_quantile(double probability) {
    // Uses double, because long double differs between processors.
    using namespace boost::math::policies;
    return quantile(boost::math::normal_distribution<double, policy<promote_double<false>>>(), probability);
}

double log_sum(const std::vector<double>& values) {
    const double most = *std::max_element(values.begin(), values.end());
    if (most == -HUGE_VAL) return most;
    double sum = 0;
    for (const double value : values) sum += std::exp(value - most);
    return most + std::log(sum);
}

double weighted_quantile(std::vector<std::pair<double, double>> values, double share) {
    std::sort(values.begin(), values.end());
    // Values of one grid column count as one.
    std::size_t distinct = 0;
    for (const auto& [value, weight] : values) {
        if (distinct > 0 && std::abs(value - values[distinct - 1].first) <= 1e-12 * std::abs(value))
            values[distinct - 1].second += weight;
        else
            values[distinct++] = {value, weight};
    }
    values.resize(distinct);
    double total = 0, sum = 0;
    for (const auto& [value, weight] : values) total += weight;
    const double wanted = share * total;
    const std::size_t last = values.size() - 1;
    if (last == 0) return values.front().first;
    for (std::size_t i = 0; i <= last; ++i) {
        const double half = values[i].second / 2, middle = sum + half;
        if (i == 0 && middle >= wanted)
            return values[0].first - (values[1].first - values[0].first) / 2 * (1 - wanted / std::max(half, 1e-300));
        if (middle >= wanted) {
            const double before = sum - values[i - 1].second / 2;
            return values[i - 1].first +
                   (values[i].first - values[i - 1].first) * (wanted - before) / std::max(middle - before, 1e-300);
        }
        if (i == last)
            return values[i].first + (values[i].first - values[i - 1].first) / 2 *
                                         std::min(1.0, (wanted - middle) / std::max(half, 1e-300));
        sum += values[i].second;
    }
    return values.back().first;
}

double log_spread_of_slopes(const std::vector<double>& sent_per_rate, double rate) {
    constexpr double kMostLoad = 0.98;
    double sum = 0, squares = 0;
    for (const double sent : sent_per_rate) {
        const double load = std::min(kMostLoad, sent * rate), slope = load / (1 - load);
        sum += slope, squares += slope * slope;
    }
    const double n = double(sent_per_rate.size()), variance = squares / n - sum * sum / n / n;
    return variance > 1e-9 * squares / n ? 0.5 * std::log(variance) : 0;
}

double effective_samples(const std::vector<double>& values, std::size_t chains) {
    const auto n = double(values.size());
    double mean = 0, variance = 0, sum = 1;
    for (const double value : values) mean += value / n;
    for (const double value : values) variance += (value - mean) * (value - mean) / n;
    if (!(variance > 0)) return n;
    for (std::size_t lag = chains; lag < values.size(); lag += chains) {
        double products = 0;
        for (std::size_t i = lag; i < values.size(); ++i) products += (values[i] - mean) * (values[i - lag] - mean);
        sum += 2 * products / (n * variance);  // n, where n - lag are summed, is the factor 1 - k/L
    }
    return std::min(n, n / std::max(sum, 1 / n));
}

}  // namespace watershed
