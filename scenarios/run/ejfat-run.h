// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/ejfat/ejfat-monitor.h"
#include "model/scenario.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

/// One event size, bit rate and service time; captured to PREFIX-balancer.pcap and PREFIX-node.pcap unless the prefix
/// is empty.
using EjfatSimulator =
    std::function<EjfatResult(const Ejfat&, const EjfatPoint&, std::uint64_t seed, const std::string& pcap_prefix)>;

/// Every event size of an EJFAT scenario with every service time and bit rate, or with the highest bit rate without
/// loss.
using EjfatRun = SystemRun<EjfatResult>;

/// Runs them one after the other, with progress.
/// @param pcap_prefix  if not empty, PREFIX-balancer.pcap and PREFIX-node.pcap get what arrives at the balancer and at
/// node 1
/// @throws InputError if there are several runs to capture, or losses at every rate
EjfatRun run_ejfat(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix = {});

nlohmann::ordered_json to_json(const EjfatRun& run);
/// A table for people.
void print(std::ostream& out, const EjfatRun& run);

/// The highest bit rate at which a run loses no event, found by bisection between one that loses and one that does not,
/// 0.2 % apart. The first run, at `point.bit_rate`, is to lose events: the rate at which it processes them is where the
/// search begins. If it loses none, it is the answer.
/// @param simulate  one run
/// @throws InputError if even a millionth of that rate loses events
EjfatResult find_no_drop(const EjfatPoint& point, const std::function<EjfatResult(const EjfatPoint&)>& simulate);

}  // namespace watershed
