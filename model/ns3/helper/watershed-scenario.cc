// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/helper/watershed-scenario.h"

#include "model/exact/engine.h"
#include "model/frontend/module-groups.h"
#include "model/network/network.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-attributes.h"
#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {
namespace {

void AddSwitch(const ns3::Ptr<ns3::Node>& node, const Switch& settings, const NetworkScenario& scenario) {
    const auto made = ns3::CreateObject<WatershedSwitchImpl>();
    made->SetAttribute("Seed", ValueOf(scenario.seed));
    made->SetAttribute("BufferOverhead", BeyondFrame(scenario.frame.buffer_overhead));
    made->ChangeSetting("Size", [&](WatershedSwitchSettings& to) {
        to.network_switch = settings;
        to.uplinks = settings.uplinks;
        for (const WatershedSwitchAttribute& each : watershed_switch_attributes()) to.chosen.insert(each.key);
    });
    made->SetAddress(ns3::Mac48Address::Allocate());
    node->AddDevice(made);
}

void SetLink(WatershedSwitchHelper& helper, BitRate rate, const FrameFormat& frame) {
    helper.SetDeviceAttribute("DataRate", ValueOf(rate));
    helper.SetDeviceAttribute("LinkOverhead", BeyondFrame(frame.wire_overhead));
    helper.SetDeviceAttribute("Mtu", ValueOf(frame.mtu));
}

}  // namespace

WatershedScenario::WatershedScenario(const NetworkScenario& scenario) : m_server(ns3::CreateObject<ns3::Node>()) {
    const Network network(scenario);
    if (network.builders_of_interfaces().back() > 0)
        throw UnsupportedScenario("server.builders", "the network has one server");
    m_hosts.Create(static_cast<std::uint32_t>(scenario.front_end.modules));
    m_switches.Create(static_cast<std::uint32_t>(network.switches().size()));
    for (std::uint32_t i = 0; i < m_switches.GetN(); ++i)
        AddSwitch(m_switches.Get(i), network.switches()[i].settings, scenario);
    // Ports have the numbers of the inputs, and the uplinks follow: a switch spreads frames as its scenario says.
    const std::vector<EntryPoint> entries = entry_points(network);
    std::uint32_t host = 0;
    for (const Group& group : ModuleGroups(scenario).all()) {
        const FrontEnd& front_end = group.front_end;
        WatershedSwitchHelper helper;
        SetLink(helper, front_end.link_rate, group.frame);
        helper.SetDeviceAttribute("PauseReaction", ValueOf(front_end.pause_reaction));
        if (front_end.fifo) helper.SetDeviceAttribute("FifoLimit", ValueOf(*front_end.fifo));
        for (int module = 0; module < front_end.modules; ++module, ++host) {
            const auto at = static_cast<std::uint32_t>(entries[host].network_switch);
            m_devices.Add(helper.Install(m_hosts.Get(host), m_switches.Get(at)));
            m_devices.Get(host)->SetAttribute("ObeysPause", ValueOf(front_end.obeys_pause));
        }
    }
    for (const Network::Link& link : network.links()) {
        WatershedSwitchHelper helper;
        SetLink(helper, link.rate, scenario.frame);
        helper.AddUplink(m_switches.Get(static_cast<std::uint32_t>(link.from)),
                         link.to == Network::kServer ? m_server : m_switches.Get(static_cast<std::uint32_t>(link.to)));
    }
    m_devices.Add(WatershedSwitch::Of(m_server));
    WatershedSwitchHelper::PopulateTables();
}

}  // namespace watershed
