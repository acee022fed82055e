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

/// The bursts that contradict the others as little as possible: what is wrong with the hard rule at its best (depth, rate).
struct Contradiction {
    double depth = 0;
    double rate = 0;
    std::vector<int> rows;        ///< a consistent map is left without these, ascending
    double frames = 0;            ///< by how many frames they miss, summed up
    double worst_relative = 0;    ///< the largest miss, as a share of the frames of its burst
};

/// Least sum of misses over all bursts as lossy or lossless; counts are not used. Deterministic.
/// @param rate_low, rate_high equal where the rate is known
Contradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts, double depth_high, double rate_low, double rate_high);

}  // namespace watershed
