// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/node.h>

#include <cstdint>
#include <utility>

#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"

namespace watershed {

/// A host of a system with one device, whose frames it takes in place of a protocol stack. It outlives the device's
/// last event.
class WatershedHost : protected WatershedFrameHandler {
  protected:
    explicit WatershedHost(ns3::Ptr<WatershedNetDeviceImpl> device) : m_device(device) {
        m_device->SetFrameHandler(this, 0);
    }
    /// A whole frame has arrived, now.
    virtual void Arrived(WatershedFrame&& /*frame*/, Time /*now*/) {}
    /// Number of its node, on whose behalf it acts.
    std::uint32_t GetContext() const { return m_device->GetNode()->GetId(); }

    ns3::Ptr<WatershedNetDeviceImpl> m_device;

  private:
    void FrameArrived(std::uint32_t, WatershedFrame&& frame, const Timestamp& now) override {
        Arrived(std::move(frame), now.time);
    }
};

}  // namespace watershed
