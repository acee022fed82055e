// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/count-scatter.h"

#include <algorithm>

#include "calibrate/fit/candidates.h"
#include "calibrate/posterior/burst-law.h"

namespace watershed {

double scatter_at(const ModelFit& one, const std::vector<Burst>& bursts, double share) {
    const BurstLaw law(one.model, seen_by(one.model, bursts), one.mixes);
    std::vector<double> means;
    for (const BurstParameters& parameters : one.parameters) {
        double sum = 0, n = 0;
        for (std::size_t i = 0; i < law.size(); ++i)
            if (law.burst(i).lossy && law.burst(i).counted) sum += law.deviation(i, parameters), ++n;
        means.push_back(n > 0 ? sum / n : 0);
    }
    const auto at = static_cast<std::size_t>(share * static_cast<double>(means.size()));
    std::nth_element(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(at), means.end());
    return means[at];
}

std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr double kRounding = 0.3;  // frames
    const double scatter = scatter_at(one, bursts, 0.5);
    return scatter < kRounding || !one.depth.value ? std::nullopt : std::make_optional(scatter);
}

}  // namespace watershed
