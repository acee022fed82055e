// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/excess-evidence.h"

#include <algorithm>
#include <cmath>

#include "calibrate/fit/estimate.h"

namespace watershed {

double log_evidence_of_excess(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr int kRates = 200;
    constexpr std::size_t kSlices = 5, kBursts = 1000;
    if (one.model.pools() != QueueModel::Pools::Input) return 0;
    std::vector<double> logs;
    double width = 0;
    const std::size_t step = one.region.slices.size() / kSlices + 1, stride = bursts.size() / kBursts + 1;
    for (std::size_t s = 0; s < one.region.slices.size(); s += step) {
        const DepthSlice& slice = one.region.slices[s];
        const double part = slice.weight * (slice.rate_high > slice.rate_low ? slice.rate_high - slice.rate_low : 1);
        width += part;
        for (int i = 0; i < kRates; ++i) {
            const double rate = slice.rate_low + (slice.rate_high - slice.rate_low) * i / kRates;
            logs.push_back(log_probability_of_excess(one.model, bursts, slice.first, rate, stride) +
                           std::log(part / kRates));
        }
    }
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double value : logs) sum += std::exp(value - most);
    return most + std::log(sum / width);
}

}  // namespace watershed
