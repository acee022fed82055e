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
    if (m_pauses) Order(claim.input, now);  // others may have taken what was free
    const LossCause* cause = m_memory->refusal(claim);
    if (!cause || *cause == SwitchMemory::kEarlyDrop || !m_pauses || !m_pauses->is_paused(claim.input)) return cause;
    claim.on_headroom = true;
    return m_memory->refusal(claim);
}

std::uint64_t WatershedSwitch::LotOf(const WatershedFrame& frame) const {
    const auto id = frame.Identify();
    return id ? early_drop_lot(*m_earlyDrop, m_settings.seed, *id, m_number)
              : std::uint64_t{m_random->GetInteger(0, UINT32_MAX)} << 32;
}

void WatershedSwitch::Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now,
                            const std::shared_ptr<WatershedStored::Copies>& copies) {
    if (m_stepped) return m_stepped->Offer(input, PortOf(output), frame, m_earlyDrop ? LotOf(frame) : 0, now);
    MemoryClaim claim{static_cast<int>(input), output, Bytes{frame.GetSize() + m_settings.buffer_overhead}};
    if (m_earlyDrop) {
        claim.lot = LotOf(frame);
        if (m_settings.network_switch.buffer.ecn) claim.can_be_marked = CanBeMarked(*frame.GetPacket());
    }
    m_lastActivity = now.time;
    const auto may_lose = [this](int queue) {
        const auto& stored = m_outputs[static_cast<std::size_t>(queue)].stored;
        return stored.size() > 1 && !stored.back().is_own;
    };
    while (const auto queue = m_memory->gives_way(claim, may_lose)) PushOut(*queue, now);
    if (const LossCause* cause = Ask(claim, copies.get(), now)) {
        m_memory->drop(claim, *cause);
        return Drop(frame, input, PortOf(output), *cause);
    }
    if (m_settings.network_switch.buffer.ecn && m_memory->marks(claim)) {
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
    WatershedOutput& to = m_outputs[static_cast<std::size_t>(output)];
    to.stored.push_back({std::move(frame), now + m_settings.network_switch.latency, claim, copies});
    Occupy(PortOf(output), to.stored.back(), +1);
    ++m_stored;
    if (m_pauses) Order(claim.input, now);
    SendHead(to, now);
}

void WatershedSwitch::PushOut(int output, const Moment& now) {
    WatershedOutput& to = m_outputs[static_cast<std::size_t>(output)];
    const WatershedStored gone = std::move(to.stored.back());
    to.stored.pop_back();
    --m_stored;
    Occupy(PortOf(output), gone, -1);
    m_memory->push_out(gone.claim);
    TraceOccupancy(now, false);
    Drop(gone.frame, static_cast<std::uint32_t>(gone.claim.input), PortOf(output), SwitchMemory::kPushedOut);
}

void WatershedSwitch::SendOwn(std::uint32_t port, WatershedFrame frame, bool first, const Moment& now) {
    WatershedOutput& to = OutputAt(port);
    WatershedStored own{std::move(frame), now, {}, nullptr, true};
    if (first)
        to.stored.insert(to.stored.begin() + (to.sending ? 1 : 0), std::move(own));
    else
        to.stored.push_back(std::move(own));
    SendHead(to, now);
}

void WatershedSwitch::SendHead(WatershedOutput& to, const Moment& now) {
    if (to.sending || to.stored.empty()) return;
    const WatershedStored& head = to.stored.front();
    if (!head.is_own && !to.gate.is_open(now.time)) return;
    to.sending = true;
    const Moment begin = std::max(head.ready, now);
    // A frame that follows another at once keeps its fraction of a tick.
    to.device->SendFrame(head.frame, to.device->IsFreeSince(now) ? head.ready : begin, now.time);
    if (m_release == Buffer::Release::End || !head.GivesBack()) return;
    // An uplink sends one frame at a time, so it is free and begins as soon as the frame is ready.
    if (begin.time > now.time)
        ns3::Simulator::Schedule(ToNs3(begin.time - now.time), &WatershedSwitch::ReleaseEarly, this, head.claim, begin);
    else if (begin > now)
        ReleaseEarly(head.claim, begin);
    else
        Release(head.claim, now);
}

void WatershedSwitch::FrameLeft(std::uint32_t port, const Moment& now) {
    if (!IsOutput(port)) return;
    if (m_stepped) return m_stepped->Left(port, now);
    if (m_grid.ticks == 1) return Depart(port, now);  // nothing that comes later in this picosecond comes before
    m_batch.Await({now, WatershedHappeningKind::Departure, 0, port, 0, 0, {}, {}}, m_context);
}

void WatershedSwitch::Depart(std::uint32_t port, const Moment& now) {
    WatershedOutput& to = OutputAt(port);
    const WatershedStored sent = std::move(to.stored.front());
    to.stored.pop_front();
    to.sending = false;
    if (!sent.is_own) {
        m_lastActivity = now.time;
        if (!m_dequeue.IsEmpty()) m_dequeue(sent.frame.GetPacket(), static_cast<std::uint32_t>(sent.claim.input));
        Occupy(port, sent, -1);
        if (m_release == Buffer::Release::End && sent.GivesBack()) Release(sent.claim, now);
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
    to.bytes += stored.claim.buffer * sign;
    if (!m_portOccupancy.IsEmpty()) m_portOccupancy(port, to.frames, to.bytes.count);
}

void WatershedSwitch::TraceOccupancy(const Moment& now, bool grew) {
    m_recovery.occupied(now.time, m_memory->frames(), grew);
    if (!m_occupancy.IsEmpty()) m_occupancy(m_memory->frames(), m_memory->bytes().count);
}

void WatershedSwitch::SteppedSends(const WatershedFrame& frame, std::uint32_t input) {
    m_lastActivity = Now();
    if (!m_dequeue.IsEmpty()) m_dequeue(frame.GetPacket(), input);
}

void WatershedSwitch::SteppedLost(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                                  const LossCause& cause) {
    m_lastActivity = Now();
    Drop(frame, input, output, cause);
}

void WatershedSwitch::SteppedOccupied() {
    if (!m_occupancy.IsEmpty()) m_occupancy(GetMemory().frames(), GetMemory().bytes().count);
}

}  // namespace watershed
