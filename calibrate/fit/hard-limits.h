// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/contradictions.h"

namespace watershed {

/// What bursts allow that nothing disturbs, for depth and rate of a kind of memory.
class HardLimits {
  public:
    /// @param to_the_frame some plain memory explains every count
    HardLimits(const MapReading& map, bool to_the_frame)
        : map_(map), contradictions_(map), to_the_frame_(to_the_frame) {}

    /// Numbers of lost frames may be off by what the closed form leaves open. Of a kind in reach that does not explain
    /// all bursts, those that contradict the others are left out.
    void set(ModelFit& one, bool in_reach) const;
    /// As the region has them.
    static void take_region(ModelFit& one);
    /// What undisturbed bursts allow is no limit where they are disturbed, and the answer where it is known that they
    /// are not. An estimate that lies just beyond them, of bursts that do not look disturbed, is the next one that they
    /// allow; and where numbers of lost frames are explained, too, limits reach as far as what else may be.
    void reconcile(ModelFit& one) const;

  private:
    const MapReading& map_;
    Contradictions contradictions_;
    bool to_the_frame_;
};

}  // namespace watershed
