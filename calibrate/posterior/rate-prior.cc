// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/rate-prior.h"

#include <algorithm>
#include <cmath>

namespace watershed {

double sent_per_rate(const Burst& burst) {
    return burst.events < 2 ? 0 : burst.uplinks * burst.drain() / static_cast<double>((burst.events - 1) * burst.ports);
}

double log_spread_of_slopes(const std::vector<double>& sent_per_rate, double rate) {
    constexpr double kMostLoad = 0.98;
    double sum = 0, squares = 0;
    for (const double sent : sent_per_rate) {
        const double load = std::min(kMostLoad, sent * rate), slope = load / (1 - load);
        sum += slope, squares += slope * slope;
    }
    const double n = static_cast<double>(sent_per_rate.size()), variance = squares / n - sum * sum / n / n;
    return variance > 1e-9 * squares / n ? 0.5 * std::log(variance) : 0;
}

}  // namespace watershed
