// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/switch/watershed-switch-inside.h"
#include "model/switch/switch-control.h"

namespace watershed {

/// Inside of a bridge whose frames may wait in input FIFOs, for a fabric or behind each other, or cut through.
/// SwitchControl decides; this brings it frames, and the order of one instant. All ports have one rate.
class WatershedEventDrivenBridge : public WatershedSwitchInside, private SwitchControl::Surroundings {
  public:
    /// @param network_switch  uplinks are the ports
    WatershedEventDrivenBridge(WatershedSwitchPorts& of, const Switch& network_switch);

    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Moment& end, const Moment& now) override;
    void FrameArrived(std::uint32_t port, const std::optional<FrameId>& id, std::uint64_t rank, WatershedFrame&& frame,
                      const Moment& now) override;
    void Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now,
               const ns3::Ptr<WatershedStored::Copies>& copies) override;
    void SendOwn(std::uint32_t port, const WatershedFrame& frame, const Moment& now) override;
    void FrameLeft(std::uint32_t port, const Moment& now) override;
    void Pause(std::uint32_t port, std::optional<int> traffic_class, Time now, Time until) override;
    bool TakesAttributes() const override { return false; }
    const SwitchMemory& GetMemory() const override { return m_control.memory(); }

  private:
    void later(const Moment& time, Step step, int index) override;
    void sends(int output, const SwitchedFrame& frame, const Moment& begin, const Moment& done) override;
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) override;
    void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Moment& now) override;
    void occupied(const Moment& now) override;

    /// Keeps the frame until it is sent or lost.
    SwitchedFrame Keep(std::uint32_t input, int output, const WatershedFrame& frame);
    WatershedFrame Take(const SwitchedFrame& frame);

    SwitchControl m_control;
    ns3::Ptr<WatershedInstant> m_instant = ns3::Create<WatershedInstant>();
    std::unordered_map<std::uint64_t, WatershedFrame> m_frames;  ///< by handle
    std::uint64_t m_handles = 0;
};

}  // namespace watershed
