// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/ipbus/ipbus-result.h"

namespace watershed {

/// Reads out all units of one point through ns-3.
/// @param pcap  file for what passes the server's port; empty for none
/// @throws std::runtime_error as Ns3Engine::run()
IpbusResult simulate_ipbus(const Ipbus& ipbus, const IpbusPoint& point, std::uint64_t seed,
                           const std::string& pcap = {});

}  // namespace watershed
