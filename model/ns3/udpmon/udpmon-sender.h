// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/udpmon/udpmon-host.h"
#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// UDPmon's client: sends numbered datagrams as a UdpmonPacer says, and waits where there is no room before the link.
class UdpmonClient : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();

    /// All outlive the application.
    void Configure(ns3::Ptr<WatershedNetDevice> device, const WatershedFragmentFrame& frames, const UdpmonPacer& pacer,
                   UdpmonMonitor& monitor, std::int64_t packets);

  private:
    void StartApplication() override;
    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame, const Moment&) override {}
    void FrameLeft(std::uint32_t, const Moment&) override;
    void Send();
    void ScheduleSend(Time when);

    ns3::Ptr<WatershedNetDevice> m_device;
    const WatershedFragmentFrame* m_frames = nullptr;
    const UdpmonPacer* m_pacer = nullptr;
    UdpmonMonitor* m_monitor = nullptr;
    std::int64_t m_packets = 0;
    std::int64_t m_sent = 0;
    std::int64_t m_waiting = 0;  ///< for the link, or on it
    Time m_due{0};               ///< of the next packet
    Time m_ready{0};             ///< of the last packet at the link
    bool m_blocked = false;      ///< the next packet is due but has no room
    WatershedTimer<UdpmonClient, &UdpmonClient::Send> m_timer{this};
};

}  // namespace watershed
