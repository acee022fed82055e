// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/map-reading.h"

#include <algorithm>

#include "calibrate/closed-form/burst-sample.h"

namespace watershed {
namespace {

/// Bursts of larger maps that a posterior looks at.
constexpr std::size_t kMostSampled = 300;

}  // namespace

MapReading::MapReading(const std::vector<Burst>& all, const FitOptions& known)
    : bursts(all), options(known), flags(all) {
    for (Burst& burst : flags) burst.counted = false, lossy += burst.lossy;
    counted = std::any_of(all.begin(), all.end(), [](const Burst& burst) { return burst.lossy && burst.counted; });
    peaks = std::any_of(all.begin(), all.end(), [](const Burst& burst) { return burst.peak.has_value(); });
    sample = all.size() <= kMostSampled ? all
             : counted || peaks         ? sample_of(all, kMostSampled)
                                        : bursts_near_loss(flags, kMostSampled);
}

}  // namespace watershed
