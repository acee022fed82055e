// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/burst.h"

/// Some of very many bursts, so that all models are judged by the same ones in little time; maps no larger than `most`
/// are taken whole.
namespace watershed {

/// From everywhere.
std::vector<Burst> sample_of(const std::vector<Burst>& bursts, std::size_t most);

/// Bursts of at most so many settings about the place where loss begins, all repeats of each: lossy and lossless bursts
/// far from it are what any watershed leaves of them. Of each separation (of one number of ports and uplinks and one
/// payload; neighbouring separations together where each has few lengths) loss begins at the length that fewest bursts
/// contradict. Kept are the settings on either side, and those within three times the distance of the exceptions.
std::vector<Burst> bursts_near_loss(const std::vector<Burst>& bursts, std::size_t most);

}  // namespace watershed
