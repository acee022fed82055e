// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/scenario.h"
#include "model/udpmon/udpmon-monitor.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

/// One payload at one spacing, by its index; captured to a file unless its name is empty.
using UdpmonSimulator = std::function<UdpmonResult(const Udpmon&, Bytes payload, std::size_t spacing,
                                                   std::uint64_t seed, const std::string& pcap)>;

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
