// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/event-id.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "model/base/loss.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/roce/roce-frame.h"
#include "model/roce/distribution.h"
#include "model/roce/roce.h"
#include "model/switch/pause-control.h"

namespace watershed {

/// Takes events. While it is busy, what arrives waits in its buffer; with flow control it tells the switch to pause in
/// time. It answers marked frames with congestion notifications, no more than one of a producer in each interval.
class RoceConsumer : private WatershedHost {
  public:
    static constexpr LossCause kBufferFull{"consumer", "buffer-full"};

    /// Records what became of a frame. @param cause null if it was taken
    using Done = std::function<void(const roce::Headers&, const LossCause* cause, Time now)>;

    /// @param number among the consumers, from 0
    RoceConsumer(ns3::Ptr<WatershedNetDeviceImpl> device, const Distribution& distribution, int number,
                 std::uint64_t seed, Done done)
        : WatershedHost(device),
          m_distribution(distribution),
          m_number(number),
          m_done(std::move(done)),
          m_busy(distribution.consumers.busy_fraction, distribution.consumers.busy_mean, seed, number),
          m_notified(static_cast<std::size_t>(distribution.producers.count)) {
        if (m_busy.changes()) ScheduleChange();
    }
    /// The busy times are over, and what waits is taken.
    void End(Time now) {
        m_change.Cancel();
        if (!IsBusy()) return;
        m_busyTime += now - m_busySince;
        m_busy.change();
        TakeAll(now);
    }

    std::int64_t GetFramesTaken() const { return m_framesTaken; }
    Bytes GetDataReceived() const { return m_dataReceived; }
    bool IsBusy() const { return m_busy.is_busy(); }
    Time GetBusyTime(Time now) const { return m_busyTime + (IsBusy() ? now - m_busySince : Time{0}); }

  private:
    void Arrived(WatershedFrame&& frame, Time now) override {
        const auto headers = ReadRoceFrame(*frame.GetPacket());
        if (!headers) throw std::logic_error("a consumer got something else than RoCE");
        if (headers->congested) Notify(*headers, now);
        m_dataReceived += headers->data;
        if (!IsBusy()) return Take(*headers, now);
        if (m_held + headers->data > m_distribution.consumers.buffer) {
            m_dataReceived -= headers->data;
            return m_done(*headers, &kBufferFull, now);
        }
        m_held += headers->data;
        m_waiting.push_back(*headers);
        if (m_distribution.network_switch.flow_control && !m_pausing && m_held > m_distribution.consumers.xoff) {
            m_pausing = true;
            Renew();
        }
    }
    void Change() {
        const Time now = Now();
        if (m_busy.is_busy()) m_busyTime += now - m_busySince;
        m_busy.change();
        if (m_busy.is_busy())
            m_busySince = now;
        else
            TakeAll(now);
        ScheduleChange();
    }
    void ScheduleChange() { m_change = ns3::Simulator::Schedule(ToNs3(m_busy.stay()), &RoceConsumer::Change, this); }
    void TakeAll(Time now) {
        for (const roce::Headers& headers : m_waiting) Take(headers, now);
        m_waiting.clear();
        m_held = Bytes{0};
        if (!m_pausing) return;
        m_pausing = false;
        m_renewal.Cancel();
        Tell(0, now);
    }
    void Take(const roce::Headers& headers, Time now) {
        ++m_framesTaken;
        m_done(headers, nullptr, now);
    }
    void Notify(const roce::Headers& marked, Time now) {
        auto& last = m_notified.at(static_cast<std::size_t>(marked.source));
        if (last && now - *last < m_distribution.dcqcn.cnp_interval) return;
        last = now;
        roce::Headers headers;
        headers.opcode = roce::Opcode::Cnp;
        headers.source = marked.destination;
        headers.destination = marked.source;
        headers.queue_pair = marked.queue_pair;
        headers.data = Bytes{roce::kCnpReserved};
        m_device->SendFrame(MakeRoceFrame(headers), now);
    }
    void Tell(std::int64_t quanta, Time now) {
        m_device->SendFrame(
            MakePauseFrame(FlowControl::Kind::Pfc, ns3::Mac48Address::ConvertFrom(m_device->GetAddress()),
                           static_cast<std::uint16_t>(quanta)),
            now);
    }
    void Renew() {
        const std::int64_t quanta = m_distribution.network_switch.quanta;
        Tell(quanta, Now());
        m_renewal = ns3::Simulator::Schedule(
            ToNs3(std::max(Time{1'000'000}, pause_length(m_distribution.consumer_rate(m_number), quanta) / 2)),
            &RoceConsumer::Renew, this);
    }

    const Distribution& m_distribution;
    int m_number;
    Done m_done;
    BusyProcess m_busy;
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
