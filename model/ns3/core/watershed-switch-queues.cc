// SPDX-License-Identifier: GPL-2.0-only
// The memory and the queues of a WatershedSwitch: from a frame that has an output until it has left.
#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

#include "model/ns3/core/watershed-ethernet.h"
#include "model/ns3/core/watershed-switch.h"
#include "model/switch/early-drop.h"

namespace watershed {

const LossCause* WatershedSwitch::Ask(MemoryClaim& claim, const WatershedStored::Copies* copies, const Moment& now) {
    if (copies && copies->claim) {  // there is room for it already
        const LossCause* cause = m_memory->refusal(claim);
        return cause && (*cause == SwitchMemory::kBufferFull || *cause == SwitchMemory::kDescriptors) ? nullptr : cause;
    }
    const int sender = m_pauses ? SenderOf(claim) : kNobody;
    Order(sender, now);  // others may have taken what was free
    const LossCause* cause = m_memory->refusal(claim);
    if (!cause || *cause == SwitchMemory::kEarlyDrop || sender == kNobody || !m_pauses->is_paused(sender)) return cause;
    claim.on_headroom = true;
    return m_memory->refusal(claim);
}

std::uint64_t WatershedSwitch::LotOf(const WatershedFrame& frame) const {
    if (m_lots) return m_lots();
    const auto id = frame.Identify();
    return id ? early_drop_lot(*m_earlyDrop, m_settings.seed, *id, m_number)
              : std::uint64_t{m_random->GetInteger(0, UINT32_MAX)} << 32;
}

bool WatershedSwitch::IsEarlyAt(const WatershedOutput& to, const MemoryClaim& claim) const {
    return to.early && goes_early(to.held[static_cast<std::size_t>(claim.traffic_class)], to.early->from, to.early->to,
                                  to.early->probability, claim.lot);
}

void WatershedSwitch::Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now,
                            const ns3::Ptr<WatershedStored::Copies>& copies) {
    if (m_eventDriven) return m_eventDriven->Offer(input, PortOf(output), frame, m_earlyDrop ? LotOf(frame) : 0, now);
    WatershedOutput& to = m_outputs[static_cast<std::size_t>(output)];
    if (IsControl(frame)) return SendOwn(to, to.control, std::move(frame), now);
    MemoryClaim claim{static_cast<int>(input), output, Bytes{frame.GetSize() + m_settings.buffer_overhead}};
    if (to.scheduler) claim.traffic_class = frame.GetClass();
    if (m_earlyDrop) {
        claim.lot = LotOf(frame);
        if (m_settings.network_switch.buffer.ecn) claim.can_be_marked = CanBeMarked(*frame.GetPacket());
    }
    m_lastActivity = now.time;
    const auto may_lose = [this](int queue) {
        const auto& stored = m_outputs[static_cast<std::size_t>(queue)].queues.front();
        return stored.size() > 1 && !stored.back().is_own;
    };
    while (const auto queue = m_memory->victim(claim, may_lose)) PushOut(*queue, now);
    if (const LossCause* cause = Ask(claim, ns3::PeekPointer(copies), now)) {
        m_memory->drop(claim, *cause);
        return Drop(frame, input, PortOf(output), *cause);
    }
    const bool is_early = IsEarlyAt(to, claim),
               can_be_marked = m_settings.network_switch.buffer.ecn && claim.can_be_marked;
    if (is_early && !can_be_marked) return Drop(frame, input, PortOf(output), SwitchMemory::kEarlyDrop);
    if (can_be_marked && (is_early || m_memory->marks(claim))) {
        frame = MarkCongestion(*frame.GetPacket());
        m_mark(frame.GetPacket(), input, PortOf(output));
    }
    if (!m_enqueue.IsEmpty()) m_enqueue(frame.GetPacket(), input);
    if (!copies || !copies->claim) {
        m_memory->take(claim);
        TraceOccupancy(now, true);
    }
    if (copies) {
        if (!copies->claim) copies->claim = claim;
        claim = *copies->claim;
        ++copies->left;
    }
    const Time latency = m_settings.network_switch.latency;
    auto& queue = to.queues[static_cast<std::size_t>(claim.traffic_class)];
    queue.emplace_back(std::move(frame), now + latency, claim, copies);
    Occupy(PortOf(output), queue.back(), +1);
    ++m_stored;
    if (m_pauses) Order(SenderOf(claim), now);
    SendHead(to, now);
    // What is ready by then is chosen from then, and not before.
    if (to.scheduler && latency > Time{0})
        ns3::Simulator::Schedule(ToNs3(latency), &WatershedSwitch::Ready, this, PortOf(output));
}

void WatershedSwitch::PushOut(int output, const Moment& now) {
    WatershedOutput& to = m_outputs[static_cast<std::size_t>(output)];
    WatershedOutput::Queue& queue = to.queues.front();
    const WatershedStored gone = std::move(queue.back());
    queue.pop_back();
    --m_stored;
    Occupy(PortOf(output), gone, -1);
    m_memory->push_out(gone.Claim());
    TraceOccupancy(now, false);
    Drop(gone.frame, static_cast<std::uint32_t>(gone.input), PortOf(output), SwitchMemory::kPushedOut);
}

void WatershedSwitch::SendOwn(WatershedOutput& to, WatershedOutput::Queue& queue, WatershedFrame frame,
                              const Moment& now) {
    queue.emplace_back(std::move(frame), now);
    SendHead(to, now);
}

void WatershedSwitch::Ready(std::uint32_t port) { SendHead(OutputAt(port), Now()); }

void WatershedSwitch::SendHead(WatershedOutput& to, const Moment& now) {
    if (to.sending) return;
    to.sending = to.Next(now);
    if (!to.sending) return;
    const WatershedStored& head = to.sending->front();
    const Moment begin = std::max(head.ready, now);
    // A frame that follows another at once keeps its fraction of a tick.
    to.device->SendFrame(head.frame, to.device->IsFreeSince(now) ? head.ready : begin, now.time);
    if (m_release == Buffer::Release::End || !head.GivesBack()) return;
    // An uplink sends one frame at a time, so it is free and begins as soon as the frame is ready.
    if (begin.time > now.time)
        ns3::Simulator::Schedule(ToNs3(begin.time - now.time), &WatershedSwitch::ReleaseEarly, this, head.Claim(),
                                 begin);
    else if (begin > now)
        ReleaseEarly(head.Claim(), begin);
    else
        Release(head.Claim(), now);
}

void WatershedSwitch::FrameLeft(std::uint32_t port, const Moment& now) {
    if (!IsOutput(port)) return;
    if (m_eventDriven) return m_eventDriven->Left(port, now);
    if (m_grid.ticks == 1) return Depart(port, now);  // nothing that comes later in this picosecond comes before
    m_batch.Await({now, WatershedHappeningKind::Departure, 0, port, 0, 0, {}, {}}, m_context);
}

void WatershedSwitch::Depart(std::uint32_t port, const Moment& now) {
    WatershedOutput& to = OutputAt(port);
    const WatershedStored sent = std::move(to.sending->front());
    to.sending->pop_front();
    to.sending = nullptr;
    if (!sent.is_own) {
        m_lastActivity = now.time;
        if (!m_dequeue.IsEmpty()) m_dequeue(sent.frame.GetPacket(), static_cast<std::uint32_t>(sent.input));
        Occupy(port, sent, -1);
        if (m_release == Buffer::Release::End && sent.GivesBack()) Release(sent.Claim(), now);
        --m_stored;
    }
    SendHead(to, now);
}

void WatershedSwitch::ReleaseEarly(MemoryClaim claim, Moment now) {
    if (m_grid.ticks == 1) return Release(claim, now);
    m_batch.Await({now, WatershedHappeningKind::Release, 0, 0, 0, 0, {}, claim}, m_context);
}

void WatershedSwitch::Release(MemoryClaim claim, const Moment& now) {
    m_memory->release(claim);
    TraceOccupancy(now, false);
    if (m_pauses) OrderPaused(now);
}

void WatershedSwitch::Occupy(std::uint32_t port, const WatershedStored& stored, int sign) {
    WatershedOutput& to = OutputAt(port);
    to.frames += sign;
    const Bytes bytes{stored.bytes};
    const auto traffic_class = static_cast<std::size_t>(stored.traffic_class);
    to.bytes += bytes * sign;
    to.held[traffic_class] += m_memory->units().cost(bytes) * sign;
    if (!m_portOccupancy.IsEmpty()) m_portOccupancy(port, to.frames, to.bytes.count);
    if (!to.levels.empty()) to.levels[traffic_class]->Change(sign, bytes.count * sign);
}

void WatershedSwitch::TraceOccupancy(const Moment& now, bool grew) {
    m_recovery.occupied(now.time, m_memory->frames(), grew);
    if (!m_occupancy.IsEmpty()) m_occupancy(m_memory->frames(), m_memory->bytes().count);
}

void WatershedSwitch::EventDrivenSends(const WatershedFrame& frame, std::uint32_t input) {
    m_lastActivity = Now();
    if (!m_dequeue.IsEmpty()) m_dequeue(frame.GetPacket(), input);
}

void WatershedSwitch::EventDrivenLost(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                                      const LossCause& cause) {
    m_lastActivity = Now();
    Drop(frame, input, output, cause);
}

void WatershedSwitch::EventDrivenOccupied() {
    if (!m_occupancy.IsEmpty()) m_occupancy(GetMemory().frames(), GetMemory().bytes().count);
}

}  // namespace watershed
