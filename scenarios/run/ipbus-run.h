// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/ipbus/flashing.h"
#include "model/ipbus/ipbus-result.h"
#include "model/scenario.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

/// One number of units, block and rate; captured to a file unless its name is empty.
using IpbusSimulator =
    std::function<IpbusResult(const Ipbus&, const IpbusPoint&, std::uint64_t seed, const std::string& pcap)>;

/// An IPbus scenario with every number of units, block and rate.
using IpbusRun = SystemRun<IpbusResult>;

/// Runs them one after the other, with progress.
/// @param pcap_prefix  if not empty, PREFIX-server.pcap gets what passes the server's port
/// @throws InputError if there are several runs to capture
IpbusRun run_ipbus(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix = {});

nlohmann::ordered_json to_json(const IpbusRun& run);
/// A table for people.
void print(std::ostream& out, const IpbusRun& run);

/// A flashing scenario with every number of workers.
using FlashingRun = SystemRun<FlashingResult>;

FlashingRun run_flashing(const Scenario& scenario);

nlohmann::ordered_json to_json(const FlashingRun& run);
void print(std::ostream& out, const FlashingRun& run);

}  // namespace watershed
