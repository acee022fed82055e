// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/scenario.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

/// Every payload of a UDPmon scenario at every spacing.
using UdpmonRun = SystemRun<UdpmonResult>;

/// Runs them one after the other, with progress.
/// @param pcap_prefix  if not empty, PREFIX-receiver.pcap gets what arrives
/// @throws InputError if there are several runs to capture
UdpmonRun run_udpmon(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix = {});

nlohmann::ordered_json to_json(const UdpmonRun& run);
/// A table for people.
void print(std::ostream& out, const UdpmonRun& run);

}  // namespace watershed
