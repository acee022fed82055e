// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/ejfat/ejfat-monitor.h"

namespace watershed {

/// Sends all events of one size, rate and service time through ns-3, until nothing is in the system.
/// @param pcap_prefix  PREFIX-balancer.pcap gets what source 1 sends to the balancer, PREFIX-node.pcap what node 1
/// gets; empty for none
/// @throws std::runtime_error as Ns3Engine::run()
EjfatResult simulate_ejfat(const Ejfat& ejfat, const EjfatPoint& point, std::uint64_t seed,
                           const std::string& pcap_prefix = {});

}  // namespace watershed
