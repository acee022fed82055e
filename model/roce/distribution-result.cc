// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/distribution-result.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace watershed {
namespace {

double mean_of(const std::vector<double>& values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <class Value>
BatchMean over_windows(const std::vector<DistributionResult::Window>& windows, Value value) {
    std::vector<double> values;
    for (const auto& window : windows) values.push_back(value(window));
    return batch_mean(values);
}

}  // namespace

BatchMean batch_mean(const std::vector<double>& windows) {
    if (windows.empty()) return {};
    BatchMean result{mean_of(windows), 0, *std::min_element(windows.begin(), windows.end()),
                     *std::max_element(windows.begin(), windows.end())};
    const auto n = static_cast<double>(windows.size());
    if (windows.size() < 2) return result;
    double squares = 0;
    for (const double window : windows) squares += (window - result.mean) * (window - result.mean);
    const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
    result.half_width = t * std::sqrt(squares / (n - 1) / n);
    return result;
}

BatchMean DistributionResult::producer_gbps() const {
    return over_windows(windows, [](const Window& window) { return mean_of(window.producers_gbps); });
}

BatchMean DistributionResult::consumer_gbps() const {
    return over_windows(windows, [](const Window& window) { return mean_of(window.consumers_gbps); });
}

BatchMean DistributionResult::busy() const {
    return over_windows(windows, [](const Window& window) { return window.busy; });
}

void DistributionResult::check_conservation() const {
    const auto balance = [](const char* what, std::int64_t total, std::int64_t parts) {
        if (total != parts)
            throw std::logic_error(std::string(what) + " unaccounted for: " + std::to_string(total) + " against " +
                                   std::to_string(parts));
    };
    std::int64_t lost = 0;
    for (const Outcome::Loss& loss : losses) lost += loss.frames;
    balance("frames", frames_sent, frames_received + lost);
    balance("events", events_sent, events_complete + events_incomplete);
}

}  // namespace watershed
