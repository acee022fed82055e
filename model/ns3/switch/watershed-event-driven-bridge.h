// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/abort.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/switch/switch-control.h"

namespace watershed {

/// Inside of a switch whose frames may wait in input FIFOs, for a fabric or behind each other, for a shaper or a
/// gate, or cut through. SwitchControl decides; this brings it frames, and the order of one instant. All ports of a
/// bridge have one rate.
class WatershedEventDrivenBridge : public WatershedSwitchInside, private SwitchSurroundings {
  public:
    /// @param network_switch  uplinks are the ports
    WatershedEventDrivenBridge(WatershedSwitchImpl& of, const Switch& network_switch)
        : WatershedEventDrivenBridge(of, network_switch, PlaceOf(of), {of.m_settings.seed}) {}

    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Timestamp& end,
                     const Timestamp& now) override {
        const int input = static_cast<int>(port);
        const auto header = m_control.header_at(input, now);
        if (!header || *header >= end) return;
        const std::uint64_t rank = m_switch.RankOf(port, m_switch.IdOf(frame), *header);
        m_instant->DoAt(*header, At(Step::Arrival, input, rank), [this, port, frame, end](const Timestamp& then) {
            const auto output = m_switch.OnlyOutputOf(port, frame);
            if (!output) return;
            m_control.header_in(Keep(port, static_cast<int>(*output), frame), then, end);
        });
    }
    void FrameArrived(std::uint32_t port, const std::optional<FrameId>&, std::uint64_t rank, WatershedFrame&& frame,
                      const Timestamp& now) override {
        m_instant->DoAt(now, At(Step::Arrival, static_cast<int>(port), rank),
                        [this, port, frame = std::move(frame)](const Timestamp& then) mutable {
                            m_switch.Decide(port, 0, std::move(frame), then);
                        });
    }
    void Offer(std::uint32_t input, int output, WatershedFrame&& frame, const Timestamp& now,
               const ns3::Ptr<WatershedStored::Copies>&) override {
        SwitchedFrame& switched = Keep(input, output, frame);
        m_switch.SetEarly(switched.claim, frame);
        m_switch.SetFirst(switched.claim, frame, now.time);
        m_control.frame_in(switched, now);
    }
    void SendOwn(std::uint32_t, const WatershedFrame&, const Timestamp&) override {
        NS_ABORT_MSG(
            "WatershedSwitch: what its own node sends conflicts with Queueing, InputFifo, FabricRate, CutThrough, "
            "ClassRates, Gates and Dram");
    }
    void FrameLeft(std::uint32_t port, const WatershedFrame&, const Timestamp& now) override {
        WatershedEventDrivenBridge::later(now, Step::UplinkDone, static_cast<int>(port - m_switch.PortOf(0)));
    }
    void Pause(std::uint32_t port, std::optional<int> traffic_class, const Timestamp& now, Time length) override {
        const int output = static_cast<int>(port - m_switch.PortOf(0));
        m_instant->DoAt(now, At(Step::Pause, output), [this, output, traffic_class, length](const Timestamp& then) {
            m_control.pause(output, then + length, traffic_class, then);
        });
    }
    bool TakesAttributes() const override { return false; }
    const SwitchMemory& GetMemory() const override { return m_control.memory(); }

  protected:
    /// @param senders  of the frames that it sees
    WatershedEventDrivenBridge(WatershedSwitchImpl& of, const Switch& network_switch, const SwitchPlace& place,
                               const SwitchSenders& senders, TimeGrid grid = {})
        : WatershedSwitchInside(of, network_switch.buffer),
          m_control(network_switch, place, senders, grid, static_cast<SwitchSurroundings&>(*this)) {}

    SameTimeOrder At(Step step, int index, std::uint64_t rank = 0) const {
        return {step, m_switch.m_number, rank, index};
    }
    /// Keeps the frame until it is gone. @param output  absent: for the control to choose
    SwitchedFrame& Keep(std::uint32_t input, std::optional<int> output, const WatershedFrame& frame) {
        const int to = output.value_or(0);
        const Bytes size{frame.GetSize() + m_switch.m_settings.buffer_overhead};
        const Bytes wire = m_switch.m_outputs[static_cast<std::size_t>(to)].device->WireSize(frame);
        if (m_free.empty()) m_free.push_back(&m_frames.emplace_back());
        Kept& kept = *m_free.back();
        m_free.pop_back();
        kept = {{{}, {static_cast<int>(input), to, size}, wire}, frame};
        kept.has_output = output.has_value();
        kept.claim.traffic_class = frame.GetClass();
        return kept;
    }

    SwitchControl<> m_control;
    ns3::Ptr<WatershedInstant> m_instant = ns3::Create<WatershedInstant>();

  private:
    /// A frame where the control finds it.
    struct Kept : SwitchedFrame {
        mutable WatershedFrame frame;  ///< empty once it is sent
    };

    /// All ports are inputs and outputs.
    static SwitchPlace PlaceOf(const WatershedSwitchImpl& of) {
        SwitchPlace place;
        place.inputs.assign(of.Inputs(), {of.m_inputs.front()->GetRate(), {0}});
        place.uplinks.assign(of.Inputs(), of.m_inputs.front()->GetRate());
        return place;
    }

    void later(const Timestamp& time, Step step, int index) override {
        m_instant->DoAt(time, At(step, index),
                        [this, step, index](const Timestamp& now) { m_control.step(step, index, now); });
    }
    void sends(int output, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) override {
        const WatershedFrame taken = std::move(static_cast<const Kept&>(frame).frame);
        m_lastActivity = Now();
        if (!m_switch.m_dequeue.IsEmpty())
            m_switch.m_dequeue(taken.GetPacket(), static_cast<std::uint32_t>(frame.claim.input));
        m_switch.m_outputs[static_cast<std::size_t>(output)].device->Carry(taken, begin, done, m_lastActivity);
    }
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp&) override {
        m_lastActivity = Now();
        const int output = frame.claim.output;
        m_switch.Drop(static_cast<const Kept&>(frame).frame, static_cast<std::uint32_t>(frame.claim.input),
                      output == BuilderUplinks::kNone ? WatershedSwitch::kNoPort : m_switch.PortOf(output), cause);
    }
    void gone(SwitchedFrame& frame) override {
        auto& kept = static_cast<Kept&>(frame);
        kept.frame = {};
        m_free.push_back(&kept);
    }
    void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) override {
        const auto port = static_cast<std::uint32_t>(sender.input);
        const auto order = m_switch.MakeOrder(port, quanta, sender.traffic_class.value_or(kCameraClass));
        m_switch.m_inputs[port]->SendFrame(order, now, now.time);
    }
    void occupied(const Timestamp&) override {
        if (!m_switch.m_occupancy.IsEmpty()) m_switch.m_occupancy(GetMemory().frames(), GetMemory().bytes().count);
    }

    std::deque<Kept> m_frames;  ///< places of frames, which do not move
    std::vector<Kept*> m_free;  ///< places that are empty
};

}  // namespace watershed
