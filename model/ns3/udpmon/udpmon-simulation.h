// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// Sends all packets of one payload at one spacing through ns-3.
/// @param spacing  index into the scenario's spacings
/// @param pcap     file for what the receiver gets; empty for none
/// @throws std::runtime_error as Ns3Engine::run()
UdpmonResult simulate_udpmon(const Udpmon& udpmon, Bytes payload, std::size_t spacing, std::uint64_t seed,
                             const std::string& pcap = {});

}  // namespace watershed
