// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/udpmon/udpmon-host.h"
#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// UDPmon's server: stamps the datagrams when its UdpmonReader says that they are read.
class UdpmonServer : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();

    /// Both outlive the application.
    void Configure(ns3::Ptr<WatershedNetDevice> device, UdpmonReader& reader, UdpmonMonitor& monitor);

  private:
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}

    UdpmonReader* m_reader = nullptr;
    UdpmonMonitor* m_monitor = nullptr;
};

}  // namespace watershed
