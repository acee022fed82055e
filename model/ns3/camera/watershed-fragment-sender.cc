// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-fragment-sender.h"

#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>

#include <utility>

#include "model/frontend/trigger.h"

namespace watershed {

ns3::TypeId WatershedFragmentSender::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("ns3::WatershedFragmentSender")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddTraceSource("Tx", "A frame was offered to the port.",
                                                       ns3::MakeTraceSourceAccessor(&WatershedFragmentSender::m_tx),
                                                       "ns3::Packet::TracedCallback");
    return tid;
}

WatershedFragmentSender::WatershedFragmentSender(ns3::Ptr<WatershedNetDeviceImpl> device, const Settings& settings,
                                                 const FragmentSizes& sizes, FragmentTiming timing)
    : m_device(device), m_settings(settings), m_sizes(sizes), m_timing(std::move(timing)) {
    for (const std::vector<FrameSizes>& choice : sizes.choices()) {
        m_frames.emplace_back();
        for (int i = 0; i < static_cast<int>(choice.size()); ++i)
            m_frames.back().emplace_back(settings.source, settings.destination,
                                         choice[static_cast<std::size_t>(i)].payload, settings.run, settings.module, i,
                                         settings.traffic_class);
    }
}

void WatershedFragmentSender::Trigger(std::int64_t event, Time now) {
    if (!answers(m_settings.trigger, event, m_settings.module)) return;
    const Time time = m_timing.offer_time(event, now);
    if (m_offers.empty() && time == now) {
        Send(event, now);
        return;
    }
    m_offers.push_back({event, time});
    if (m_offers.size() == 1) m_timer.Schedule(GetNode()->GetId(), time - now);
}

void WatershedFragmentSender::OfferHead() {
    const Time now = Now();
    Send(m_offers.front().event, now);
    m_offers.pop_front();
    if (!m_offers.empty()) m_timer.Schedule(GetNode()->GetId(), m_offers.front().time - now);
}

void WatershedFragmentSender::Send(std::int64_t event, Time now) {
    Time gap{0};  // before the first
    for (const WatershedFragmentFrame& each : m_frames[m_sizes.choice(event, m_settings.module)]) {
        const auto number = static_cast<std::uint32_t>(event);
        WatershedFrame frame(&each, number);
        if (m_packetsAtOnce) frame.MakePacket();
        if (!m_tx.IsEmpty()) m_tx(frame.GetPacket());
        m_device->SendFrame(std::move(frame), now, now, gap);
        gap = m_settings.gap;
    }
}

void WatershedFragmentSender::DoDispose() {
    m_timer.Cancel();
    m_device = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
