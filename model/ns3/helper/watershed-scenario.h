// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/net-device-container.h>
#include <ns3/node-container.h>

#include <string>
#include <vector>

namespace watershed {

struct NetworkScenario;

/// The network of a scenario file, for traffic of your own: a host for each front end, the switches with all keys
/// `switch.*` as attributes, tiers and uplinks, and a server. They have addresses (MAC) and full tables:
///
///     const auto network = WatershedScenario::Read("camera.toml");
///     InternetStackHelper().Install(network.GetHosts());
///     InternetStackHelper().Install(network.GetServer());
///     Ipv4InterfaceContainer interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(network.GetDevices());
///     WatershedSwitchHelper::PopulateNeighbors(interfaces);
///
/// The server takes all that comes: its one device is a bridge (LAG) of as many ports as uplinks lead to it. A UDP
/// datagram takes as much of links and memory as a fragment of the camera with its payload. Triggers, jitter, clocks
/// and what the server does with frames have no part in it; `front_end.fifo` and pauses have.
class WatershedScenario {
  public:
    /// @param file, changes  of a camera without streams beside it and failures; "KEY=VALUE", as --set of the program
    /// @return its network @throws std::exception with file, line, key, what was found and what was expected
    static WatershedScenario Read(const std::string& file, const std::vector<std::string>& changes = {});
    /// @param scenario  as it was read
    explicit WatershedScenario(const NetworkScenario& scenario);

    const ns3::NodeContainer& GetHosts() const { return m_hosts; }        ///< @return the front ends
    const ns3::NodeContainer& GetSwitches() const { return m_switches; }  ///< @return nodes, for WatershedSwitch::Of()
    ns3::Ptr<ns3::Node> GetServer() const { return m_server; }            ///< @return the server
    /// @return the devices of the front ends, in their order, and that of the server
    const ns3::NetDeviceContainer& GetDevices() const { return m_devices; }

  private:
    ns3::NodeContainer m_hosts, m_switches;
    ns3::Ptr<ns3::Node> m_server;
    ns3::NetDeviceContainer m_devices;
};

}  // namespace watershed
