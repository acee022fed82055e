// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include <stdexcept>

#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/udpmon/udpmon-host.h"
#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// UDPmon's server: stamps the datagrams when its UdpmonReader says that they are read.
class UdpmonServer : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId tid = ns3::TypeId("ns3::UdpmonServer").SetParent<ns3::Application>();
        return tid;
    }

    /// Both outlive the application.
    void Configure(ns3::Ptr<WatershedNetDeviceImpl> device, UdpmonReader& reader, UdpmonMonitor& monitor) {
        m_reader = &reader;
        m_monitor = &monitor;
        device->SetFrameHandler(this, 0);
    }

  private:
    void FrameArrived(std::uint32_t, WatershedFrame&& frame, const Timestamp& moment) override {
        const Time now = moment.time;
        const auto id = IdentifyFrame(*frame.GetPacket());
        if (!id) throw std::logic_error("a UDPmon packet carries no number");
        if (const auto read = m_reader->read(now))
            m_monitor->received(id->event, *read);
        else
            m_monitor->lost(UdpmonReader::kBufferFull);
    }

    UdpmonReader* m_reader = nullptr;
    UdpmonMonitor* m_monitor = nullptr;
};

}  // namespace watershed
