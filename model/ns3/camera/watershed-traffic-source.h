// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <optional>

#include "model/frontend/stream-train.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// A stream beside the camera: sends a frame at every time of its train.
class WatershedTrafficSource : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();

    WatershedTrafficSource(ns3::Ptr<WatershedNetDeviceImpl> device, const WatershedFragmentFrame& frame,
                           StreamTrain train)
        : m_device(device), m_frame(frame), m_train(std::move(train)) {}

  private:
    void StartApplication() override;
    void DoDispose() override;
    /// Sends all frames that are ready now.
    void Fire();

    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    WatershedFragmentFrame m_frame;
    StreamTrain m_train;
    std::optional<Time> m_next;
    std::int64_t m_frames = 0;
    WatershedTimer<WatershedTrafficSource, &WatershedTrafficSource::Fire> m_timer{this};
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_tx;
};

}  // namespace watershed
