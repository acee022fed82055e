// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-fragment-sink.h"

#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>

#include "model/ns3/camera/watershed-copy-tag.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

ns3::TypeId WatershedFragmentSink::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedFragmentSink")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddTraceSource("Rx", "A frame of a fragment has arrived.",
                            ns3::MakeTraceSourceAccessor(&WatershedFragmentSink::m_rx),
                            "watershed::WatershedFragmentSink::RxTracedCallback")
            .AddTraceSource("Drop",
                            "A server with limits lost a frame, so many picoseconds after the start, and why; told "
                            "when a later frame comes.",
                            ns3::MakeTraceSourceAccessor(&WatershedFragmentSink::m_drop),
                            "watershed::WatershedFragmentSink::DropTracedCallback")
            .AddTraceSource("Occupancy",
                            "Picoseconds since the start, frames in the rings and bytes in the memory of a server with "
                            "limits after each change; told when a later frame comes.",
                            ns3::MakeTraceSourceAccessor(&WatershedFragmentSink::m_occupancy),
                            "watershed::WatershedFragmentSink::OccupancyTracedCallback");
    return tid;
}

void WatershedFragmentSink::StartApplication() {
    std::uint32_t interfaces = 0;
    for (std::uint32_t i = 0; i < GetNode()->GetNDevices(); ++i)
        if (const auto device = ns3::DynamicCast<WatershedNetDeviceImpl>(GetNode()->GetDevice(i)))
            device->SetFrameHandler(this, interfaces++);
    CameraServer::Reports reports;
    reports.lost = [this](const FrameId& frame, Time time, const LossCause& cause) {
        m_drop(frame, time.count(), cause);
    };
    if (!m_occupancy.IsEmpty())
        reports.occupancy = [this](Time time, std::int64_t frames, Bytes bytes) {
            m_occupancy(time.count(), frames, bytes.count);
        };
    m_server.emplace(m_scenario, m_scenario.server, Network(m_scenario).builders_of_interfaces(), reports);
}

void WatershedFragmentSink::FrameArrived(std::uint32_t interface, WatershedFrame&& frame, const Timestamp& moment) {
    const Time now = moment.time;
    const int builders = m_scenario.builders.receiving();
    auto id = builders > 1 ? IdentifyCopy(*frame.GetPacket()) : frame.Identify();
    if (id) id->copy %= builders;
    if (id && id->stream != 0) {  // its own server is behind the same link
        if (!m_rx.IsEmpty()) m_rx(frame.GetPacket(), *id);
        return;
    }
    if (!id || id->module < 1 || id->module > m_scenario.front_end.modules) return;
    m_server->advance(now);
    m_server->arrive(*id, static_cast<int>(interface), now);
    if (!m_rx.IsEmpty()) m_rx(frame.GetPacket(), *id);
}

}  // namespace watershed
