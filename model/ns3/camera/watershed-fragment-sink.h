// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <optional>

#include "model/network/network.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/server/camera-server.h"

namespace watershed {

/// The camera server: takes the fragments that arrive on all WatershedNetDevices of its node.
class WatershedFragmentSink : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();

    explicit WatershedFragmentSink(const NetworkScenario& scenario) : m_scenario(scenario) {}
    /// Returns the frames received so far; call it once the application has started.
    const CameraServer& GetServer() const { return *m_server; }
    /// Lets a server with limits do what it does after the last frame. Call it once, when the simulation is over.
    void Finish() { m_server->finish(); }

  private:
    void StartApplication() override;
    bool TakesLate() const override { return m_rx.IsEmpty() && !m_scenario.server.receiver; }
    void FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) override;

    NetworkScenario m_scenario;
    std::optional<CameraServer> m_server;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, const FrameId&> m_rx;
    ns3::TracedCallback<const FrameId&, std::int64_t, const LossCause&> m_drop;
    ns3::TracedCallback<std::int64_t, std::int64_t, std::int64_t> m_occupancy;
};

}  // namespace watershed
