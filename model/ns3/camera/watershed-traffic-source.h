// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/node.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/frontend/stream-train.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// A stream beside the camera: sends a frame at every time of its train.
class WatershedTrafficSource {
  public:
    WatershedTrafficSource(ns3::Ptr<WatershedNetDeviceImpl> device, const WatershedFragmentFrame& frame,
                           StreamTrain train)
        : m_device(device), m_frame(frame), m_train(std::move(train)), m_next(m_train.next()) {}
    /// Tells of each frame that is offered to the port.
    void SetListener(std::function<void(const ns3::Packet&)> listener) { m_listener = std::move(listener); }
    /// Sends all frames that are ready now, and the others when they are.
    void Send() {
        const Time now = Now();
        for (; m_next && *m_next == now; m_next = m_train.next()) {
            if (++m_frames > EventHeader::kLargestEvent)
                throw std::length_error("the header of a stream's frames counts up to 2^32 - 1");
            WatershedFrame frame(&m_frame, static_cast<std::uint32_t>(m_frames));
            if (m_listener) m_listener(*frame.GetPacket());
            m_device->SendFrame(std::move(frame), now);
        }
        if (m_next) m_timer.Schedule(m_device->GetNode()->GetId(), *m_next - now);
    }

  private:
    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    WatershedFragmentFrame m_frame;
    StreamTrain m_train;
    std::optional<Time> m_next;
    std::int64_t m_frames = 0;
    std::function<void(const ns3::Packet&)> m_listener;
    WatershedTimer<WatershedTrafficSource, &WatershedTrafficSource::Send> m_timer{this};
};

}  // namespace watershed
