// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/scenario.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

/// A distribution of events: one result, with progress in windows.
using DistributionRun = SystemRun<DistributionResult>;

/// @param pcap_prefix  if not empty, PREFIX-consumer-1.pcap gets what the first consumer is sent and sends
DistributionRun run_distribution(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix = {});

nlohmann::ordered_json to_json(const DistributionRun& run);
/// A table for people.
void print(std::ostream& out, const DistributionRun& run);

}  // namespace watershed
