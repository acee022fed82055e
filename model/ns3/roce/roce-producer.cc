// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/roce/roce-producer.h"

#include <ns3/node.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/roce/roce-frame.h"
#include "model/roce/roce.h"
#include "model/switch/pause-control.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(RoceProducer);

namespace {
constexpr std::uint32_t kFirstQueuePair = 0x100;
constexpr std::int64_t kSequence = 1 << 24;
}  // namespace

ns3::TypeId RoceProducer::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::RoceProducer")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<RoceProducer>();
    return tid;
}

void RoceProducer::Configure(ns3::Ptr<WatershedNetDevice> device, const Distribution& distribution, int number,
                             Closed closed) {
    m_distribution = distribution;
    m_device = device;
    m_number = number;
    m_closed = std::move(closed);
    m_flows.assign(static_cast<std::size_t>(distribution.consumers.count),
                   Flow(DcqcnFlow(distribution.dcqcn, distribution.producers.link_rate)));
    device->SetFrameHandler(this, 0);
}

void RoceProducer::Post(int consumer, Time now) {
    Flow& flow = m_flows[static_cast<std::size_t>(consumer)];
    Event event;
    event.consumer = consumer;
    event.first = flow.posted;
    event.frames = roce::frames_of(m_distribution.event, m_distribution.mtu);
    flow.posted += event.frames;
    m_events.push_back(event);
    TrySend(now);
}

void RoceProducer::TrySend(Time now) {
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

void RoceProducer::Send(Event& event, Time now) {
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
    ++m_framesSent;
    m_onLink = headers.data;
    m_sending = true;
    m_device->SendFrame(MakeRoceFrame(headers), now);
}

void RoceProducer::FrameLeft(std::uint32_t, const Moment& moment) {
    const Time now = moment.time;
    m_sending = false;
    m_dataSent += m_onLink;
    TrySend(now);
}

void RoceProducer::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
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

void RoceProducer::Account(int consumer, std::uint32_t number, bool arrived, Time now) {
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
    m_closed(m_number, consumer, complete, now);
}

void RoceProducer::DoDispose() {
    m_wakeUp.Cancel();
    m_device = nullptr;
    m_closed = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
