// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/flow-monitor.h>
#include <ns3/flow-probe.h>
#include <ns3/log.h>

#include <cstdint>

#include "model/ns3/switch/watershed-switch.h"

namespace watershed {

/// Tells ns-3's FlowMonitor of which flow the packets were that a switch lost, and why. For IPv4 flows, whose hosts the
/// monitor watches:
///
///     FlowMonitorHelper flows;
///     Ptr<FlowMonitor> monitor = flows.Install(hosts);
///     Ptr<WatershedFlowProbe> probe =
///         CreateObject<WatershedFlowProbe>(monitor, WatershedSwitch::Of(switchNode));
///
/// They then count as lost when they are, and stand under GetReasonCode() in FlowStats::packetsDropped.
class WatershedFlowProbe : public ns3::FlowProbe {
  public:
    static ns3::TypeId GetTypeId();  ///< @return the id of this class, with attributes and trace sources
    /// @param monitor, network_switch  which is told, and whose losses
    WatershedFlowProbe(ns3::Ptr<ns3::FlowMonitor> monitor, ns3::Ptr<WatershedSwitch> network_switch);

    /// @param cause  as the trace source Drop of the switch tells
    /// @return its place in packetsDropped, behind those of ns-3's own probes
    static std::uint32_t GetReasonCode(const LossCause& cause);

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it
    void Drop(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input, std::uint32_t output, const LossCause& cause);
};

}  // namespace watershed
