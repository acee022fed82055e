// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>

#include "model/roce/distribution-result.h"
#include "model/roce/distribution.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ipbus/ipbus-result.h"
#include "model/udpmon/udpmon-monitor.h"
#include "scenarios/run/engine-choice.h"

namespace watershed {

/// What can be simulated, one member per system; main() fills it in, so that nothing else links ns-3.
struct Simulators {
    std::string usual_engine;   ///< of a camera, where the user names none
    EngineFactory engine;       ///< a camera behind a switch
    /// UDPmon: one payload at one spacing, by its index; captured to a file unless its name is empty.
    std::function<UdpmonResult(const Udpmon&, Bytes payload, std::size_t spacing, std::uint64_t seed, const std::string& pcap)> udpmon;
    /// IPbus: one number of units, block and rate; captured to a file unless its name is empty.
    std::function<IpbusResult(const Ipbus&, const IpbusPoint&, std::uint64_t seed, const std::string& pcap)> ipbus;
    /// EJFAT: one event size, bit rate and service time; captured to PREFIX-balancer.pcap and PREFIX-node.pcap unless the prefix is empty.
    std::function<EjfatResult(const Ejfat&, const EjfatPoint&, std::uint64_t seed, const std::string& pcap_prefix)> ejfat;
    /// Events by RoCE; captured to a file unless its name is empty; progress in windows.
    std::function<DistributionResult(const Distribution&, std::uint64_t seed, const std::string& pcap, const std::function<void(std::int64_t)>& progress)> distribution;
};

}  // namespace watershed
