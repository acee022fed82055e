// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/switch/watershed-batch.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/switch/pause-control.h"

namespace watershed {

/// Inside of a store-and-forward switch with a queue at each output. A frame asks for memory when its last bit has
/// arrived and gives it back when its last bit has left.
///
/// The order of what happens at one instant, for which the sequence of ns-3's events at that instant would be an
/// accident: departures first, then arrivals by ArrivalRank and by input. An arriving frame is put into a batch, and
/// the first of the batch schedules the one event that decides on all of them, for now. On a grid finer than ns-3's
/// picosecond departures are put there too, because arrivals of the same picosecond may come before them. ns-3 runs
/// events of the same time in the order in which they were scheduled, and everything else that the switch does at this
/// instant was scheduled earlier:
/// - every frame lasts at least a picosecond on its link, so a departure (here or at a front end) is scheduled at an
/// earlier time, when its frame began to be sent or found the link idle; a latency only moves it further ahead.
/// Departures that share an event (WatershedDepartures) are joined to one that is scheduled no later;
/// - an arrival is part of the departure event at the other end, or on a cable with delay an event scheduled then;
/// - a trigger at this instant only fills the FIFOs of the front ends, which compare times; what it sends arrives
/// later, and the frames of one fragment one after the other, each in a batch of its own time.
/// So the batch runs after all departures and holds all arrivals. What it admits departs at a later time.
class WatershedSwitchQueues : public WatershedSwitchInside {
  public:
    /// @param buffer  whose memory this is
    WatershedSwitchQueues(WatershedSwitchImpl& of, std::unique_ptr<SwitchMemory> memory, const Buffer& buffer)
        : WatershedSwitchInside(of, buffer), m_memory(std::move(memory)), m_release(buffer.release) {}
    /// Senders are told to pause. First give the switch its ports.
    void MakePauses(const FlowControl& flow_control);

    void FrameArrived(std::uint32_t port, const std::optional<FrameId>& id, std::uint64_t rank, WatershedFrame&& frame,
                      const Timestamp& now) override;
    void Offer(std::uint32_t input, int output, WatershedFrame&& frame, const Timestamp& now,
               const ns3::Ptr<WatershedStored::Copies>& copies) override;
    void SendOwn(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) override;
    void FrameLeft(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) override;
    void Pause(std::uint32_t port, std::optional<int> traffic_class, const Timestamp& now, Time length) override;
    void LinkChanged(std::uint32_t port, const Timestamp& now) override;
    void SendLate() override { m_sendsLate = true; }
    bool TakesAttributes() const override { return true; }
    const SwitchMemory& GetMemory() const override { return *m_memory; }
    const PauseControl* GetPauseControl() const override { return m_pauses ? &*m_pauses : nullptr; }

  private:
    static constexpr ns3::LogComponent& g_log = WatershedSwitchImpl::g_log;
    void Carry(WatershedHappening& happening);
    /// Returns true for a frame of the network's own, which takes no memory.
    bool IsControl(const WatershedFrame& frame) const {
        return m_switch.m_controlClass < kTrafficClasses &&
               static_cast<std::uint32_t>(frame.GetClass()) >= m_switch.m_controlClass;
    }
    /// Random early detection at an output wants the frame.
    bool IsEarlyAt(const WatershedOutput& to, const MemoryClaim& claim) const;
    /// Marks congestion in the first frame of a queue, which leaves, if what waits behind it says so.
    void MarkLeaving(const WatershedOutput& to, WatershedStored& head);
    /// Why the claim is refused, or null. May turn it into one on headroom.
    const LossCause* Ask(MemoryClaim& claim, const WatershedStored::Copies* copies, const Timestamp& now);
    /// The memory refuses a frame, whose header goes on if the switch trims.
    void Refuse(std::uint32_t input, int output, const WatershedFrame& frame, const Timestamp& now, bool is_alone,
                const LossCause& cause);
    /// Pushes out what a policy that evicts gives up for this claim.
    void MakeRoom(const MemoryClaim& claim, const Timestamp& now);
    /// Drops the last frame of a queue for one that arrives.
    void PushOut(int output, const Timestamp& now);
    /// Drops what waits in a queue, but for the frame that is being sent.
    void LoseWaiting(WatershedOutput& to, WatershedOutput::Queue& queue, const Timestamp& now);
    /// Sends a frame that takes no memory.
    void SendFree(WatershedOutput& to, WatershedOutput::Queue& queue, WatershedFrame&& frame, const Timestamp& now);
    /// A frame that waits for this port may leave, perhaps.
    void Ready(std::uint32_t port);
    void SendHead(WatershedOutput& to, const Timestamp& now) {
        if (to.sending) return;
        to.sending = to.Next(now);
        if (to.sending) BeginToSend(to, now);
    }
    void BeginToSend(WatershedOutput& to, const Timestamp& now);
    bool SendsLate(const WatershedOutput& to) const;
    void BeginLate(WatershedOutput& to, const Timestamp& ready);
    /// Takes out the frames that have left by now, of outputs that send late, in order.
    void CatchUp(const Timestamp& now);
    /// When what waits at this output will have left, or about then; there is no hurry.
    void ScheduleWake(const WatershedOutput& to, Time began);
    void Wake();
    void Depart(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now);
    /// Seeks a deadlock in a loop of switches: frames that waited for this one may now wait for ever.
    void DepartInLoop(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now);
    void ReleaseEarly(MemoryClaim claim, Timestamp now);
    void Release(const MemoryClaim& claim, const Timestamp& now);
    void Occupy(WatershedOutput& to, std::uint32_t port, const WatershedStored& stored, int sign);
    void TraceOccupancy(const Timestamp& now, bool grew) {
        m_recovery.occupied(now.time, m_memory->frames(), grew);
        if (!m_switch.m_occupancy.IsEmpty()) m_switch.m_occupancy(m_memory->frames(), m_memory->bytes().count);
    }

    // Flow control
    /// Who sent the frame of this claim, among those that can be told to pause, or kNobody.
    int SenderOf(const MemoryClaim& claim) const {
        return m_senders[static_cast<std::size_t>(claim.input * kTrafficClasses + claim.traffic_class)];
    }
    /// Tells a sender to pause or to go on, if the memory stands so.
    void Order(int sender, const Timestamp& now);
    void OrderPaused(const Timestamp& now);
    void Tell(int sender, std::int64_t quanta, const Timestamp& now);
    /// Nothing by a cable that has failed.
    void SendOrder(int sender, std::int64_t quanta, const Timestamp& now);
    void Renew(int sender, Timestamp at);

    std::unique_ptr<SwitchMemory> m_memory;
    Buffer::Release m_release;
    std::int64_t m_stored = 0;  ///< frames that have yet to leave
    std::optional<PauseControl> m_pauses;
    bool m_sendsLate = false;
    Timestamp m_departs{Time::max()};  ///< time at which the next of the frames that leave late leaves
    bool m_isWoken = false;            ///< later
    WatershedTimer<WatershedSwitchQueues, &WatershedSwitchQueues::Wake> m_wake{this};
    static constexpr int kNobody = -1;
    std::vector<int> m_senders;  ///< senders of `m_pauses`, by input and class
    std::set<int> m_paused;      ///< senders that are paused
    WatershedBatch<WatershedSwitchQueues, &WatershedSwitchQueues::Carry> m_batch{this};
};

}  // namespace watershed
