// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/map-reading.h"

namespace watershed {

/// A smallest set of bursts that contradict the others, as far as a search finds it.
struct LeastContradiction {
    std::vector<int> rows;  ///< those that miss by least first
    double depth = 0;       ///< where the others agree, but for rounding
    double rate = 0;
};

/// Only lossy or lossless is looked at, not counts. Deterministic.
/// @param depth_low, depth_high equal where the depth is known; the same for the rate
LeastContradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts,
                                       std::int64_t depth_low, std::int64_t depth_high, double rate_low,
                                       double rate_high);

/// The bursts but those of some rows.
std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows);

/// Bursts that a kind of memory does not explain, lossy or lossless: faults of single rows, or noise.
class Contradictions {
  public:
    explicit Contradictions(const MapReading& map) : map_(map) {}

    /// Leaves `one` the region of a consistent part of the map, as large a part as few trials find, and names the other
    /// rows as violating.
    LeastContradiction remove(ModelFit& one) const;
    /// Whether the exceptions are few, and so near to the watershed of a model with estimates, that they are noise; or
    /// frames that are lost at random explain them.
    bool noisy(const ModelFit& one, bool counts_used) const;

  private:
    /// Whether the exceptions are few enough to be noise.
    bool scattered(const ModelFit& one) const;
    /// The exceptions of this model that lie too far from its watershed to be noise, and that no random loss explains.
    std::vector<int> beyond_noise(const ModelFit& one, bool counts_used) const;

    const MapReading& map_;
};

}  // namespace watershed
