// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "calibrate/closed-form/burst-bounds.h"

/// The exact set of depths and service rates that explain every burst of a map.
namespace watershed {

/// Where to search: limits in the units of depth and in bit/s of one uplink, both ends included.
struct SearchBox {
    std::int64_t depth_low = 1, depth_high = 1;
    double rate_low = 0, rate_high = 1;
    double slowest = HUGE_VAL;  ///< bit/s, of an output that the bursts suggest
    bool depth_known = false;   ///< the box is a statement, not an end of the search
    bool rate_known = false;
    bool depth_bounded = false;  ///< what lies beyond the box is excluded, not merely without effect
    bool rate_bounded = false;
    std::size_t most_steps = 30'000;  ///< depths tried until one is feasible

    /// The slowest output that a fit looks for: a thousandth of what the densest burst offers, or the slowest that the
    /// bursts suggest, if that is less.
    double least_rate() const { return std::max(rate_low, std::min(1e-3 * rate_high, slowest)); }
};

/// A box beyond which neither depth nor rate changes the outcome of any of these bursts.
SearchBox search_box(const QueueModel& model, const std::vector<Burst>& bursts);

/// Depths that all bursts see as the same number of frames, and the service rates feasible with them.
struct DepthSlice {
    std::int64_t first = 0, last = 0;
    double weight = 1;     ///< depths it stands for; more than its own where slices were sampled
    double rate_low = 0;   ///< bit/s, included
    double rate_high = 0;  ///< bit/s, not included
};

struct FeasibleRegion {
    std::vector<DepthSlice> slices;  ///< by rising depth; empty when nothing explains all bursts, or there are none
    std::int64_t depth_low = 0;      ///< included
    std::int64_t depth_high = 0;     ///< included
    double rate_low = 0, rate_high = 0;
    bool depth_open = false;   ///< no burst limits the depth from above
    bool rate_open = false;    ///< no burst limits the rate from above
    std::vector<int> binding;  ///< rows without which the region would be larger, ascending

    /// Share of the search box that is feasible. A memory per input has depths that come in steps of as many frames as
    /// there are inputs; that one such step happens to fit is no merit and does not count as a whole step.
    double share = 0;

    bool feasible() const { return !slices.empty(); }
    /// The ends of the slices.
    void take_depths() { depth_low = slices.front().first, depth_high = slices.back().last; }
};

/// Works through the half-planes of all bursts, then slice by slice through the depths that are left. No bursts have no
/// region: what explains nothing is no explanation.
FeasibleRegion feasible_region(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box);

/// Where to search, narrowed by what is known. A map may come from a simulation that rounds what a frame lasts up to
/// whole picoseconds, which is a rate a little lower than the one that is known.
SearchBox known_box(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options);

}  // namespace watershed
