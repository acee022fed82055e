// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/udpmon/udpmon-sender.h"

#include <ns3/node.h>

#include <algorithm>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(UdpmonClient);

ns3::TypeId UdpmonClient::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::UdpmonClient")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<UdpmonClient>();
    return tid;
}

void UdpmonClient::Configure(ns3::Ptr<WatershedNetDevice> device, const WatershedFragmentFrame& frames,
                             const UdpmonPacer& pacer, UdpmonMonitor& monitor, std::int64_t packets) {
    m_device = device;
    m_frames = &frames;
    m_pacer = &pacer;
    m_monitor = &monitor;
    m_packets = packets;
    device->SetFrameHandler(this, 0);
}

void UdpmonClient::StartApplication() { ScheduleSend(Now()); }

void UdpmonClient::ScheduleSend(Time when) { m_timer.Schedule(GetNode()->GetId(), std::max(when, Now()) - Now()); }

void UdpmonClient::Send() {
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

void UdpmonClient::FrameLeft(std::uint32_t, const Moment&) {
    --m_waiting;
    if (!m_blocked) return;
    m_blocked = false;
    ScheduleSend(m_due);
}

void UdpmonClient::DoDispose() {
    m_timer.Cancel();
    m_device = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
