// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/burst.h"
#include "calibrate/queue-model.h"

/// Bursts that the fit must not trust.
namespace watershed {

/// A row of the map that was left out, and why.
struct RowSetAside {
    int row = 0;
    int line = 0;
    std::string reason;
};

/// Takes out the bursts whose latest trigger came late by more than half a separation: they were not the bursts the row describes.
std::vector<RowSetAside> set_aside_late(std::vector<Burst>& bursts);

/// The rows of a smallest set of bursts, as far as a search finds it, that contradict the others; those that miss by least first.
/// Only lossy or lossless is looked at, not counts. Deterministic.
/// @param depth_low, depth_high equal where the depth is known; the same for the rate
std::vector<int> least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts, std::int64_t depth_low, std::int64_t depth_high,
                                     double rate_low, double rate_high);

}  // namespace watershed
