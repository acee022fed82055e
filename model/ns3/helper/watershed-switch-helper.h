// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/ipv4-interface-container.h>
#include <ns3/log.h>
#include <ns3/net-device-container.h>
#include <ns3/node-container.h>
#include <ns3/object-factory.h>
#include <ns3/trace-helper.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/helper/watershed-cables.h"
#include "model/ns3/switch/watershed-switch.h"

namespace watershed {

class WatershedSwitchImpl;

/// Puts a WatershedSwitch between nodes of a simulation of your own, a port and a cable for each:
///
///     WatershedSwitchHelper helper;
///     helper.Set("Sharing", StringValue("dynamic-threshold"));
///     NetDeviceContainer devices = helper.Install(hosts, switchNode);
///     helper.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
///     devices.Add(helper.Install(server, switchNode));   // a faster port of the same switch
///
/// The devices then carry protocols like any others: InternetStackHelper, Ipv4AddressHelper, sockets, applications.
/// Each host's device has a FIFO of 100 frames ("FifoLimit"), a NetDeviceQueueInterface, so that queue discs and byte
/// queue limits work, and obeys PAUSE frames, which a switch with "FlowControl" sends. Where that is "pfc", and there
/// is a "Scheduler", when hosts are installed, they have a FIFO and a queue for each class. Switches are joined to each
/// other by Join().
class WatershedSwitchHelper : public ns3::PcapHelperForDevice,
                              public ns3::AsciiTraceHelperForDevice,
                              public WatershedCables {
  public:
    WatershedSwitchHelper();

    /// Sets an attribute of the switch: see WatershedSwitch::GetTypeId(). It counts where a switch is made, not at
    /// later ports. @param name, value  of the attribute
    void Set(const std::string& name, const ns3::AttributeValue& value);

    /// Adds ports to the node's switch, which is made if it has none: WatershedSwitch::Of(node).
    /// @param hosts, switch_node  which a cable joins, each host with one of its own
    /// @return the hosts' devices, in their order, each with an address of its own
    ns3::NetDeviceContainer Install(const ns3::NodeContainer& hosts, ns3::Ptr<ns3::Node> switch_node) const;
    /// A cable between the switches of two nodes, which are made if they have none. Switches must not form a loop.
    /// @param first, second  the nodes @return the ports at both ends
    ns3::NetDeviceContainer Join(ns3::Ptr<ns3::Node> first, ns3::Ptr<ns3::Node> second) const;
    /// A cable from a switch to one above it. All uplinks of a switch are one group, over which "UplinkSelection"
    /// spreads frames (ECMP). So switches below may each have an uplink to each of those above.
    /// @param lower, upper  the nodes @return the lower port and the upper one
    ns3::NetDeviceContainer AddUplink(ns3::Ptr<ns3::Node> lower, ns3::Ptr<ns3::Node> upper) const;
    /// A cable that is an uplink of both switches: several are one link (LAG).
    /// @param first, second  the nodes @return the ports at both ends
    ns3::NetDeviceContainer Bundle(ns3::Ptr<ns3::Node> first, ns3::Ptr<ns3::Node> second) const;

    /// Fills the tables of all switches from the topology, once it is built, as Ipv4GlobalRoutingHelper does for
    /// routes: no frame to a host at a switch is sent to all ports. What hosts behind other bridges are is learned.
    static void PopulateTables();
    /// Each interface knows the addresses of those in its subnet: none asks for them by ARP. (NeighborCacheHelper looks
    /// no further than an interface's own cable.) @param interfaces  as Ipv4AddressHelper::Assign() gives them
    static void PopulateNeighbors(const ns3::Ipv4InterfaceContainer& interfaces);

    /// Fixes the streams of random numbers of these nodes' switches. @param switch_nodes, stream  the first stream is
    /// for the first of them @return streams used
    std::int64_t AssignStreams(const ns3::NodeContainer& switch_nodes, std::int64_t stream) const;

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it
    using Add = void (WatershedSwitchImpl::*)(ns3::Ptr<WatershedNetDeviceImpl>);

    ns3::Ptr<WatershedSwitchImpl> SwitchOf(const ns3::Ptr<ns3::Node>& node) const;
    ns3::NetDeviceContainer Cable(const ns3::Ptr<ns3::Node>& first, Add to_first, const ns3::Ptr<ns3::Node>& second,
                                  Add to_second) const;
    void EnablePcapInternal(std::string prefix, ns3::Ptr<ns3::NetDevice> device, bool promiscuous,
                            bool explicit_filename) override;
    void EnableAsciiInternal(ns3::Ptr<ns3::OutputStreamWrapper> stream, std::string prefix,
                             ns3::Ptr<ns3::NetDevice> device, bool explicit_filename) override;

    ns3::ObjectFactory m_switch{"ns3::WatershedSwitch"};
    std::vector<std::pair<std::string, ns3::Ptr<ns3::AttributeValue>>> m_chosen;
};

}  // namespace watershed
