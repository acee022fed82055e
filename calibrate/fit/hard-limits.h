// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "calibrate/fit/candidates.h"

/// What bursts allow that nothing disturbs, and the bursts that contradict the others.
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

// Bursts that a kind of memory does not explain, lossy or lossless: faults of single rows, or noise.

/// Leaves `one` the region of a consistent part of the map, as large a part as few trials find, and names the other
/// rows as violating.
void remove_contradictions(ModelFit& one, const MapReading& map);
/// Whether the exceptions are few, and so near to the watershed of a model with estimates, that they are noise; or what
/// was fitted beside the memory foretells them, if numbers of lost frames are used.
bool are_noise(const ModelFit& one, const MapReading& map, bool counts_used);

/// As far as another interval; an open end stays open.
inline void widen(Interval& one, const Interval& other) {
    if (one.low && other.low) one.low = std::min(*one.low, *other.low);
    if (one.high && other.high) one.high = std::max(*one.high, *other.high);
}

/// What bursts allow that nothing disturbs, for depth and rate of a kind of memory.
class HardLimits {
  public:
    /// @param to_the_frame some plain memory explains every count
    HardLimits(const MapReading& map, bool to_the_frame) : map_(map), to_the_frame_(to_the_frame) {}

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
    bool to_the_frame_;
};

/// Of exact outcomes no interval over several kinds of memory reaches beyond the hard limits of the named one: it ends
/// there, or where it is told that nothing scatters the limits give way. A token bucket then has no noise to stand for
/// it: bounded by the named kind, 78 % of 95 % intervals held the depth beside a bucket, in place of 97 %.
void meet_hard_limits(ModelFit& named, const MapReading& map, bool to_the_frame);

}  // namespace watershed
