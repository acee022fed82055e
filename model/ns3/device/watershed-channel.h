// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/channel.h>
#include <ns3/log.h>
#include <ns3/nstime.h>
#include <ns3/traced-callback.h>

#include <array>

#include "model/base/down-times.h"
#include "model/base/timestamp.h"
#include "model/ns3/frame/watershed-frame.h"

namespace watershed {

class WatershedNetDeviceImpl;

/// A full-duplex cable between two devices.
class WatershedChannel : public ns3::Channel {
  public:
    static ns3::TypeId GetTypeId();

    void Attach(ns3::Ptr<WatershedNetDeviceImpl> device);
    /// Called at the instant the frame's first bit leaves the sender. @param end when the last one will
    void Announce(const WatershedNetDeviceImpl* sender, WatershedFrame frame, const Timestamp& end,
                  const Timestamp& now);
    /// Called when the frame's last bit has left the sender; with no delay it arrives within this call, by no event.
    /// @param begin  when its first bit left
    void Transmit(const WatershedNetDeviceImpl* sender, WatershedFrame&& frame, const Timestamp& begin,
                  const Timestamp& now);
    /// Delivers a frame that has left before, to a receiver that takes it late.
    void TransmitLate(const WatershedNetDeviceImpl* sender, WatershedFrame&& frame, const Timestamp& left);
    /// Null if the cable has one end.
    WatershedNetDeviceImpl* GetOther(const WatershedNetDeviceImpl* device) const {
        return ns3::PeekPointer(Other(device));
    }

    bool HasDelay() const { return !m_delay.IsZero(); }
    /// The cable fails now, and loses the frames that are on it, or comes back.
    void SetUp(bool up);
    bool IsUp() const { return m_up; }

    std::size_t GetNDevices() const override { return m_attached; }
    ns3::Ptr<ns3::NetDevice> GetDevice(std::size_t i) const override;

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it
    void DoDispose() override;
    /// The last bit has come to the other end, unless the cable has failed since the first one left.
    void Deliver(WatershedNetDeviceImpl& receiver, WatershedFrame&& frame, const Timestamp& begin,
                 const Timestamp& now);
    const ns3::Ptr<WatershedNetDeviceImpl>& Other(const WatershedNetDeviceImpl* device) const {
        return m_devices[device == ns3::PeekPointer(m_devices[0]) ? 1 : 0];
    }

    std::array<ns3::Ptr<WatershedNetDeviceImpl>, 2> m_devices;
    std::size_t m_attached = 0;
    ns3::Time m_delay;
    bool m_up = true;
    DownTimes m_downTimes;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_drop;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, ns3::Ptr<ns3::NetDevice>, ns3::Ptr<ns3::NetDevice>, ns3::Time,
                        ns3::Time>
        m_animation;
};

}  // namespace watershed
