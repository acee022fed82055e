// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/node.h>
#include <ns3/object-factory.h>

#include <string>
#include <utility>

#include "model/ns3/device/watershed-net-device.h"

namespace watershed {

class WatershedNetDeviceImpl;

/// Builds devices and cables.
class WatershedCables {
  public:
    /// The devices at both ends of a cable.
    using Ends = std::pair<ns3::Ptr<WatershedNetDeviceImpl>, ns3::Ptr<WatershedNetDeviceImpl>>;
    /// A device on each node and a cable between them. @param from, to  the nodes @return the devices of both
    Ends Connect(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to) const;

    /// Sets an attribute of the devices at both ends of each later cable, "DataRate" for instance.
    /// @param name, value  of the attribute
    void SetDeviceAttribute(const std::string& name, const ns3::AttributeValue& value) { m_device.Set(name, value); }
    /// Sets an attribute of the later cables, "Delay" for instance. @param name, value  of the attribute
    void SetChannelAttribute(const std::string& name, const ns3::AttributeValue& value) { m_channel.Set(name, value); }

  private:
    ns3::ObjectFactory m_device{"ns3::WatershedNetDevice"};
    ns3::ObjectFactory m_channel{"ns3::WatershedChannel"};
};

}  // namespace watershed
