// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <vector>

#include "calibrate/fit/candidates.h"

namespace watershed {

/// With fewer of them neither noise nor a feature is sought.
constexpr std::size_t kFewestBursts = 8;

/// The bursts of a map, what is known beside them, and what follows from both for a kind of memory. Refers to bursts
/// and options.
struct MapReading {
    const std::vector<Burst>& bursts;
    const FitOptions& options;
    std::vector<Burst> flags;  ///< the bursts as lossy or lossless alone
    std::vector<Burst>
        sample;  ///< those that posteriors look at: of larger maps some, and no more is claimed than they tell
    std::ptrdiff_t lossy = 0;  ///< how many are
    bool counted = false;      ///< numbers of lost frames are known
    bool peaks = false;        ///< counters of the memory were read

    MapReading(const std::vector<Burst>& all, const FitOptions& known);

    /// Beyond which nothing changes for any burst of the map, or nothing is allowed.
    SearchBox box(const QueueModel& model) const { return known_box(model, seen_by(model, bursts), options); }
    /// Of some of the bursts, within the box of all. @param quick  one that begins far up counts as none
    FeasibleRegion region(const QueueModel& model, const std::vector<Burst>& some, bool quick = false) const {
        SearchBox within = box(model);
        if (quick) within.most_steps = 5'000;
        return feasible_region(model, seen(model, some), within);
    }
    /// Some of the bursts as this model sees them.
    std::vector<Burst> seen(const QueueModel& model, const std::vector<Burst>& some) const {
        return seen_by(model, some, first_row(bursts));
    }
    /// It is known that bursts do not scatter.
    bool no_noise() const { return options.noise && options.noise->none(); }
    /// Only lossy or only lossless bursts.
    bool one_sided() const { return lossy == 0 || lossy == static_cast<std::ptrdiff_t>(flags.size()); }
};

}  // namespace watershed
