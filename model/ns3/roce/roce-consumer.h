// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/event-id.h>

#include <functional>
#include <optional>
#include <vector>

#include "model/base/loss.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/roce/busy-process.h"
#include "model/roce/distribution.h"
#include "model/roce/roce.h"

namespace watershed {

/// Takes events. While it is busy, what arrives waits in its buffer; with flow control it tells the switch to pause in
/// time. It answers marked frames with congestion notifications, no more than one of a producer in each interval.
class RoceConsumer : public ns3::Application, private WatershedFrameHandler {
  public:
    static constexpr LossCause kBufferFull{"consumer", "buffer-full"};

    /// What became of a frame. @param cause null if it was taken
    using Done = std::function<void(const roce::Headers&, const LossCause* cause, Time now)>;

    static ns3::TypeId GetTypeId();

    /// @param number among the consumers, from 0
    void Configure(ns3::Ptr<WatershedNetDevice> device, const Distribution& distribution, int number,
                   std::uint64_t seed, Done done);
    /// The busy times are over, and what waits is taken.
    void End(Time now);

    std::int64_t GetFramesTaken() const { return m_framesTaken; }
    Bytes GetDataReceived() const { return m_dataReceived; }
    bool IsBusy() const { return m_busy && m_busy->is_busy(); }
    Time GetBusyTime(Time now) const { return m_busyTime + (IsBusy() ? now - m_busySince : Time{0}); }

  private:
    void DoInitialize() override;
    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void Change();
    void TakeAll(Time now);
    void Take(const roce::Headers& headers, Time now);
    void Notify(const roce::Headers& headers, Time now);
    void Tell(std::int64_t quanta, Time now);
    void Renew();

    Distribution m_distribution;
    ns3::Ptr<WatershedNetDevice> m_device;
    int m_number = 0;
    Done m_done;
    std::optional<BusyProcess> m_busy;
    Time m_busySince{0}, m_busyTime{0};
    std::vector<roce::Headers> m_waiting;
    Bytes m_held{0};
    bool m_pausing = false;
    ns3::EventId m_renewal, m_change;
    std::vector<std::optional<Time>> m_notified;  ///< each producer, last
    std::int64_t m_framesTaken = 0;
    Bytes m_dataReceived{0};
};

}  // namespace watershed
