// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/map-reading.h"
#include "calibrate/fit/set-aside.h"

namespace watershed {

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
