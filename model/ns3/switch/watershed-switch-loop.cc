// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-loop.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "model/ns3/switch/watershed-switch.h"

namespace watershed {
namespace {

/// The bridge among whose ports a device is, or null.
ns3::Ptr<ns3::BridgeNetDevice> BridgeOf(const ns3::Ptr<ns3::NetDevice>& device) {
    const auto node = device->GetNode();
    for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
        if (const auto bridge = ns3::DynamicCast<ns3::BridgeNetDevice>(node->GetDevice(i)))
            for (std::uint32_t port = 0; port < bridge->GetNBridgePorts(); ++port)
                if (bridge->GetBridgePort(port) == device) return bridge;
    return nullptr;
}

/// Adds the devices at the other ends of a device's cable.
void AddFarEnds(const ns3::Ptr<ns3::NetDevice>& device, std::vector<ns3::Ptr<ns3::NetDevice>>& ends) {
    const auto channel = device->GetChannel();
    for (std::size_t i = 0; channel && i < channel->GetNDevices(); ++i)
        if (channel->GetDevice(i) != device) ends.push_back(channel->GetDevice(i));
}

bool IsUplink(const ns3::Ptr<ns3::BridgeNetDevice>& bridge, std::uint32_t port) {
    const auto network_switch = ns3::DynamicCast<WatershedSwitch>(bridge);
    return network_switch && network_switch->IsUplinkPort(port);
}

bool IsUplink(const ns3::Ptr<ns3::BridgeNetDevice>& bridge, const ns3::Ptr<ns3::NetDevice>& device) {
    for (std::uint32_t port = 0; port < bridge->GetNBridgePorts(); ++port)
        if (bridge->GetBridgePort(port) == device) return IsUplink(bridge, port);
    return false;
}

}  // namespace

bool IsInLoop(const WatershedSwitch& network_switch) {
    for (std::uint32_t from = 0; from < network_switch.GetNBridgePorts(); ++from) {
        std::set<std::pair<ns3::Ptr<ns3::BridgeNetDevice>, bool>> seen;  // and whether it is entered by an uplink
        std::vector<ns3::Ptr<ns3::NetDevice>> ends;
        AddFarEnds(network_switch.GetBridgePort(from), ends);
        while (!ends.empty()) {
            const auto end = ends.back();
            ends.pop_back();
            const auto bridge = BridgeOf(end);
            if (ns3::PeekPointer(bridge) == &network_switch) return true;
            if (!bridge) continue;
            const bool by_uplink = IsUplink(bridge, end);
            if (!seen.insert({bridge, by_uplink}).second) continue;
            for (std::uint32_t i = 0; i < bridge->GetNBridgePorts(); ++i)
                if (bridge->GetBridgePort(i) != end && !(by_uplink && IsUplink(bridge, i)))
                    AddFarEnds(bridge->GetBridgePort(i), ends);
        }
    }
    return false;
}

}  // namespace watershed
