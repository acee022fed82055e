// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include "model/frontend/ledger.h"
#include "model/ipbus/ipbus-unit.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// A front-end unit on its link: gives its IpbusUnit the packets that arrive and sends what it answers.
class IpbusBoard : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();

    /// @param number from 1; what it refers to outlives the application
    void Configure(ns3::Ptr<WatershedNetDevice> device, IpbusUnit& unit, int number, const FragmentEndpoint& own,
                   const FragmentEndpoint& server, Ledger& ledger);
    void Trigger(Time now);
    void EndTriggers(Time now);

    std::int64_t GetFramesSent() const { return m_framesSent; }
    std::int64_t GetFramesTaken() const { return m_framesTaken; }

  private:
    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void Reply();
    void Send(const ipbus::Words& packet, Time now);
    void ScheduleReply(Time now);

    ns3::Ptr<WatershedNetDevice> m_device;
    IpbusUnit* m_unit = nullptr;
    int m_number = 0;
    FragmentEndpoint m_own;
    FragmentEndpoint m_server;
    Ledger* m_ledger = nullptr;
    std::int64_t m_framesSent = 0;
    std::int64_t m_framesTaken = 0;
    bool m_scheduled = false;
    WatershedTimer<IpbusBoard, &IpbusBoard::Reply> m_timer{this};
};

}  // namespace watershed
