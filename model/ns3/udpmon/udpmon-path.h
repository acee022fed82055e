// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>

#include <optional>

#include "model/base/random.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/udpmon/udpmon-host.h"
#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// The network between two UDPmon hosts as one hop: it polices, loses and overtakes, and forwards the rest from its
/// first device to its second.
class UdpmonNetwork : public ns3::Object, private WatershedFrameHandler {
  public:
    static constexpr LossCause kPoliced{"path", "policed"};
    static constexpr LossCause kDamaged{"path", "damaged"};

    static ns3::TypeId GetTypeId();

    /// @param counted what a packet costs the policer
    void Configure(ns3::Ptr<WatershedNetDevice> from, ns3::Ptr<WatershedNetDevice> to, const UdpmonPath& path,
                   Bytes counted, std::uint64_t seed, UdpmonMonitor& monitor);

  private:
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void Forward(WatershedFrame frame);
    bool OneIn(std::int64_t many, Stream stream) const;

    ns3::Ptr<WatershedNetDevice> m_to;
    const UdpmonPath* m_path = nullptr;
    std::optional<TokenBucket> m_policer;
    Bytes m_counted;
    std::uint64_t m_seed = 1;
    std::uint64_t m_arrived = 0;
    UdpmonMonitor* m_monitor = nullptr;
};

}  // namespace watershed
