// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>
#include <ns3/simulator.h>

#include <optional>

#include "model/base/random.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/udpmon/udpmon-host.h"
#include "model/udpmon/udpmon-monitor.h"

namespace watershed {

/// The network between two UDPmon hosts as one hop: it polices, loses and overtakes, and forwards the rest from its
/// first device to its second.
class UdpmonNetwork : public ns3::Object, private WatershedFrameHandler {
  public:
    static constexpr LossCause kPoliced{"path", "policed"};
    static constexpr LossCause kDamaged{"path", "damaged"};

    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId tid = ns3::TypeId("ns3::UdpmonNetwork").SetParent<ns3::Object>();
        return tid;
    }

    /// @param counted what a packet costs the policer
    void Configure(ns3::Ptr<WatershedNetDeviceImpl> from, ns3::Ptr<WatershedNetDeviceImpl> to, const UdpmonPath& path,
                   Bytes counted, std::uint64_t seed, UdpmonMonitor& monitor) {
        m_to = to;
        m_path = &path;
        if (path.policed) m_policer.emplace(*path.policed, path.burst);
        m_counted = counted;
        m_seed = seed;
        m_monitor = &monitor;
        from->SetFrameHandler(this, 0);
    }

  private:
    void FrameArrived(std::uint32_t, WatershedFrame&& frame, const Timestamp& moment) override {
        const Time now = moment.time;
        ++m_arrived;
        if (OneIn(m_path->loss_one_in, Stream::UdpmonLoss)) return m_monitor->lost(kDamaged);
        if (m_policer && !m_policer->conforms(now, m_counted)) return m_monitor->lost(kPoliced);
        if (OneIn(m_path->reorder_one_in, Stream::UdpmonReorder))
            ns3::Simulator::Schedule(ToNs3(m_path->reorder_delay), &UdpmonNetwork::Forward,
                                     ns3::Ptr<UdpmonNetwork>(this), frame);
        else
            Forward(std::move(frame));
    }
    void Forward(WatershedFrame frame) { m_to->SendFrame(std::move(frame), Now()); }
    bool OneIn(std::int64_t many, Stream stream) const {
        return many > 0 && uniform_up_to(random_bits(m_seed, stream, m_arrived), many - 1) == 0;
    }

    ns3::Ptr<WatershedNetDeviceImpl> m_to;
    const UdpmonPath* m_path = nullptr;
    std::optional<TokenBucket> m_policer;
    Bytes m_counted;
    std::uint64_t m_seed = 1;
    std::uint64_t m_arrived = 0;
    UdpmonMonitor* m_monitor = nullptr;
};

}  // namespace watershed
