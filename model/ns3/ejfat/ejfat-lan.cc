// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-lan.h"

#include "model/ejfat/ejfat-headers.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(EjfatLan);

ns3::TypeId EjfatLan::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::EjfatLan")
                                       .SetParent<ns3::Object>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<EjfatLan>();
    return tid;
}

void EjfatLan::Configure(ns3::Ptr<WatershedNetDevice> input, EjfatMonitor& monitor) {
    m_monitor = &monitor;
    input->SetFrameHandler(this, 0);
}

void EjfatLan::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const auto headers = ReadAtNode(*frame.GetPacket()).value();
    if (!m_ports.at(static_cast<std::size_t>(ejfat_node_of(headers.to)))->SendFrame(std::move(frame), now))
        m_monitor->lost(headers.reassembly.event, kPortFull);
}

void EjfatLan::DoDispose() {
    m_ports.clear();
    Object::DoDispose();
}

}  // namespace watershed
