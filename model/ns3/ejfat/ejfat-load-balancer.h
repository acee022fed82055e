// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>

#include "model/ejfat/ejfat-calendar.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/ejfat/ejfat-controller.h"

namespace watershed {

/// The balancer's data plane: looks each packet's event up in the calendar of its epoch, readdresses it to the node
/// that it finds there, and takes its own header off.
class EjfatLoadBalancer : public ns3::Object, private WatershedFrameHandler {
  public:
    static constexpr LossCause kNoNode{"balancer", "no-node"};
    static constexpr LossCause kQueueFull{"balancer", "queue-full"};
    static constexpr LossCause kDamaged{"path", "damaged"};

    static ns3::TypeId GetTypeId();

    /// All outlive the balancer.
    void Configure(const Ejfat& ejfat, std::uint64_t seed, EjfatMonitor& monitor, EjfatController& controller);
    void AddInput(ns3::Ptr<WatershedNetDevice> device) { device->SetFrameHandler(this, m_inputs++); }
    void SetOutput(ns3::Ptr<WatershedNetDevice> device) { m_output = device; }
    void Install(EjfatEpochs::Epoch epoch);

  private:
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void DoDispose() override;

    const Ejfat* m_ejfat = nullptr;
    std::uint64_t m_seed = 1;
    EjfatMonitor* m_monitor = nullptr;
    EjfatController* m_controller = nullptr;
    std::uint32_t m_inputs = 0;
    ns3::Ptr<WatershedNetDevice> m_output;
    EjfatEpochs m_epochs;
    std::uint64_t m_arrived = 0;
    std::uint64_t m_furthest = 0;  ///< event number that has been given to a node
};

}  // namespace watershed
