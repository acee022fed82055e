// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/net-device-container.h>
#include <ns3/node-container.h>
#include <ns3/object-factory.h>

#include "model/ns3/core/watershed-helper.h"

namespace watershed {

/// Puts a WatershedSwitch between nodes of a simulation of your own, a port and a cable for each:
///
///     WatershedSwitchHelper helper;
///     helper.Set("Sharing", StringValue("dynamic-threshold"));
///     NetDeviceContainer devices = helper.Install(hosts, CreateObject<Node>());
///
/// The devices then carry protocols like any others: InternetStackHelper, Ipv4AddressHelper, sockets, applications.
class WatershedSwitchHelper {
  public:
    /// Of the switch: see WatershedSwitch::GetTypeId().
    void Set(const std::string& name, const ns3::AttributeValue& value) { m_switch.Set(name, value); }
    /// Of the devices at both ends of each cable, "DataRate" for instance.
    void SetDeviceAttribute(const std::string& name, const ns3::AttributeValue& value) { m_cables.SetDeviceAttribute(name, value); }
    /// Of the cables, "Delay" for instance.
    void SetChannelAttribute(const std::string& name, const ns3::AttributeValue& value) { m_cables.SetChannelAttribute(name, value); }

    /// @return the hosts' devices, in their order, each with an address of its own
    ns3::NetDeviceContainer Install(const ns3::NodeContainer& hosts, ns3::Ptr<ns3::Node> switch_node) const;

  private:
    ns3::ObjectFactory m_switch{"watershed::WatershedSwitch"};
    WatershedHelper m_cables;
};

}  // namespace watershed
