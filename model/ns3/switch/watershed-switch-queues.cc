// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-queues.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-telemetry-tag.h"
#include "model/ns3/switch/watershed-switch.h"
#include "model/switch/switch-control.h"
#include "model/switch/switch-memory.h"

namespace watershed {

void WatershedSwitchQueues::FrameArrived(std::uint32_t port, const std::optional<FrameId>& id, std::uint64_t rank,
                                         WatershedFrame&& frame, const Timestamp& now) {
    m_batch.Await({now, WatershedHappeningKind::Arrival, port, rank, id ? id->event : 0,
                   id ? id->module : static_cast<int>(port) + 1, std::move(frame)},
                  m_switch.m_context);
}

void WatershedSwitchQueues::Carry(WatershedHappening& happening) {
    const Timestamp now = happening.moment;
    if (m_departs <= now) CatchUp(now);
    if (happening.what == WatershedHappeningKind::Departure) return Depart(happening.port, happening.frame, now);
    if (happening.what == WatershedHappeningKind::Release) return Release(*happening.claim, now);
    if (happening.event != 0) m_sequence.deciding(happening.event, m_stored == 0);
    m_switch.Decide(happening.port, happening.module, std::move(happening.frame), now);
}

const LossCause* WatershedSwitchQueues::Ask(MemoryClaim& claim, const WatershedStored::Copies* copies,
                                            const Timestamp& now) {
    if (copies && copies->claim) {  // there is room for it already
        const LossCause* cause = m_memory->refusal(claim);
        return cause && (*cause == SwitchMemory::kBufferFull || *cause == SwitchMemory::kDescriptors) ? nullptr : cause;
    }
    if (!m_pauses) return m_memory->refusal(claim);
    const int sender = SenderOf(claim);
    Order(sender, now);  // others may have taken what was free
    const LossCause* cause = m_memory->refusal(claim);
    if (!cause || *cause == SwitchMemory::kEarlyDrop || sender == kNobody || !m_pauses->opens_headroom(sender))
        return cause;
    claim.on_headroom = true;
    return m_memory->refusal(claim);
}

bool WatershedSwitchQueues::IsEarlyAt(const WatershedOutput& to, const MemoryClaim& claim) const {
    const auto traffic_class = static_cast<std::size_t>(claim.traffic_class);
    return to.early && !claim.is_exempt && (*to.early)[traffic_class].chooses(to.held[traffic_class], claim.lot);
}

void WatershedSwitchQueues::Offer(std::uint32_t input, int output, WatershedFrame&& frame, const Timestamp& now,
                                  const ns3::Ptr<WatershedStored::Copies>& copies) {
    WatershedOutput& to = m_switch.m_outputs[static_cast<std::size_t>(output)];
    if (IsControl(frame)) return SendFree(to, to.control, std::move(frame), now);
    const std::uint32_t port = m_switch.PortOf(output);
    MemoryClaim claim{static_cast<int>(input), output, Bytes{frame.GetSize() + m_switch.m_settings.buffer_overhead}};
    if (to.scheduler) claim.traffic_class = frame.GetClass();
    const Switch& settings = m_switch.m_settings.network_switch;
    if (m_switch.m_earlyDrop) {
        m_switch.SetEarly(claim, frame);
        if (settings.buffer.ecn) claim.can_be_marked = CanBeMarked(frame.GetBytes());
    }
    if (!copies || !copies->claim) m_switch.SetFirst(claim, frame, now.time);
    m_lastActivity = now.time;
    if (settings.buffer.sharing->evicts) MakeRoom(claim, now);
    if (const LossCause* cause = Ask(claim, ns3::PeekPointer(copies), now)) {
        m_ties.lost(*cause, now, output);
        m_memory->drop(claim, *cause);
        return Refuse(input, output, frame, now, !copies, *cause);
    }
    if (to.early || settings.buffer.ecn) {
        const bool is_early = IsEarlyAt(to, claim), can_be_marked = settings.buffer.ecn && claim.can_be_marked;
        if (is_early && !can_be_marked) return Refuse(input, output, frame, now, !copies, SwitchMemory::kEarlyDrop);
        if (can_be_marked && !m_switch.m_marksLeaving && (is_early || m_memory->marks(claim))) {
            frame = MarkCongestion(*frame.GetPacket());
            m_switch.TraceMark(frame, input, port);
        }
    }
    if (!m_switch.m_enqueue.IsEmpty()) m_switch.m_enqueue(frame.GetPacket(), input);
    if (!copies || !copies->claim) {
        m_memory->take(claim);
        m_ties.taken(now, output);
        TraceOccupancy(now, true);
    }
    if (copies) {
        if (!copies->claim) copies->claim = claim;
        claim = *copies->claim;
        ++copies->left;
    }
    const Time latency = settings.latency;
    auto& queue = to.queues[static_cast<std::size_t>(claim.traffic_class)];
    queue.emplace_back(std::move(frame), now + latency, claim, copies);
    Occupy(to, port, queue.back(), +1);
    ++m_stored;
    if (m_pauses) Order(SenderOf(claim), now);
    SendHead(to, now);
    // A class is chosen when the output is ready, from the frames that are there then.
    if (to.scheduler && latency > Time{0})
        ns3::Simulator::Schedule(ToNs3(latency), &WatershedSwitchQueues::Ready, this, port);
}

void WatershedSwitchQueues::Refuse(std::uint32_t input, int output, const WatershedFrame& frame, const Timestamp& now,
                                   bool is_alone, const LossCause& cause) {
    const std::uint32_t port = m_switch.PortOf(output), size = m_switch.m_trim;
    if (size == 0 || !is_alone || frame.GetSize() <= size || !IsDatagram(frame.GetBytes()))
        return m_switch.Drop(frame, input, port, cause);
    const auto header = TrimToHeader(*frame.GetPacket(), size, m_switch.m_trimTos);
    NS_LOG_LOGIC("node " << m_switch.m_context << " trims a frame from port " << input << " for port " << port << ": "
                         << cause.reason);
    m_switch.m_trimmed(header, input, port);
    Offer(input, output, header, now, nullptr);
}

void WatershedSwitchQueues::MarkLeaving(const WatershedOutput& to, WatershedStored& head) {
    MemoryClaim claim = head.Claim();
    if (!to.early || head.is_own || !CanBeMarked(head.frame.GetBytes())) return;
    m_switch.SetEarly(claim, head.frame);
    const auto traffic_class = static_cast<std::size_t>(claim.traffic_class);
    const std::int64_t behind = to.held[traffic_class] - m_memory->units().cost(claim.buffer);
    if (!(*to.early)[traffic_class].chooses(behind, claim.lot)) return;
    head.frame = MarkCongestion(*head.frame.GetPacket());
    m_switch.TraceMark(head.frame, static_cast<std::uint32_t>(head.input), to.device->GetPort());
}

void WatershedSwitchQueues::MakeRoom(const MemoryClaim& claim, const Timestamp& now) {
    const QueueAccounts::MayLose may_lose = [this](int queue) {
        const auto& stored = m_switch.m_outputs[static_cast<std::size_t>(queue)].queues.front();
        return stored.size() > 1 && !stored.back().is_own;
    };
    while (const auto queue = m_memory->victim(claim, may_lose)) PushOut(*queue, now);
}

void WatershedSwitchQueues::PushOut(int output, const Timestamp& now) {
    NS_LOG_FUNCTION(this << output);
    WatershedOutput& to = m_switch.m_outputs[static_cast<std::size_t>(output)];
    WatershedOutput::Queue& queue = to.queues.front();
    const WatershedStored gone = std::move(queue.back());
    queue.pop_back();
    --m_stored;
    const std::uint32_t port = m_switch.PortOf(output);
    Occupy(to, port, gone, -1);
    m_memory->push_out(gone.Claim());
    TraceOccupancy(now, false);
    m_switch.Drop(gone.frame, static_cast<std::uint32_t>(gone.input), port, SwitchMemory::kPushedOut);
}

void WatershedSwitchQueues::LoseWaiting(WatershedOutput& to, WatershedOutput::Queue& queue, const Timestamp& now) {
    NS_LOG_FUNCTION(this);
    const std::uint32_t port = to.device->GetPort();
    while (queue.size() > (to.sending == &queue ? 1 : 0)) {
        const WatershedStored gone = std::move(queue.back());
        queue.pop_back();
        const auto input = gone.is_own ? WatershedSwitch::kNoPort : static_cast<std::uint32_t>(gone.input);
        m_switch.Drop(gone.frame, input, port, SwitchControl<>::kLinkDown);
        if (gone.is_own) continue;
        m_lastActivity = now.time;
        --m_stored;
        Occupy(to, port, gone, -1);
        if (gone.GivesBack()) Release(gone.Claim(), now);
    }
}

void WatershedSwitchQueues::SendFree(WatershedOutput& to, WatershedOutput::Queue& queue, WatershedFrame&& frame,
                                     const Timestamp& now) {
    queue.emplace_back(std::move(frame), now);
    SendHead(to, now);
}

void WatershedSwitchQueues::SendOwn(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) {
    WatershedOutput& to = m_switch.OutputAt(port);
    SendFree(to, to.queues[static_cast<std::size_t>(m_switch.HasClasses() ? frame.GetClass() : 0)],
             WatershedFrame(frame), now);
}

void WatershedSwitchQueues::Ready(std::uint32_t port) {
    CatchUp(Now());
    SendHead(m_switch.OutputAt(port), Now());
}

void WatershedSwitchQueues::BeginToSend(WatershedOutput& to, const Timestamp& now) {
    WatershedStored& head = to.sending->front();
    const Timestamp begin = std::max(head.ready, now);
    // A frame that follows another at once keeps its fraction of a tick.
    if (m_switch.m_marksLeaving) MarkLeaving(to, head);
    WatershedNetDeviceImpl& device = *ns3::PeekPointer(to.device);
    const Timestamp ready = device.IsFreeSince(now) ? head.ready : begin;
    if (m_switch.m_reports && !head.is_own)
        head.frame =
            WithReport(head.frame, {begin.time, device.GetWireSent(), to.bytes - Bytes{head.bytes}, device.GetRate()});
    if (m_sendsLate && !to.sends_late) to.sends_late = SendsLate(to);
    if (m_sendsLate && *to.sends_late) return BeginLate(to, ready);
    device.SendFrame(std::move(head.frame), ready, now.time);
    if (m_release == Buffer::Release::End || !head.GivesBack()) return;
    // An uplink sends one frame at a time, so it is free and begins as soon as the frame is ready.
    if (begin.time > now.time)
        ns3::Simulator::Schedule(ToNs3(begin.time - now.time), &WatershedSwitchQueues::ReleaseEarly, this, head.Claim(),
                                 begin);
    else if (begin > now)
        ReleaseEarly(head.Claim(), begin);
    else
        Release(head.Claim(), now);
}

bool WatershedSwitchQueues::SendsLate(const WatershedOutput& to) const {
    return m_switch.m_grid.ticks == 1 && m_release == Buffer::Release::End && !m_pauses && !m_switch.m_learns &&
           m_switch.m_dequeue.IsEmpty() && m_switch.m_occupancy.IsEmpty() && m_switch.m_portOccupancy.IsEmpty() &&
           to.device->IsUnwatched();
}

void WatershedSwitchQueues::BeginLate(WatershedOutput& to, const Timestamp& ready) {
    to.departs = ns3::PeekPointer(to.device)->Book(to.sending->front().frame, ready);
    m_departs = std::min(m_departs, to.departs);
    if (!m_isWoken) ScheduleWake(to, ready.time);
}

void WatershedSwitchQueues::ScheduleWake(const WatershedOutput& to, Time began) {
    m_isWoken = true;
    m_wake.Schedule(m_switch.m_context, to.departs.time + (to.departs.time - began) * (to.frames - 1) - Now());
}

void WatershedSwitchQueues::CatchUp(const Timestamp& now) {
    const auto earlier = [](const WatershedOutput& a, const WatershedOutput& b) { return a.departs < b.departs; };
    while (m_departs <= now) {
        auto& outputs = m_switch.m_outputs;
        WatershedOutput& to = *std::min_element(outputs.begin(), outputs.end(), earlier);
        const Timestamp left = std::exchange(to.departs, Time::max());
        WatershedFrame frame = std::move(to.sending->front().frame);
        Depart(m_switch.PortOf(static_cast<int>(&to - outputs.data())), frame, left);
        ns3::PeekPointer(to.device)->HandOver(std::move(frame), left);
        m_departs = std::min_element(outputs.begin(), outputs.end(), earlier)->departs;
    }
}

void WatershedSwitchQueues::Wake() {
    const Time now = Now();
    CatchUp(now);
    m_isWoken = false;
    for (const WatershedOutput& each : m_switch.m_outputs)
        if (each.departs > Timestamp(now) && !m_isWoken && each.departs.time != Time::max()) ScheduleWake(each, now);
}

void WatershedSwitchQueues::FrameLeft(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) {
    CatchUp(now);
    // Nothing that comes later in this picosecond comes before.
    if (m_switch.m_isInLoop) return DepartInLoop(port, frame, now);
    if (m_switch.m_grid.ticks == 1) return Depart(port, frame, now);
    m_batch.Await({now, WatershedHappeningKind::Departure, port, 0, 0, 0, frame}, m_switch.m_context);
}

void WatershedSwitchQueues::Depart(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) {
    WatershedOutput& to = m_switch.OutputAt(port);
    const WatershedStored& sent = to.sending->front();
    if (!sent.is_own) {
        m_lastActivity = now.time;
        if (!m_switch.m_dequeue.IsEmpty())
            m_switch.m_dequeue(frame.GetPacket(), static_cast<std::uint32_t>(sent.input));
        Occupy(to, port, sent, -1);
        if (m_release == Buffer::Release::End && sent.GivesBack()) Release(sent.Claim(), now);
        --m_stored;
    }
    to.sending->pop_front();
    to.sending = nullptr;
    SendHead(to, now);
}

void WatershedSwitchQueues::DepartInLoop(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) {
    const WatershedStored& sent = m_switch.OutputAt(port).sending->front();
    const auto input = static_cast<std::uint32_t>(sent.input);
    const int traffic_class = sent.traffic_class;
    const bool is_own = sent.is_own;
    Depart(port, frame, now);
    if (!is_own) m_switch.SeekDeadlockOf(input, traffic_class);
}

void WatershedSwitchQueues::ReleaseEarly(MemoryClaim claim, Timestamp now) {
    if (m_switch.m_grid.ticks == 1) return Release(claim, now);
    m_batch.Await({now, WatershedHappeningKind::Release, 0, 0, 0, 0, {}, std::make_unique<MemoryClaim>(claim)},
                  m_switch.m_context);
}

void WatershedSwitchQueues::Release(const MemoryClaim& claim, const Timestamp& now) {
    m_memory->release(claim);
    TraceOccupancy(now, false);
    if (m_pauses) OrderPaused(now);
}

void WatershedSwitchQueues::Occupy(WatershedOutput& to, std::uint32_t port, const WatershedStored& stored, int sign) {
    to.frames += sign;
    const Bytes bytes{stored.bytes};
    const auto traffic_class = static_cast<std::size_t>(stored.traffic_class);
    to.bytes += bytes * sign;
    to.held[traffic_class] += m_memory->units().cost(bytes) * sign;
    if (!m_switch.m_portOccupancy.IsEmpty()) m_switch.m_portOccupancy(port, to.frames, to.bytes.count);
    if (!to.levels.empty()) to.levels[traffic_class]->Change(sign, bytes.count * sign);
}

}  // namespace watershed
