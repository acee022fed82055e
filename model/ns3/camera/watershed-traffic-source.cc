// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-traffic-source.h"

#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>

#include <stdexcept>

namespace watershed {

ns3::TypeId WatershedTrafficSource::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedTrafficSource")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddTraceSource("Tx", "A frame was offered to the port.",
                            ns3::MakeTraceSourceAccessor(&WatershedTrafficSource::m_tx), "ns3::Packet::TracedCallback");
    return tid;
}

void WatershedTrafficSource::StartApplication() {
    m_next = m_train.next();
    Fire();
}

void WatershedTrafficSource::Fire() {
    const Time now = Now();
    for (; m_next && *m_next == now; m_next = m_train.next()) {
        if (++m_frames > WatershedEventHeader::kLargestEvent)
            throw std::length_error("the header of a stream's frames counts up to 2^32 - 1");
        WatershedFrame frame(&m_frame, static_cast<std::uint32_t>(m_frames));
        if (!m_tx.IsEmpty()) m_tx(frame.GetPacket());
        m_device->SendFrame(std::move(frame), now);
    }
    if (m_next) m_timer.Schedule(GetNode()->GetId(), *m_next - now);
}

void WatershedTrafficSource::DoDispose() {
    m_timer.Cancel();
    m_device = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
