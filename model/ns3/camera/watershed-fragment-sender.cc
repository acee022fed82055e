// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-fragment-sender.h"

#include <ns3/abort.h>
#include <ns3/boolean.h>
#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include "model/frontend/trigger.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedFragmentSender);

ns3::TypeId WatershedFragmentSender::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedFragmentSender")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedFragmentSender>()
            .AddAttribute("Module", "Number of the module, from 1; gives its addresses and UDP port.",
                          ns3::UintegerValue(1), ns3::MakeUintegerAccessor(&WatershedFragmentSender::m_module),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, EventHeader::kLargestModule))
            .AddAttribute("Run", "Run number in the event header.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedFragmentSender::m_run),
                          ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute("Payload",
                          "UDP payload of one fragment, in bytes; split into several frames above the FragmentMtu.",
                          ns3::UintegerValue(1024), ns3::MakeUintegerAccessor(&WatershedFragmentSender::m_payload),
                          ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute("FragmentMtu", "Largest IP packet a fragment is sent in, in bytes.", ns3::UintegerValue(1500),
                          ns3::MakeUintegerAccessor(&WatershedFragmentSender::m_fragmentMtu),
                          ns3::MakeUintegerChecker<std::uint32_t>(kIpUdpHeaders.count + 1, 0xffff))
            .AddAttribute("Class", "Traffic class of the fragments, IEEE 802.1p.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedFragmentSender::m_class),
                          ns3::MakeUintegerChecker<std::uint32_t>(0, kTrafficClasses - 1))
            .AddAttribute("Skew", "Constant delay of this module's trigger.", ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&WatershedFragmentSender::m_skew), ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("Jitter", "Largest further delay, uniform for each trigger.", ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&WatershedFragmentSender::m_jitter), ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("Gap", "That the link keeps between the frames of one event.", ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&WatershedFragmentSender::m_gapOfAttribute),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("Seed", "Of the jitter.", ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&WatershedFragmentSender::m_seed),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute(
                "PacketsAtOnce",
                "Make the packet of every frame here, and not where it is first looked at, which is where its "
                "headers are written; takes two and a half times the memory.",
                ns3::BooleanValue(false), ns3::MakeBooleanAccessor(&WatershedFragmentSender::m_packetsAtOnce),
                ns3::MakeBooleanChecker())
            .AddTraceSource("Tx", "A frame was offered to the port.",
                            ns3::MakeTraceSourceAccessor(&WatershedFragmentSender::m_tx),
                            "ns3::Packet::TracedCallback");
    return tid;
}

void WatershedFragmentSender::StartApplication() {
    for (std::uint32_t i = 0; i < GetNode()->GetNDevices() && !m_device; ++i)
        m_device = ns3::DynamicCast<WatershedNetDeviceImpl>(GetNode()->GetDevice(i));
    NS_ABORT_MSG_UNLESS(m_device, "a WatershedFragmentSender needs a WatershedNetDevice on its node");
    const int module = static_cast<int>(m_module);
    if (!m_sizes) {
        FrameFormat format;
        format.payload = Bytes{m_payload};
        format.mtu = Bytes{m_fragmentMtu};
        format.split = true;
        m_sizes.emplace(format, m_seed);
    }
    if (!m_timing) {
        FrontEnd front_end;
        front_end.skew = {FromNs3(m_skew)};
        front_end.jitter = FromNs3(m_jitter);
        m_timing.emplace(front_end, m_seed, module);
    }
    if (!m_gap) m_gap = FromNs3(m_gapOfAttribute);
    for (const std::vector<FrameSizes>& sizes : m_sizes->choices()) {
        m_frames.emplace_back();
        for (int i = 0; i < static_cast<int>(sizes.size()); ++i)
            m_frames.back().emplace_back(m_source.value_or(ModuleEndpoint(module)), m_destination,
                                         sizes[static_cast<std::size_t>(i)].payload, m_run, module, i,
                                         static_cast<int>(m_class));
    }
}

void WatershedFragmentSender::Trigger(std::int64_t event, Time now) {
    if (!answers(m_trigger, event, static_cast<int>(m_module))) return;
    const Time time = m_timing->offer_time(event, now);
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
    for (const WatershedFragmentFrame& each : m_frames[m_sizes->choice(event, static_cast<int>(m_module))]) {
        const auto number = static_cast<std::uint32_t>(event);
        WatershedFrame frame(&each, number);
        if (m_packetsAtOnce) frame.MakePacket();
        if (!m_tx.IsEmpty()) m_tx(frame.GetPacket());
        m_device->SendFrame(std::move(frame), now, now, gap);
        gap = *m_gap;
    }
}

void WatershedFragmentSender::DoDispose() {
    m_timer.Cancel();
    m_device = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
