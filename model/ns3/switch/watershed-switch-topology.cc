// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-topology.h"

#include <ns3/abort.h>
#include <ns3/node-list.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {
namespace {

/// A bridge, and the port by which a frame comes to it.
struct Entry {
    ns3::Ptr<ns3::BridgeNetDevice> bridge;  ///< null: no bridge is there
    std::uint32_t port = 0;
    ns3::Ptr<ns3::NetDevice> device;  ///< the port, or the device in place of a bridge

    ns3::Ptr<WatershedSwitchImpl> Switch() const { return ns3::DynamicCast<WatershedSwitchImpl>(bridge); }
    bool IsByUplink() const {
        const auto network_switch = Switch();
        return network_switch && network_switch->IsUplinkPort(port);
    }
};

Entry EntryBy(const ns3::Ptr<ns3::NetDevice>& device) {
    const auto node = device->GetNode();
    for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
        if (const auto bridge = ns3::DynamicCast<ns3::BridgeNetDevice>(node->GetDevice(i)))
            for (std::uint32_t port = 0; port < bridge->GetNBridgePorts(); ++port)
                if (bridge->GetBridgePort(port) == device) return {bridge, port, device};
    return {nullptr, 0, device};
}

/// Returns the devices at the other ends of a device's cable.
std::vector<Entry> FarEnds(const ns3::Ptr<ns3::NetDevice>& device) {
    std::vector<Entry> ends;
    const auto channel = device->GetChannel();
    for (std::size_t i = 0; channel && i < channel->GetNDevices(); ++i)
        if (channel->GetDevice(i) != device) ends.push_back(EntryBy(channel->GetDevice(i)));
    return ends;
}

/// Adds the ports by which a broadcast frame goes on from a bridge, by whichever uplink.
template <class Queue>
void AddNext(const Entry& at, Queue& next) {
    const auto network_switch = at.Switch();
    for (std::uint32_t port = 0; port < at.bridge->GetNBridgePorts(); ++port) {
        if (port == at.port || (network_switch && !network_switch->LeadsOn(at.port, port))) continue;
        for (const Entry& end : FarEnds(at.bridge->GetBridgePort(port))) next.push_back(end);
    }
}

/// All switches that are cabled to this one, through whichever bridges, and itself.
std::vector<WatershedSwitchImpl*> SwitchesAround(WatershedSwitchImpl& network_switch) {
    std::vector<WatershedSwitchImpl*> found;
    std::set<const ns3::BridgeNetDevice*> seen{&network_switch};
    std::vector<ns3::BridgeNetDevice*> left{&network_switch};
    while (!left.empty()) {
        ns3::BridgeNetDevice* const bridge = left.back();
        left.pop_back();
        if (auto* const one = dynamic_cast<WatershedSwitchImpl*>(bridge)) found.push_back(one);
        for (std::uint32_t port = 0; port < bridge->GetNBridgePorts(); ++port)
            for (const Entry& end : FarEnds(bridge->GetBridgePort(port)))
                if (end.bridge && seen.insert(ns3::PeekPointer(end.bridge)).second)
                    left.push_back(ns3::PeekPointer(end.bridge));
    }
    return found;
}

using Tiers = std::map<const WatershedSwitchImpl*, int>;

/// Returns the tier of each switch.
Tiers TiersOf(const std::vector<WatershedSwitchImpl*>& switches) {
    Tiers tiers;
    std::vector<std::pair<const WatershedSwitchImpl*, const WatershedSwitchImpl*>>
        cables;  // from a lower to an upper one
    for (WatershedSwitchImpl* const each : switches) {
        tiers[each] = static_cast<int>(tiers.size());
        for (std::uint32_t port = 0; port < each->GetNBridgePorts(); ++port)
            if (each->IsUplinkPort(port))
                for (const Entry& end : FarEnds(each->GetBridgePort(port)))
                    if (const auto upper = end.Switch(); upper && !end.IsByUplink())
                        cables.emplace_back(each, ns3::PeekPointer(upper));
    }
    for (bool joined = true; joined;) {  // tiers that are above one tier are one
        joined = false;
        std::map<int, int> above;
        for (const auto& [lower, upper] : cables) {
            const int to = above.emplace(tiers[lower], tiers[upper]).first->second, from = tiers[upper];
            if (to == from) continue;
            for (auto& [each, tier] : tiers)
                if (tier == from) tier = to;
            joined = true;
            break;
        }
    }
    return tiers;
}

/// Returns where each port of a switch leads.
std::vector<int> WaysOf(WatershedSwitchImpl& network_switch, const Tiers& tiers) {
    std::vector<int> ways;
    for (std::uint32_t port = 0; port < network_switch.GetNBridgePorts(); ++port) {
        int way = network_switch.IsUplinkPort(port) ? WatershedSwitchImpl::kUp : WatershedSwitchImpl::kAlone;
        for (const Entry& end : FarEnds(network_switch.GetBridgePort(port)))
            if (way == WatershedSwitchImpl::kAlone && end.IsByUplink()) way = tiers.at(ns3::PeekPointer(end.Switch()));
        ways.push_back(way);
    }
    return ways;
}

std::vector<WatershedSwitchImpl::FarSwitch> FarSwitchesOf(const WatershedSwitchImpl& network_switch) {
    std::vector<WatershedSwitchImpl::FarSwitch> beyond(network_switch.GetNBridgePorts());
    for (std::uint32_t port = 0; port < beyond.size(); ++port)
        for (const Entry& end : FarEnds(network_switch.GetBridgePort(port)))
            beyond[port] = {ns3::PeekPointer(end.Switch()), end.port};
    return beyond;
}

}  // namespace

void NoteFailures(WatershedSwitchImpl& network_switch) {
    const std::vector<WatershedSwitchImpl*> switches = SwitchesAround(network_switch);
    const bool any = std::any_of(switches.begin(), switches.end(),
                                 [](const WatershedSwitchImpl* each) { return each->HasFailedPort(); });
    for (WatershedSwitchImpl* const each : switches) each->SetFailures(any);
}

void FindTiers(WatershedSwitchImpl& network_switch) {
    NoteFailures(network_switch);
    const std::vector<WatershedSwitchImpl*> switches = SwitchesAround(network_switch);
    const Tiers tiers = TiersOf(switches);
    std::map<int, std::set<int>> ways_of_tier;
    for (WatershedSwitchImpl* const each : switches) {
        std::vector<WatershedSwitchImpl*> beside;
        std::copy_if(switches.begin(), switches.end(), std::back_inserter(beside),
                     [&](WatershedSwitchImpl* other) { return other != each && tiers.at(other) == tiers.at(each); });
        const std::vector<int> ways = WaysOf(*each, tiers);
        const std::set<int> different(ways.begin(), ways.end());
        const bool is_alone = beside.empty();
        each->SetTier(std::move(beside), ways, FarSwitchesOf(*each));
        if (is_alone) continue;
        const auto node = each->GetNode()->GetId();
        NS_ABORT_MSG_IF(different.count(WatershedSwitchImpl::kAlone) > 0,
                        "the WatershedSwitch of node "
                            << node
                            << " is one of several above another, and has a port that is not for a switch below "
                            << "it: frames that come by the others would not find the way to it");
        NS_ABORT_MSG_UNLESS(ways_of_tier.emplace(tiers.at(each), different).first->second == different,
                            "the WatershedSwitch of node "
                                << node << " is one of several above another, and does not have cables to the same "
                                << "switches as they: some frames would not find their way");
    }
}

bool IsInLoop(const WatershedSwitchImpl& network_switch) {
    for (std::uint32_t from = 0; from < network_switch.GetNBridgePorts(); ++from) {
        std::set<std::pair<ns3::Ptr<ns3::BridgeNetDevice>, int>> seen;  // and where it is entered from
        std::vector<Entry> ends = FarEnds(network_switch.GetBridgePort(from));
        while (!ends.empty()) {
            const Entry end = ends.back();
            ends.pop_back();
            if (ns3::PeekPointer(end.bridge) == &network_switch) return true;
            if (!end.bridge) continue;
            const auto at = end.Switch();
            const int way = at ? at->GetWay(end.port) : WatershedSwitchImpl::kAlone;
            if (!seen.insert({end.bridge, way}).second) continue;
            AddNext(end, ends);
        }
    }
    return false;
}

void FillTables() {
    std::vector<ns3::Ptr<WatershedSwitchImpl>> found;
    for (auto node = ns3::NodeList::Begin(); node != ns3::NodeList::End(); ++node)
        if (const auto here = WatershedSwitchImpl::Of(*node); here && here->GetNBridgePorts() > 0)
            found.push_back(here);
    std::set<const WatershedSwitchImpl*> done;
    for (const auto& each : found) {
        if (done.count(ns3::PeekPointer(each)) > 0) continue;
        FindTiers(*each);
        for (const WatershedSwitchImpl* const other : SwitchesAround(*each)) done.insert(other);
    }
    for (const auto& from : found) {
        std::vector<ns3::Mac48Address> addresses{ns3::Mac48Address::ConvertFrom(from->GetAddress())};
        std::deque<Entry> next;  // the nearest first
        for (std::uint32_t port = 0; port < from->GetNBridgePorts(); ++port)
            for (const Entry& end : FarEnds(from->GetBridgePort(port))) {
                if (end.bridge) {
                    next.push_back(end);
                    continue;
                }
                addresses.push_back(ns3::Mac48Address::ConvertFrom(end.device->GetAddress()));
                from->StateAddress(addresses.back(), port);
            }
        std::set<const ns3::BridgeNetDevice*> seen{ns3::PeekPointer(from)};
        for (; !next.empty(); next.pop_front()) {
            const Entry at = next.front();
            if (!at.bridge || !seen.insert(ns3::PeekPointer(at.bridge)).second) continue;
            if (const auto here = at.Switch())
                for (const ns3::Mac48Address& address : addresses) here->StateAddress(address, at.port);
            AddNext(at, next);
        }
    }
}

}  // namespace watershed
