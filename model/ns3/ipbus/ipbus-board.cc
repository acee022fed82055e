// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ipbus/ipbus-board.h"

#include <ns3/node.h>

#include "model/ns3/frame/watershed-udp-frame.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(IpbusBoard);

ns3::TypeId IpbusBoard::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::IpbusBoard")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<IpbusBoard>();
    return tid;
}

void IpbusBoard::Configure(ns3::Ptr<WatershedNetDevice> device, IpbusUnit& unit, int number,
                           const FragmentEndpoint& own, const FragmentEndpoint& server, Ledger& ledger) {
    m_device = device;
    m_unit = &unit;
    m_number = number;
    m_own = own;
    m_server = server;
    m_ledger = &ledger;
    device->SetFrameHandler(this, 0);
}

void IpbusBoard::Trigger(Time now) {
    m_unit->trigger(now);
    ScheduleReply(now);
}

void IpbusBoard::EndTriggers(Time now) {
    m_unit->end(now);
    ScheduleReply(now);
}

void IpbusBoard::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const auto payload = UdpPayload(*frame.GetPacket());
    const IpbusUnit::Received received = m_unit->receive(payload ? ipbus::from_bytes(*payload) : ipbus::Words{}, now);
    if (received.refused) return m_ledger->lost({0, m_number, 0}, now, *received.refused);
    ++m_framesTaken;
    if (received.reply) Send(*received.reply, now);
    ScheduleReply(now);
}

void IpbusBoard::ScheduleReply(Time now) {
    if (m_scheduled) return;
    const auto next = m_unit->next_reply();
    if (!next) return;
    m_scheduled = true;
    m_timer.Schedule(GetNode()->GetId(), *next - now);
}

void IpbusBoard::Reply() {
    m_scheduled = false;
    Send(m_unit->reply(Now()), Now());
    ScheduleReply(Now());
}

void IpbusBoard::Send(const ipbus::Words& packet, Time now) {
    ++m_framesSent;
    m_device->SendFrame(MakeUdpFrame(m_own, m_server, ipbus::to_bytes(packet)), now);
}

void IpbusBoard::DoDispose() {
    m_timer.Cancel();
    m_device = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
