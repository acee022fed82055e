// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/network/frame-copies.h"
#include "model/network/network.h"
#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/switch/arrival-order.h"
#include "model/switch/switch-control.h"

namespace watershed {

/// A switch whose frames may wait in input FIFOs, for its fabric or behind each other, cut through, or be held back at
/// their senders: aggregate it to a node and give it the node's devices. What it does is SwitchControl's to decide; it
/// brings packets, PAUSE frames and the order of one instant, for which it shares a WatershedInstant with the ports of
/// its senders.
class WatershedEventDrivenSwitch : public ns3::Object, private WatershedFrameHandler, private SwitchSurroundings {
  public:
    /// A frame came in through an uplink, and is none that tells it to pause.
    static constexpr LossCause kFromUplink{"switch", "from-uplink"};
    /// In place of an output: the frame was lost before one was chosen.
    static constexpr std::uint32_t kNoPort = UINT32_MAX;

    static ns3::TypeId GetTypeId();

    /// Call it before any frame comes.
    /// @param self, place  of the switch, in the network of the scenario
    /// @param copies       that its switches make
    void Install(const NetworkScenario& scenario, const Network::Switch& self, const SwitchPlace& place,
                 ns3::Ptr<WatershedInstant> instant, std::shared_ptr<const FrameCopies> copies);
    /// Inputs count from 0 in the order in which they are added, which is that of Network.
    void AddInput(ns3::Ptr<WatershedNetDeviceImpl> device);
    /// After all inputs.
    void AddUplink(ns3::Ptr<WatershedNetDeviceImpl> device);

    /// After all uplinks.
    void Begin() { m_control->begin(); }

    const SwitchControl<>& GetControl() const { return *m_control; }

    using FrameTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input);
    using DropTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input, std::uint32_t output,
                                        const LossCause& cause);
    using OccupancyTracedCallback = void (*)(std::int64_t frames, std::int64_t bytes);
    using PauseTracedCallback = void (*)(std::uint32_t input, std::uint32_t quanta);

  private:
    struct Kept {
        WatershedFrame frame;
        SwitchedFrame switched;
    };

    void DoDispose() override;
    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Timestamp& end,
                     const Timestamp& now) override;
    void FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) override;
    void FrameLeft(std::uint32_t port, const WatershedFrame&, const Timestamp& now) override;

    void later(const Timestamp& time, Step step, int index) override;
    void sends(int uplink, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) override;
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp& now) override;
    void gone(SwitchedFrame& frame) override;
    void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) override;
    void occupied(const Timestamp& now) override;

    std::uint32_t Inputs() const { return static_cast<std::uint32_t>(m_inputs.size()); }
    WatershedInstant::Place At(Step step, int index) const { return {step, m_number, 0, index}; }
    WatershedInstant::Place ArrivalPlace(std::uint32_t input, const WatershedFrame& frame) const;
    /// Returns the copies to be made of a frame, or null if there are none.
    const std::vector<int>* Copies(const WatershedFrame& frame) const;
    /// An uplink does as it was told, now.
    void Obey(std::uint32_t uplink, const PauseOrder& order, const Timestamp& now);
    /// Keeps the frame until it is gone.
    SwitchedFrame& Keep(std::uint32_t input, const WatershedFrame& frame);
    WatershedFrame Take(const SwitchedFrame& frame);

    std::int64_t m_bufferOverhead = 0;

    std::optional<SwitchControl<>> m_control;
    std::optional<ArrivalRank> m_rank;
    int m_number = 0;
    FlowControl::Kind m_flowControl = FlowControl::Kind::None;
    bool m_obeys = true;
    Time m_reaction{0};
    ns3::Ptr<WatershedInstant> m_instant;
    std::shared_ptr<const FrameCopies> m_copies;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> m_inputs;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> m_uplinks;
    std::unordered_map<std::uint64_t, Kept> m_frames;  ///< by handle
    std::uint64_t m_handles = 0;

    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_dequeue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause&> m_drop;
    ns3::TracedCallback<std::int64_t, std::int64_t> m_occupancy;
    ns3::TracedCallback<std::uint32_t, std::uint32_t> m_pause;
};

}  // namespace watershed
