// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-load-balancer.h"

#include <algorithm>
#include <stdexcept>

#include "model/base/random.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(EjfatLoadBalancer);

ns3::TypeId EjfatLoadBalancer::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::EjfatLoadBalancer")
                                       .SetParent<ns3::Object>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<EjfatLoadBalancer>();
    return tid;
}

void EjfatLoadBalancer::Configure(const Ejfat& ejfat, std::uint64_t seed, EjfatMonitor& monitor,
                                  EjfatController& controller) {
    m_ejfat = &ejfat;
    m_seed = seed;
    m_monitor = &monitor;
    m_controller = &controller;
}

void EjfatLoadBalancer::Install(EjfatEpochs::Epoch epoch) {
    if (m_furthest > 0 && epoch.first_event <= m_furthest) m_monitor->epoch_late();
    m_epochs.add(std::move(epoch));
}

void EjfatLoadBalancer::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const ns3::Ptr<ns3::Packet>& packet = frame.GetPacket();
    const auto headers = ReadAtBalancer(*packet);
    if (!headers) {
        const auto sync = ReadSync(*packet);
        if (!sync) throw std::logic_error("a packet at the balancer is neither of an event nor of synchronisation");
        return m_controller->Synced(*sync);
    }
    const std::uint64_t event = headers->balancer.event;
    const std::int64_t one_in = m_ejfat->source.loss_one_in;
    if (one_in > 0 && uniform_up_to(random_bits(m_seed, Stream::EjfatLoss, ++m_arrived), one_in - 1) == 0)
        return m_monitor->lost(event, kDamaged);
    const int node = m_epochs.node_of(event);
    if (node == watershed::kNoNode) return m_monitor->lost(event, kNoNode);
    m_monitor->at_balancer(event, node, now);
    m_furthest = std::max(m_furthest, event);

    Readdress(*packet, *headers, ejfat_node_end(node, headers->balancer.entropy % m_ejfat->nodes.receive_threads));
    if (!m_output->SendFrame(packet, now + m_ejfat->balancer.latency, now)) m_monitor->lost(event, kQueueFull);
}

void EjfatLoadBalancer::DoDispose() {
    m_output = nullptr;
    Object::DoDispose();
}

}  // namespace watershed
