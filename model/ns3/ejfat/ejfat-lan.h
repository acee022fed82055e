// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

/// The switch between the balancer and its nodes: sends a frame to the node whose address it has.
class EjfatLan : private WatershedFrameHandler {
  public:
    static constexpr LossCause kPortFull{"node-port", "queue-full"};

    EjfatLan(const ns3::Ptr<WatershedNetDeviceImpl>& input, EjfatMonitor& monitor) : m_monitor(monitor) {
        input->SetFrameHandler(this, 0);
    }
    /// Towards the next node.
    void AddPort(ns3::Ptr<WatershedNetDeviceImpl> device) { m_ports.push_back(device); }

  private:
    void FrameArrived(std::uint32_t, WatershedFrame&& frame, const Timestamp& moment) override {
        const Time now = moment.time;
        const auto headers = ReadAtNode(*frame.GetPacket()).value();
        if (!m_ports.at(static_cast<std::size_t>(ejfat_node_of(headers.to)))->SendFrame(std::move(frame), now))
            m_monitor.lost(headers.reassembly.event, kPortFull);
    }

    EjfatMonitor& m_monitor;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> m_ports;
};

}  // namespace watershed
