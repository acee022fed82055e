// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>

#include <vector>

#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"

namespace watershed {

/// The switch between the balancer and its nodes: sends a frame to the node whose address it has.
class EjfatLan : public ns3::Object, private WatershedFrameHandler {
  public:
    static constexpr LossCause kPortFull{"node-port", "queue-full"};

    static ns3::TypeId GetTypeId();

    void Configure(ns3::Ptr<WatershedNetDevice> input, EjfatMonitor& monitor);
    /// Towards the next node.
    void AddPort(ns3::Ptr<WatershedNetDevice> device) { m_ports.push_back(device); }

  private:
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void DoDispose() override;

    EjfatMonitor* m_monitor = nullptr;
    std::vector<ns3::Ptr<WatershedNetDevice>> m_ports;
};

}  // namespace watershed
