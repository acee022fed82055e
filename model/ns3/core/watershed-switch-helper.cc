// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-switch-helper.h"

namespace watershed {

ns3::NetDeviceContainer WatershedSwitchHelper::Install(const ns3::NodeContainer& hosts, ns3::Ptr<ns3::Node> switch_node) const {
    const auto network_switch = m_switch.Create<WatershedSwitch>();
    switch_node->AggregateObject(network_switch);
    ns3::NetDeviceContainer devices;
    for (std::uint32_t i = 0; i < hosts.GetN(); ++i) {
        const auto [host, port] = m_cables.Connect(hosts.Get(i), switch_node);
        host->SetAddress(ns3::Mac48Address::Allocate());
        network_switch->AddPort(port);
        devices.Add(host);
    }
    return devices;
}

}  // namespace watershed
