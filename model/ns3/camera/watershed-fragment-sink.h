// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/network/network.h"
#include "model/ns3/camera/watershed-copy-tag.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/server/camera-server.h"

namespace watershed {

/// The camera server: takes the fragments that arrive on its devices.
class WatershedFragmentSink : private WatershedFrameHandler {
  public:
    WatershedFragmentSink(const NetworkScenario& scenario, const std::vector<ns3::Ptr<WatershedNetDeviceImpl>>& devices)
        : m_scenario(scenario) {
        std::uint32_t interfaces = 0;
        for (const auto& device : devices) device->SetFrameHandler(this, interfaces++);
        SetReports({[](const FrameId&, Time, const LossCause&) {}, {}});
    }
    /// Sets what a server with limits tells, each when a later frame comes; before the first frame.
    void SetReports(CameraServer::Reports reports) {
        m_server.emplace(m_scenario, m_scenario.server, Network(m_scenario).builders_of_interfaces(),
                         std::move(reports));
    }
    /// Tells of each frame that has arrived, of the camera and of streams.
    void SetListener(std::function<void(const FrameId&)> listener) { m_listener = std::move(listener); }
    /// Returns the frames received so far.
    const CameraServer& GetServer() const { return *m_server; }
    /// Lets a server with limits do what it does after the last frame. Call it once, when the simulation is over.
    void Finish() { m_server->finish(); }

  private:
    bool TakesLate() const override { return !m_listener && !m_scenario.server.receiver; }
    void FrameArrived(std::uint32_t interface, WatershedFrame&& frame, const Timestamp& moment) override {
        const Time now = moment.time;
        const int builders = m_scenario.builders.receiving();
        auto id = builders > 1 ? IdentifyCopy(*frame.GetPacket()) : frame.Identify();
        if (!id) return;
        id->copy %= builders;
        if (id->stream == 0) {  // the server of streams is another one, behind the same link
            if (id->module < 1 || id->module > m_scenario.front_end.modules) return;
            m_server->advance(now);
            m_server->arrive(*id, static_cast<int>(interface), now);
        }
        if (m_listener) m_listener(*id);
    }

    NetworkScenario m_scenario;
    std::optional<CameraServer> m_server;
    std::function<void(const FrameId&)> m_listener;
};

}  // namespace watershed
