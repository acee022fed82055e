// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/event-id.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/roce/roce-frame.h"
#include "model/roce/distribution.h"
#include "model/roce/roce.h"
#include "model/switch/pause-control.h"

namespace watershed {

/// Sends events, a frame of each that is under way in turn, as the rates of their flows and pauses of the link allow.
/// Each consumer is one flow, a queue pair.
class RoceProducer : private WatershedHost {
  public:
    /// All frames of an event have arrived or are lost.
    using Closed = std::function<void(int producer, int consumer, bool complete)>;

    RoceProducer(ns3::Ptr<WatershedNetDeviceImpl> device, const Distribution& distribution, int number, Closed closed)
        : WatershedHost(device),
          m_distribution(distribution),
          m_number(number),
          m_closed(std::move(closed)),
          m_flows(static_cast<std::size_t>(distribution.consumers.count),
                  Flow(DcqcnFlow(distribution.dcqcn, distribution.producers.link_rate))) {}
    void Post(int consumer, Time now) {
        Flow& flow = m_flows[static_cast<std::size_t>(consumer)];
        Event event;
        event.consumer = consumer;
        event.first = flow.posted;
        event.frames = roce::frames_of(m_distribution.event, m_distribution.mtu);
        flow.posted += event.frames;
        m_events.push_back(event);
        TrySend(now);
    }
    /// Records what became of a frame. @param number of its sequence, from its headers
    void Account(int consumer, std::uint32_t number, bool arrived) {
        const auto event = std::find_if(m_events.begin(), m_events.end(), [&](const Event& candidate) {
            return candidate.consumer == consumer &&
                   (number - candidate.first % kSequence + kSequence) % kSequence < candidate.frames;
        });
        if (event == m_events.end()) throw std::logic_error("a frame belongs to no event");
        ++(arrived ? event->arrived : event->lost);
        if (event->arrived + event->lost < event->frames) return;
        const bool complete = event->lost == 0;
        const auto place = static_cast<std::size_t>(event - m_events.begin());
        m_events.erase(event);
        if (m_turn > place) --m_turn;
        m_closed(m_number, consumer, complete);
    }

    std::int64_t GetFramesSent() const { return m_device->GetFramesSent(); }
    Bytes GetDataSent() const { return m_dataSent; }
    std::int64_t GetNotifications() const { return m_notifications; }
    Time GetPauseTime(Time now) const { return m_gate.closed(now); }

  private:
    static constexpr std::uint32_t kFirstQueuePair = 0x100;
    static constexpr std::int64_t kSequence = 1 << 24;

    struct Event {
        int consumer = 0;
        std::int64_t first = 0;  ///< first of its flow's frames
        std::int64_t frames = 0, sent = 0, arrived = 0, lost = 0;
    };
    struct Flow {
        explicit Flow(const DcqcnFlow& congestion) : dcqcn(congestion) {}
        DcqcnFlow dcqcn;
        std::int64_t posted = 0;  ///< frames
        Time ready{0};            ///< time at which its rate allows the next frame
    };

    void Arrived(WatershedFrame&& frame, Time now) override {
        if (const auto quanta = ReadPauseFrame(*frame.GetPacket())) {
            if (!m_distribution.producers.obeys_pause) return;
            m_gate.order(now, pause_length(m_distribution.producers.link_rate, *quanta));
            return TrySend(now);
        }
        const auto headers = ReadRoceFrame(*frame.GetPacket());
        if (!headers || headers->opcode != roce::Opcode::Cnp)
            throw std::logic_error("a producer got something else than notifications and pauses");
        ++m_notifications;
        m_flows.at(static_cast<std::size_t>(headers->source - m_distribution.producers.count)).dcqcn.notified(now);
    }
    void FrameLeft(std::uint32_t, const WatershedFrame&, const Timestamp& moment) override {
        const Time now = moment.time;
        m_sending = false;
        m_dataSent += m_onLink;
        TrySend(now);
    }
    void TrySend(Time now) {
        if (m_sending || m_events.empty()) return;
        m_wakeUp.Cancel();
        std::optional<Time> wake_up;
        const auto later = [&](Time time) { wake_up = wake_up ? std::min(*wake_up, time) : time; };
        if (!m_gate.is_open(now)) {
            later(m_gate.until());
        } else {
            for (std::size_t tried = 0; tried < m_events.size(); ++tried) {
                Event& event = m_events[(m_turn + tried) % m_events.size()];
                if (event.sent == event.frames) continue;
                const Flow& flow = m_flows[static_cast<std::size_t>(event.consumer)];
                if (flow.ready > now) {
                    later(flow.ready);
                    continue;
                }
                m_turn = (m_turn + tried + 1) % m_events.size();
                return Send(event, now);
            }
        }
        if (wake_up) m_wakeUp = ns3::Simulator::Schedule(ToNs3(*wake_up - now), &RoceProducer::WakeUp, this);
    }
    void Send(Event& event, Time now) {
        using roce::Opcode;
        Flow& flow = m_flows[static_cast<std::size_t>(event.consumer)];
        const bool first = event.sent == 0, last = event.sent + 1 == event.frames;
        roce::Headers headers;
        headers.opcode = first  ? (last ? Opcode::WriteOnly : Opcode::WriteFirst)
                         : last ? Opcode::WriteLast
                                : Opcode::WriteMiddle;
        headers.source = m_number;
        headers.destination = m_distribution.producers.count + event.consumer;
        headers.queue_pair = kFirstQueuePair + static_cast<std::uint32_t>(m_number);
        headers.number = static_cast<std::uint32_t>((event.first + event.sent) % kSequence);
        headers.data = std::min(m_distribution.mtu, m_distribution.event - m_distribution.mtu * event.sent);
        headers.message = m_distribution.event;

        const Bytes slot = roce::slot(headers.data, first);
        if (flow.dcqcn.is_limited(now))
            flow.ready = now + Time{std::llround(bit_picoseconds(slot.count) / flow.dcqcn.rate(now))};
        flow.dcqcn.sent(slot, now);
        ++event.sent;
        m_onLink = headers.data;
        m_sending = true;
        m_device->SendFrame(MakeRoceFrame(headers), now);
    }
    void WakeUp() { TrySend(Now()); }

    const Distribution& m_distribution;
    int m_number;
    Closed m_closed;
    std::deque<Event> m_events;
    std::size_t m_turn = 0;
    std::vector<Flow> m_flows;
    PauseGate m_gate;
    bool m_sending = false;
    Bytes m_onLink{0};  ///< data of the frame being sent
    ns3::EventId m_wakeUp;
    std::int64_t m_notifications = 0;
    Bytes m_dataSent{0};
};

}  // namespace watershed
