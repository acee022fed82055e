// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/frontend/ledger.h"
#include "model/ipbus/ipbus-unit.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/frame/watershed-udp-frame.h"

namespace watershed {

/// A front-end unit on its link: gives its IpbusUnit the packets that arrive and sends what it answers.
class IpbusBoard : private WatershedHost {
  public:
    /// @param number from 1
    IpbusBoard(ns3::Ptr<WatershedNetDeviceImpl> device, IpbusUnit& unit, int number, const Endpoint& own,
               const Endpoint& server, Ledger& ledger)
        : WatershedHost(device), m_unit(unit), m_number(number), m_own(own), m_server(server), m_ledger(ledger) {}
    void Trigger(Time now) {
        m_unit.trigger(now);
        ScheduleReply(now);
    }
    void EndTriggers(Time now) {
        m_unit.end(now);
        ScheduleReply(now);
    }

    std::int64_t GetFramesSent() const { return m_device->GetFramesSent(); }
    std::int64_t GetFramesTaken() const { return m_framesTaken; }

  private:
    void Arrived(WatershedFrame&& frame, Time now) override {
        const auto payload = UdpPayload(*frame.GetPacket());
        const IpbusUnit::Received received =
            m_unit.receive(payload ? ipbus::from_bytes(*payload) : ipbus::Words{}, now);
        if (received.refused) return m_ledger.lost({0, m_number, 0}, now, *received.refused);
        ++m_framesTaken;
        if (received.reply) Send(*received.reply, now);
        ScheduleReply(now);
    }
    void Reply() {
        m_scheduled = false;
        Send(m_unit.reply(Now()), Now());
        ScheduleReply(Now());
    }
    void Send(const ipbus::Words& packet, Time now) {
        m_device->SendFrame(MakeUdpFrame(m_own, m_server, ipbus::to_bytes(packet)), now);
    }
    void ScheduleReply(Time now) {
        if (m_scheduled) return;
        const auto next = m_unit.next_reply();
        if (!next) return;
        m_scheduled = true;
        m_timer.Schedule(GetContext(), *next - now);
    }

    IpbusUnit& m_unit;
    int m_number;
    Endpoint m_own;
    Endpoint m_server;
    Ledger& m_ledger;
    std::int64_t m_framesTaken = 0;
    bool m_scheduled = false;
    WatershedTimer<IpbusBoard, &IpbusBoard::Reply> m_timer{this};
};

}  // namespace watershed
