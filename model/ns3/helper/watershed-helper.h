// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/node-container.h>

#include <memory>
#include <utility>
#include <vector>

#include "model/network/network.h"
#include "model/ns3/camera/watershed-camera-inside.h"
#include "model/ns3/camera/watershed-fragment-sender.h"
#include "model/ns3/camera/watershed-fragment-sink.h"
#include "model/ns3/camera/watershed-traffic-source.h"
#include "model/ns3/camera/watershed-trigger-source.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/device/watershed-pausable-port.h"
#include "model/ns3/helper/watershed-cables.h"
#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {

/// The camera of a scenario, as ns-3 nodes, and what is on them:
///
///     trigger ─▶ front end 1 … N ──▶ switches ══ uplinks 1 … k ══▶ server
struct WatershedCamera {
    ns3::NodeContainer frontEnds;
    ns3::NodeContainer switchNodes;
    ns3::Ptr<ns3::Node> serverNode;
    std::unique_ptr<WatershedTriggerSource> trigger;
    std::vector<std::unique_ptr<WatershedFragmentSender>> senders;
    std::vector<std::unique_ptr<WatershedTrafficSource>> streams;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> streamDevices;  ///< devices of streams that have a link of their own
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> frontEndDevices;
    std::vector<ns3::Ptr<WatershedSwitchImpl>> switches;          ///< in the order of Network
    std::vector<WatershedCameraInside*> insides;                  ///< insides of them, where frames wait at any, and
    std::vector<ns3::Ptr<WatershedPausablePort>> ports;           ///< in the front ends before them
    ns3::Ptr<WatershedInstant> instant;                           ///< on which these agree
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> uplinkDevices;  ///< uplinks of all switches, in the order of Network
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> serverDevices;
    std::unique_ptr<WatershedFragmentSink> sink;

    bool IsEventDriven() const { return !insides.empty(); }
    WatershedSwitchImpl& SwitchOf(int number) const { return *switches[static_cast<std::size_t>(number)]; }
};

/// Builds nodes, devices, cables, and what sends and takes frames. ns-3's time resolution must be a picosecond for a
/// run to be exact.
class WatershedHelper : public WatershedCables {
  public:
    using WatershedCables::Connect;
    /// A device on each node, both of this rate, and a cable between them. @return the devices, in the same order
    Ends Connect(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, BitRate rate, Time delay = Time{0}) const;
    /// @throws std::invalid_argument where the scenario does not fit into frames and headers
    WatershedCamera Install(const NetworkScenario& scenario) const { return Install(scenario, Network(scenario)); }
    /// @param network  of this scenario
    WatershedCamera Install(const NetworkScenario& scenario, const Network& network) const;
};

}  // namespace watershed
