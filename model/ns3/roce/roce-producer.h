// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/event-id.h>

#include <deque>
#include <functional>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/roce/distribution.h"

namespace watershed {

/// Sends events, a frame of each that is under way in turn, as the rates of their flows and pauses of the link allow.
/// Each consumer is one flow, a queue pair.
class RoceProducer : public ns3::Application, private WatershedFrameHandler {
  public:
    /// All frames of an event have arrived or are lost.
    using Closed = std::function<void(int producer, int consumer, bool complete, Time now)>;

    static ns3::TypeId GetTypeId();

    void Configure(ns3::Ptr<WatershedNetDevice> device, const Distribution& distribution, int number, Closed closed);
    void Post(int consumer, Time now);
    /// What became of a frame. @param number of its sequence, as its headers say
    void Account(int consumer, std::uint32_t number, bool arrived, Time now);

    std::int64_t GetFramesSent() const { return m_framesSent; }
    Bytes GetDataSent() const { return m_dataSent; }
    std::int64_t GetNotifications() const { return m_notifications; }
    Time GetPauseTime(Time now) const { return m_gate.closed(now); }

  private:
    struct Event {
        int consumer = 0;
        std::int64_t first = 0;  ///< of its flow's frames
        std::int64_t frames = 0, sent = 0, arrived = 0, lost = 0;
    };
    struct Flow {
        explicit Flow(const DcqcnFlow& congestion) : dcqcn(congestion) {}
        DcqcnFlow dcqcn;
        std::int64_t posted = 0;  ///< frames
        Time ready{0};            ///< when its rate allows the next frame
    };

    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment& now) override;
    void TrySend(Time now);
    void Send(Event& event, Time now);
    void WakeUp() { TrySend(Now()); }

    Distribution m_distribution;
    ns3::Ptr<WatershedNetDevice> m_device;
    int m_number = 0;
    Closed m_closed;
    std::deque<Event> m_events;
    std::size_t m_turn = 0;
    std::vector<Flow> m_flows;
    PauseGate m_gate;
    bool m_sending = false;
    Bytes m_onLink{0};  ///< data of the frame being sent
    ns3::EventId m_wakeUp;
    std::int64_t m_framesSent = 0, m_notifications = 0;
    Bytes m_dataSent{0};
};

}  // namespace watershed
