// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/roce/distribution-result.h"
#include "model/roce/distribution.h"
#include "model/scenario.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

/// Events by RoCE; captured to a file unless its name is empty; progress in windows.
using DistributionSimulator =
    std::function<DistributionResult(const Distribution&, std::uint64_t seed, const std::string& pcap,
                                     const std::function<void(std::int64_t)>& progress)>;

/// A distribution of events: one result, with progress in windows.
using DistributionRun = SystemRun<DistributionResult>;

/// @param pcap_prefix  if not empty, PREFIX-consumer-1.pcap gets what the first consumer is sent and sends
DistributionRun run_distribution(const Scenario& scenario, const Simulators& simulators,
                                 const std::string& pcap_prefix = {});

nlohmann::ordered_json to_json(const DistributionRun& run);
/// A table for people.
void print(std::ostream& out, const DistributionRun& run);

}  // namespace watershed
