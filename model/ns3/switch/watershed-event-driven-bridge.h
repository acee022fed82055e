// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/abort.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/switch/watershed-switch-inside.h"
#include "model/switch/switch-control.h"

namespace watershed {

/// Inside of a bridge whose frames may wait in input FIFOs, for a fabric or behind each other, for a shaper or a
/// gate, or cut through. SwitchControl decides; this brings it frames, and the order of one instant. All ports have one
/// rate.
class WatershedEventDrivenBridge : public WatershedSwitchInside, private SwitchSurroundings {
  public:
    /// @param network_switch  uplinks are the ports
    WatershedEventDrivenBridge(WatershedSwitchPorts& of, const Switch& network_switch)
        : WatershedSwitchInside(of, network_switch.buffer),
          m_control(network_switch, PlaceOf(of.m_inputs), SendersOf(of.m_inputs.size(), of.m_settings.seed), TimeGrid{},
                    static_cast<SwitchSurroundings&>(*this)) {}

    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Timestamp& end,
                     const Timestamp& now) override {
        const int input = static_cast<int>(port);
        const auto header = m_control.header_at(input, now);
        if (!header || *header >= end) return;
        const std::uint64_t rank = m_switch.RankOf(port, m_switch.IdOf(frame), *header);
        m_instant->DoAt(*header, {Step::Arrival, 0, rank, input}, [this, port, frame, end](const Timestamp& then) {
            const auto output = m_switch.OnlyOutputOf(port, frame);
            if (!output) return;
            m_control.header_in(Keep(port, static_cast<int>(*output), frame), then, end);
        });
    }
    void FrameArrived(std::uint32_t port, const std::optional<FrameId>&, std::uint64_t rank, WatershedFrame&& frame,
                      const Timestamp& now) override {
        m_instant->DoAt(now, {Step::Arrival, 0, rank, static_cast<int>(port)},
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
        later(now, Step::UplinkDone, static_cast<int>(port));
    }
    void Pause(std::uint32_t port, std::optional<int> traffic_class, Time now, Time until) override {
        const int output = static_cast<int>(port);
        m_instant->DoAt(now, {Step::Pause, 0, 0, output}, [this, output, traffic_class, until](const Timestamp& then) {
            m_control.pause(output, until, traffic_class, then);
        });
    }
    bool TakesAttributes() const override { return false; }
    const SwitchMemory& GetMemory() const override { return m_control.memory(); }

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
        m_instant->DoAt(time, {step, 0, 0, index},
                        [this, step, index](const Timestamp& now) { m_control.step(step, index, now); });
    }
    void sends(int output, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) override {
        const WatershedFrame taken = Take(frame);
        m_lastActivity = Now();
        if (!m_switch.m_dequeue.IsEmpty())
            m_switch.m_dequeue(taken.GetPacket(), static_cast<std::uint32_t>(frame.claim.input));
        m_switch.m_inputs[static_cast<std::size_t>(output)]->Carry(taken, begin, done, m_lastActivity);
    }
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp&) override {
        m_lastActivity = Now();
        m_switch.Drop(Take(frame), static_cast<std::uint32_t>(frame.claim.input),
                      static_cast<std::uint32_t>(frame.claim.output), cause);
    }
    void gone(SwitchedFrame& frame) override { m_frames.erase(frame.handle); }
    void pause(const PauseControl::Sender&, std::int64_t, const Timestamp&) override {
        throw std::logic_error("a bridge with event-driven queues has no flow control");
    }
    void occupied(const Timestamp&) override {
        if (!m_switch.m_occupancy.IsEmpty()) m_switch.m_occupancy(GetMemory().frames(), GetMemory().bytes().count);
    }

    struct Kept {
        WatershedFrame frame;
        SwitchedFrame switched;
    };

    /// Keeps the frame until it is gone.
    SwitchedFrame& Keep(std::uint32_t input, int output, const WatershedFrame& frame) {
        SwitchedFrame switched{
            {},
            {static_cast<int>(input), output, Bytes{frame.GetSize() + m_switch.m_settings.buffer_overhead}},
            m_switch.m_inputs[static_cast<std::size_t>(output)]->WireSize(frame)};
        switched.has_output = true;
        switched.claim.traffic_class = frame.GetClass();
        switched.handle = ++m_handles;
        return m_frames.emplace(switched.handle, Kept{frame, switched}).first->second.switched;
    }
    WatershedFrame Take(const SwitchedFrame& frame) { return std::move(m_frames.at(frame.handle).frame); }

    SwitchControl<> m_control;
    ns3::Ptr<WatershedInstant> m_instant = ns3::Create<WatershedInstant>();
    std::unordered_map<std::uint64_t, Kept> m_frames;  ///< by handle
    std::uint64_t m_handles = 0;
};

}  // namespace watershed
