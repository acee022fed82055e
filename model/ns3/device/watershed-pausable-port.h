// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <deque>

#include "model/frontend/event-driven-sender.h"
#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/switch/step.h"

namespace watershed {

/// The FIFO of a WatershedNetDevice that obeys PAUSE and priority flow control frames (IEEE 802.3 annexes 31B and 31D):
/// it takes the place of the device's own. Frames other than these that arrive are nobody's.
class WatershedPausablePort : public ns3::Object, private WatershedFrameHandler, private WatershedSendQueue {
  public:
    static ns3::TypeId GetTypeId();

    /// Call it once.
    /// @param module its number, from 1, for its place among others at one instant; those of streams follow
    void Install(ns3::Ptr<WatershedNetDeviceImpl> device, ns3::Ptr<WatershedInstant> instant,
                 const EventDrivenSender& sender, int module);

    using PauseTracedCallback = void (*)(std::uint32_t module, std::uint32_t quanta);

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it
    void DoDispose() override;
    void Offer(WatershedFrame&& frame, Time now, Time gap) override;
    void FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) override;
    void FrameLeft(std::uint32_t port, const WatershedFrame&, const Timestamp& now) override;
    WatershedInstant::Place At(Step step) const { return {step, SameTimeOrder::kSenders, 0, m_module}; }
    void Start(const Timestamp& now);
    void Pause(const PauseOrder& order, const Timestamp& now);

    bool m_obeys = true;
    ns3::Time m_reaction;

    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    ns3::Ptr<WatershedInstant> m_instant;
    std::optional<EventDrivenSender> m_sender;
    int m_module = 1;
    std::deque<WatershedFrame> m_frames;  ///< the frames in m_sender
    ns3::TracedCallback<std::uint32_t, std::uint32_t> m_pause;
};

}  // namespace watershed
