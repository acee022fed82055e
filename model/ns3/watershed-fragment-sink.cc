// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/watershed-fragment-sink.h"

#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include "model/ns3/watershed-fragment-frame.h"
#include "model/ns3/watershed-net-device.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedFragmentSink);

ns3::TypeId WatershedFragmentSink::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("watershed::WatershedFragmentSink")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedFragmentSink>()
            .AddAttribute("Modules", "Modules that answer each trigger.", ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&WatershedFragmentSink::m_modules),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, WatershedEventHeader::kLargestModule))
            .AddAttribute("FramesPerFragment", "Frames each of them sends.", ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&WatershedFragmentSink::m_framesPerFragment),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, 0x10000))
            .AddTraceSource("Rx", "A frame of a fragment has arrived.", ns3::MakeTraceSourceAccessor(&WatershedFragmentSink::m_rx),
                            "watershed::WatershedFragmentSink::RxTracedCallback");
    return tid;
}

void WatershedFragmentSink::StartApplication() {
    m_server.emplace(static_cast<int>(m_modules), static_cast<int>(m_framesPerFragment), m_trigger);
    for (std::uint32_t i = 0; i < GetNode()->GetNDevices(); ++i)
        if (const auto device = ns3::DynamicCast<WatershedNetDevice>(GetNode()->GetDevice(i))) device->SetFrameHandler(this, i);
}

void WatershedFragmentSink::FrameArrived(std::uint32_t, WatershedFrame frame, Time) {
    const auto id = IdentifyFrame(m_rx.IsEmpty() ? frame.ReadPacket(m_own) : *frame.GetPacket());   // from the bytes, as the computer would
    if (!id || id->module < 1 || id->module > static_cast<int>(m_modules)) return;
    m_server->receive(*id);
    if (!m_rx.IsEmpty()) m_rx(frame.GetPacket(), *id);
}

}  // namespace watershed
