// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/goodness.h"
#include "calibrate/posterior/burst-law.h"

namespace watershed {

/// Whether a map looks like those that the posterior of one kind of memory predicts (Rubin, Annals of Statistics 12,
/// 1984). Each burst's outcome becomes a normal number by the distribution that the posterior expects of it. Simulated
/// maps are drawn from points of the posterior and are not fitted again, so that the p-value is, if anything, too
/// large: a fit that is rejected is wrong.
Goodness predictive_check(const QueueModel& model, const std::vector<BurstParameters>& parameters,
                          const std::vector<BurstMix>& mixes, const std::vector<const Burst*>& bursts,
                          std::uint64_t seed, int replicas);

}  // namespace watershed
