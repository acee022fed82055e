// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/closed-form/burst.h"
#include "calibrate/closed-form/queue-model.h"

/// Bursts that the fit must not trust.
namespace watershed {

/// A row of the map that was left out, and why.
struct RowSetAside {
    int row = 0;
    int line = 0;
    std::string reason;
};

/// Takes out the bursts whose latest trigger came late by more than half a separation: they were not the bursts the row
/// describes; and those of which nothing tells whether they lost frames.
std::vector<RowSetAside> set_aside_unusable(std::vector<Burst>& bursts);

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

}  // namespace watershed
