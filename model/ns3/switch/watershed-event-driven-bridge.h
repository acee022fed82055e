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
#include "model/ns3/switch/watershed-switch-inside.h"
#include "model/ns3/switch/watershed-switch.h"
#include "model/switch/switch-control.h"

namespace watershed {

/// Inside of a switch whose frames may wait in input FIFOs, for a fabric or behind each other, for a shaper or a
/// gate, or cut through. SwitchControl decides; this brings it frames, and the order of one instant. All ports of a
/// bridge have one rate.
class WatershedEventDrivenBridge : public WatershedSwitchInside, private SwitchSurroundings {
  public:
    /// @param network_switch  uplinks are the ports
    WatershedEventDrivenBridge(WatershedSwitchPorts& of, const Switch& network_switch)
        : WatershedEventDrivenBridge(of, network_switch, PlaceOf(of.m_inputs),
                                     SendersOf(of.m_inputs.size(), of.m_settings.seed), TimeGrid{},
                                     ns3::Create<WatershedInstant>()) {}
    const SwitchControl<>& GetControl() const { return m_control; }

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
        WatershedEventDrivenBridge::later(now, Step::UplinkDone, OutputOf(port));
    }
    void Pause(std::uint32_t port, std::optional<int> traffic_class, const Timestamp& now,
               const Timestamp& until) override {
        const int output = OutputOf(port);
        m_instant->DoAt(now, At(Step::Pause, output), [this, output, traffic_class, until](const Timestamp& then) {
            m_control.pause(output, until, traffic_class, then);
        });
    }
    bool TakesAttributes() const override { return false; }
    const SwitchMemory& GetMemory() const override { return m_control.memory(); }

  protected:
    /// @param senders  of the frames that it sees @param instant  shared with what is around it
    WatershedEventDrivenBridge(WatershedSwitchPorts& of, const Switch& network_switch, const SwitchPlace& place,
                               const SwitchSenders& senders, TimeGrid grid, ns3::Ptr<WatershedInstant> instant)
        : WatershedSwitchInside(of, network_switch.buffer),
          m_control(network_switch, place, senders, grid, static_cast<SwitchSurroundings&>(*this)),
          m_instant(instant),
          m_number(place.number) {}

    std::uint32_t Inputs() const { return m_switch.Inputs(); }
    WatershedInstant::Place At(Step step, int index, std::uint64_t rank = 0) const {
        return {step, m_number, rank, index};
    }
    /// Keeps the frame until it is gone. @param output  absent: for the control to choose
    SwitchedFrame& Keep(std::uint32_t input, std::optional<int> output, const WatershedFrame& frame) {
        if (m_free.empty()) {
            m_free.push_back(m_frames.size());
            m_frames.emplace_back();
        }
        const std::uint64_t handle = m_free.back();
        m_free.pop_back();
        Kept& kept = m_frames[handle];
        kept = {frame, {}};
        SwitchedFrame& switched = kept.switched;
        const auto at = static_cast<std::size_t>(output.value_or(0));
        switched.claim.input = static_cast<int>(input);
        switched.claim.output = output.value_or(0);
        switched.claim.buffer = Bytes{frame.GetSize() + m_switch.m_settings.buffer_overhead};
        switched.claim.traffic_class = frame.GetClass();
        switched.wire = ns3::PeekPointer(m_switch.m_outputs[at].device)->WireSize(frame);
        switched.has_output = output.has_value();
        switched.handle = handle;
        return switched;
    }

    SwitchControl<> m_control;
    ns3::Ptr<WatershedInstant> m_instant;

  private:
    static SwitchSenders SendersOf(std::size_t ports, std::uint64_t seed) {
        SwitchSenders senders{seed};
        senders.addresses.modules = static_cast<int>(ports);
        return senders;
    }
    /// All ports are inputs and outputs.
    static SwitchPlace PlaceOf(const std::vector<ns3::Ptr<WatershedNetDeviceImpl>>& ports) {
        SwitchPlace place;
        place.inputs.assign(ports.size(), {ports.front()->GetRate(), {0}});
        place.uplinks.assign(ports.size(), ports.front()->GetRate());
        return place;
    }

    void later(const Timestamp& time, Step step, int index) override {
        m_instant->DoAt(time, At(step, index),
                        [this, step, index](const Timestamp& now) { m_control.step(step, index, now); });
    }
    void sends(int output, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) override {
        const WatershedFrame taken = Take(frame);
        m_lastActivity = Now();
        if (!m_switch.m_dequeue.IsEmpty())
            m_switch.m_dequeue(taken.GetPacket(), static_cast<std::uint32_t>(frame.claim.input));
        m_switch.m_outputs[static_cast<std::size_t>(output)].device->Carry(taken, begin, done, m_lastActivity);
    }
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp&) override {
        m_lastActivity = Now();
        const int output = frame.claim.output;
        m_switch.Drop(Take(frame), static_cast<std::uint32_t>(frame.claim.input),
                      output == BuilderUplinks::kNone ? WatershedSwitch::kNoPort : m_switch.PortOf(output), cause);
    }
    void gone(SwitchedFrame& frame) override {
        m_free.push_back(frame.handle);
        m_frames[frame.handle].frame = {};
    }
    void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) override {
        const auto& device = m_switch.m_inputs[static_cast<std::size_t>(sender.input)];
        const auto number = static_cast<std::uint16_t>(quanta);
        const int traffic_class = sender.traffic_class.value_or(kCameraClass);
        m_switch.TracePause(static_cast<std::uint32_t>(sender.input), number,
                            static_cast<std::uint32_t>(traffic_class));
        device->SendFrame(MakePauseFrame(m_switch.m_settings.network_switch.flow_control.kind,
                                         ns3::Mac48Address::ConvertFrom(device->GetAddress()), number, traffic_class),
                          now, now.time);
    }
    void occupied(const Timestamp&) override {
        if (!m_switch.m_occupancy.IsEmpty()) m_switch.m_occupancy(GetMemory().frames(), GetMemory().bytes().count);
    }

    struct Kept {
        WatershedFrame frame;
        SwitchedFrame switched;
    };

    WatershedFrame Take(const SwitchedFrame& frame) { return std::move(m_frames.at(frame.handle).frame); }

    int OutputOf(std::uint32_t port) const { return static_cast<int>(port - m_switch.PortOf(0)); }

    int m_number;                       ///< number among the switches of the instant
    std::deque<Kept> m_frames;          ///< by handle; those that are gone keep their places for others
    std::vector<std::uint64_t> m_free;  ///< such places
};

}  // namespace watershed
