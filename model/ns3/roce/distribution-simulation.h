// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>

#include "model/roce/distribution-result.h"
#include "model/roce/distribution.h"

namespace watershed {

/// Distributes events in ns-3.
/// @param pcap      if not empty, the file that gets what passes the switch's port of the first consumer
/// @param progress  told of the windows that are over
DistributionResult simulate_distribution(const Distribution& distribution, std::uint64_t seed, const std::string& pcap,
                                         const std::function<void(std::int64_t)>& progress);

}  // namespace watershed
