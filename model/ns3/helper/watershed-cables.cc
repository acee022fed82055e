// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/helper/watershed-cables.h"

#include "model/ns3/device/watershed-channel.h"
#include "model/ns3/device/watershed-net-device-impl.h"

namespace watershed {

WatershedCables::Ends WatershedCables::Connect(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to) const {
    const auto channel = m_channel.Create<WatershedChannel>();
    const auto device_on = [&](const ns3::Ptr<ns3::Node>& node) {
        const auto device = m_device.Create<WatershedNetDeviceImpl>();
        node->AddDevice(device);
        device->Attach(channel);
        return device;
    };
    const auto first = device_on(from);
    return {first, device_on(to)};
}

}  // namespace watershed
