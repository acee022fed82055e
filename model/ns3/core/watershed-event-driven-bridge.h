// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/ns3/core/watershed-instant.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/switch/switch-control.h"

namespace watershed {

/// Inside of a bridge whose frames may wait in input FIFOs, for a fabric or behind each other, or cut through.
/// SwitchControl decides; this brings it frames, and the order of one instant. All ports have one rate.
class WatershedEventDrivenBridge : private SwitchControl::Surroundings {
  public:
    /// The bridge itself.
    class Owner {
      public:
        virtual ~Owner() = default;
        /// The frame begins to leave.
        virtual void EventDrivenSends(const WatershedFrame& frame, std::uint32_t input) = 0;
        virtual void EventDrivenLost(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                                     const LossCause& cause) = 0;
        virtual void EventDrivenOccupied() = 0;
    };

    /// @param network_switch  uplinks are the ports
    /// @param owner           outlives this
    WatershedEventDrivenBridge(const Switch& network_switch, std::vector<ns3::Ptr<WatershedNetDevice>> ports,
                               std::int64_t buffer_overhead, std::uint64_t seed, Owner& owner);

    /// Does what happens where frames arrive, in its place among what else happens then.
    /// @param rank  of the arrival
    void AtArrival(const Moment& when, std::uint64_t rank, std::uint32_t port, WatershedInstant::Action action);
    /// When a frame that begins to arrive then at this input may cut through; nothing if none may.
    std::optional<Moment> HeaderAt(std::uint32_t input, const Moment& begin) const {
        return m_control.header_at(static_cast<int>(input), begin);
    }
    /// So much of a frame is there that it may cut through.
    void HeaderIn(std::uint32_t input, std::uint32_t output, const WatershedFrame& frame, const Moment& now,
                  const Moment& end);
    /// A frame has arrived, for this output.
    void Offer(std::uint32_t input, std::uint32_t output, const WatershedFrame& frame, std::uint64_t lot,
               const Moment& now);

    /// A port pauses until then, or goes on if that is now. @param traffic_class absent: all
    void Pause(std::uint32_t port, std::optional<int> traffic_class, const Moment& now, const Moment& until);
    /// A frame has left by this port.
    void Left(std::uint32_t output, const Moment& now);

    const SwitchMemory& GetMemory() const { return m_control.memory(); }

  private:
    void later(const Moment& time, Step step, int index) override;
    void sends(int output, const SwitchedFrame& frame, const Moment& begin, const Moment& done) override;
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) override;
    void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Moment& now) override;
    void occupied(const Moment& now) override;

    /// Keeps the frame until it is sent or lost.
    SwitchedFrame Keep(std::uint32_t input, std::uint32_t output, const WatershedFrame& frame);
    WatershedFrame Take(const SwitchedFrame& frame);

    std::vector<ns3::Ptr<WatershedNetDevice>> m_ports;
    std::int64_t m_bufferOverhead;
    Owner& m_owner;
    SwitchControl m_control;
    ns3::Ptr<WatershedInstant> m_instant = ns3::Create<WatershedInstant>();
    std::unordered_map<std::uint64_t, WatershedFrame> m_frames;  ///< by handle
    std::uint64_t m_handles = 0;
};

}  // namespace watershed
