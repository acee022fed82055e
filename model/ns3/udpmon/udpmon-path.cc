// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/udpmon/udpmon-path.h"

#include <ns3/simulator.h>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(UdpmonNetwork);

ns3::TypeId UdpmonNetwork::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::UdpmonNetwork")
                                       .SetParent<ns3::Object>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<UdpmonNetwork>();
    return tid;
}

void UdpmonNetwork::Configure(ns3::Ptr<WatershedNetDevice> from, ns3::Ptr<WatershedNetDevice> to,
                              const UdpmonPath& path, Bytes counted, std::uint64_t seed, UdpmonMonitor& monitor) {
    m_to = to;
    m_path = &path;
    if (path.policed) m_policer.emplace(*path.policed, path.burst);
    m_counted = counted;
    m_seed = seed;
    m_monitor = &monitor;
    from->SetFrameHandler(this, 0);
}

void UdpmonNetwork::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    ++m_arrived;
    if (OneIn(m_path->loss_one_in, Stream::UdpmonLoss)) return m_monitor->lost(kDamaged);
    if (m_policer && !m_policer->conforms(now, m_counted)) return m_monitor->lost(kPoliced);
    if (OneIn(m_path->reorder_one_in, Stream::UdpmonReorder))
        ns3::Simulator::Schedule(ToNs3(m_path->reorder_delay), &UdpmonNetwork::Forward, ns3::Ptr<UdpmonNetwork>(this),
                                 frame);
    else
        Forward(std::move(frame));
}

void UdpmonNetwork::Forward(WatershedFrame frame) { m_to->SendFrame(std::move(frame), Now()); }

bool UdpmonNetwork::OneIn(std::int64_t many, Stream stream) const {
    return many > 0 && uniform_up_to(random_bits(m_seed, stream, m_arrived), many - 1) == 0;
}

}  // namespace watershed
