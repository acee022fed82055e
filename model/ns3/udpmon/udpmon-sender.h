// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/node.h>

#include <algorithm>

#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/udpmon/udpmon-host.h"
#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// UDPmon's client: sends numbered datagrams as a UdpmonPacer says, and waits where there is no room before the link.
class UdpmonClient : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId tid = ns3::TypeId("ns3::UdpmonClient").SetParent<ns3::Application>();
        return tid;
    }

    /// All outlive the application.
    void Configure(ns3::Ptr<WatershedNetDeviceImpl> device, const WatershedFragmentFrame& frames,
                   const UdpmonPacer& pacer, UdpmonMonitor& monitor, std::int64_t packets) {
        m_device = device;
        m_frames = &frames;
        m_pacer = &pacer;
        m_monitor = &monitor;
        m_packets = packets;
        device->SetFrameHandler(this, 0);
    }

  private:
    void StartApplication() override { ScheduleSend(Now()); }
    void DoDispose() override {
        m_timer.Cancel();
        m_device = nullptr;
        Application::DoDispose();
    }
    void FrameArrived(std::uint32_t, WatershedFrame&&, const Timestamp&) override {}
    void FrameLeft(std::uint32_t, const WatershedFrame&, const Timestamp&) override {
        --m_waiting;
        if (!m_blocked) return;
        m_blocked = false;
        ScheduleSend(m_due);
    }
    void Send() {
        if (m_waiting >= m_pacer->room()) {
            m_blocked = true;
            return;
        }
        const std::int64_t number = ++m_sent;
        m_monitor->sent(Now());
        m_ready = std::max(m_ready, Now() + m_pacer->jitter(number));
        ++m_waiting;
        m_device->SendFrame(m_frames->Make(static_cast<std::uint32_t>(number)), m_ready, Now());
        if (m_sent == m_packets) return;
        m_due = m_pacer->next(number + 1, Now());
        ScheduleSend(m_due);
    }
    void ScheduleSend(Time when) { m_timer.Schedule(GetNode()->GetId(), std::max(when, Now()) - Now()); }

    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    const WatershedFragmentFrame* m_frames = nullptr;
    const UdpmonPacer* m_pacer = nullptr;
    UdpmonMonitor* m_monitor = nullptr;
    std::int64_t m_packets = 0;
    std::int64_t m_sent = 0;
    std::int64_t m_waiting = 0;  ///< for the link, or on it
    Time m_due{0};               ///< time of the next packet
    Time m_ready{0};             ///< time when the link has sent the last packet
    bool m_blocked = false;      ///< the next packet is due but has no room
    WatershedTimer<UdpmonClient, &UdpmonClient::Send> m_timer{this};
};

}  // namespace watershed
