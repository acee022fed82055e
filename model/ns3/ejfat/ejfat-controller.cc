// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-controller.h"

#include <ns3/simulator.h>

#include "model/ns3/ejfat/ejfat-load-balancer.h"

namespace watershed {

void EjfatController::Registered(int node) {
    ns3::Simulator::Schedule(ToNs3(m_ejfat.control.message_delay),
                             [this, node] { m_plane.register_node(node, Now()); });
}

void EjfatController::Deregistered(int node) {
    ns3::Simulator::Schedule(ToNs3(m_ejfat.control.message_delay), [this, node] { m_plane.deregister_node(node); });
}

void EjfatController::Reported(int node, double signal) {
    ns3::Simulator::Schedule(ToNs3(m_ejfat.control.message_delay),
                             [this, node, signal] { m_plane.report(node, signal, Now()); });
}

void EjfatController::Synced(const EjfatSyncHeader& header) {
    ns3::Simulator::Schedule(ToNs3(m_ejfat.control.message_delay),
                             [this, header] { m_plane.sync(header.event, header.rate_hz, Now()); });
}

void EjfatController::Tick() {
    const Time now = Now();
    EjfatResult::Sample sample{now, {}};
    for (const auto& fill : m_fills) sample.fill.push_back(fill());
    m_monitor.sample(std::move(sample));

    if (auto decision = m_plane.tick(now)) {
        EjfatResult::Epoch epoch{now, decision->table.first_event, std::vector<int>(m_fills.size(), 0)};
        for (std::size_t i = 0; i < decision->members.size(); ++i)
            epoch.slots[static_cast<std::size_t>(decision->members[i].node)] = decision->shares[i];
        m_monitor.epoch(std::move(epoch));
        ns3::Simulator::Schedule(ToNs3(m_ejfat.control.message_delay),
                                 [this, table = std::move(decision->table)] { m_balancer->Install(table); });
    }
    m_monitor.evicted(m_plane.evicted());
    if (!m_monitor.all_sent()) m_timer.Schedule(m_context, m_ejfat.control.tick);
}

}  // namespace watershed
