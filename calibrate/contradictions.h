// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/map-reading.h"
#include "calibrate/set-aside.h"

namespace watershed {

/// The bursts but those of some rows.
std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows);

/// A model that explains not every burst, and where those that it does explain agree.
struct Contradictory {
    ModelFit* one = nullptr;
    LeastContradiction least;
};

/// Bursts that a kind of memory does not explain, lossy or lossless: faults of single rows, or noise.
class Contradictions {
  public:
    explicit Contradictions(const MapReading& map) : map_(map) {}

    /// Leaves `one` the region of a consistent part of the map, as large a part as few trials find, and names the other rows as violating.
    LeastContradiction remove(ModelFit& one) const;
    /// The same, with estimates and evidence of what is left.
    LeastContradiction leave_out(ModelFit& one) const;
    /// Where the exceptions may be noise, replaces these estimates by a posterior with noise. All are judged by the same bursts: what even the
    /// best of them leaves unexplained, if that is little, is left out.
    /// @param near_loss  the bursts that are looked at
    void take_for_noise(const std::vector<Contradictory>& all, const std::vector<Burst>& near_loss) const;
    /// Whether the exceptions are few, and so near to the watershed of a model with estimates, that they are noise.
    bool noisy(const ModelFit& one, bool counts_used) const;

  private:
    ModelFit with_noise(ModelFit one, const std::vector<Burst>& bursts) const;
    /// Whether the exceptions are few enough to be noise.
    bool scattered(const ModelFit& one) const;
    /// The exceptions of this model that lie too far from its watershed to be noise.
    std::vector<int> beyond_noise(const ModelFit& one, bool counts_used) const;

    const MapReading& map_;
};

}  // namespace watershed
