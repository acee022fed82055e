// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/udpmon/udpmon-receiver.h"

#include <stdexcept>

#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(UdpmonServer);

ns3::TypeId UdpmonServer::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::UdpmonServer")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<UdpmonServer>();
    return tid;
}

void UdpmonServer::Configure(ns3::Ptr<WatershedNetDevice> device, UdpmonReader& reader, UdpmonMonitor& monitor) {
    m_reader = &reader;
    m_monitor = &monitor;
    device->SetFrameHandler(this, 0);
}

void UdpmonServer::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const auto id = IdentifyFrame(*frame.GetPacket());
    if (!id) throw std::logic_error("a UDPmon packet carries no number");
    if (const auto read = m_reader->read(now))
        m_monitor->received(id->event, *read);
    else
        m_monitor->lost(UdpmonReader::kBufferFull);
}

}  // namespace watershed
