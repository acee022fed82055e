// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/simulator.h>

#include <functional>
#include <utility>
#include <vector>

#include "model/ejfat/ejfat-calendar.h"
#include "model/ejfat/ejfat-control-plane.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/base/watershed-timer.h"

namespace watershed {

/// Lets an EjfatControlPlane tick, and carries its messages, each of which takes the scenario's `message_delay`.
class EjfatController {
  public:
    /// @param context  number of its node
    EjfatController(std::uint32_t context, const Ejfat& ejfat, EjfatControlPlane& plane, EjfatMonitor& monitor)
        : m_context(context), m_ejfat(ejfat), m_plane(plane), m_monitor(monitor) {}
    /// @param install  gives the balancer a table
    void SetBalancer(std::function<void(const EjfatEpochs::Epoch&)> install) { m_install = std::move(install); }
    /// After the workers: the first tick finds all nodes that register at the very beginning.
    void Start() { m_timer.Schedule(m_context, m_ejfat.control.message_delay); }
    /// @param fill  tells how full the queue of the next node is, for the record
    void Add(std::function<double()> fill) { m_fills.push_back(std::move(fill)); }

    void Registered(int node) {
        Carry([this, node] { m_plane.register_node(node, Now()); });
    }
    void Deregistered(int node) {
        Carry([this, node] { m_plane.deregister_node(node); });
    }
    void Reported(int node, double signal) {
        Carry([this, node, signal] { m_plane.report(node, signal, Now()); });
    }
    void Synced(const EjfatSyncHeader& header) {
        Carry([this, header] { m_plane.sync(header.event, header.rate_hz, Now()); });
    }

  private:
    template <class Message>
    void Carry(Message message) {
        ns3::Simulator::Schedule(ToNs3(m_ejfat.control.message_delay), std::move(message));
    }
    void Tick() {
        const Time now = Now();
        EjfatResult::Sample sample{now, {}};
        for (const auto& fill : m_fills) sample.fill.push_back(fill());
        m_monitor.sample(std::move(sample));

        if (auto decision = m_plane.tick(now)) {
            EjfatResult::Epoch epoch{now, decision->table.first_event, std::vector<int>(m_fills.size(), 0)};
            for (std::size_t i = 0; i < decision->members.size(); ++i)
                epoch.slots[static_cast<std::size_t>(decision->members[i].node)] = decision->shares[i];
            m_monitor.epoch(std::move(epoch));
            Carry([this, table = std::move(decision->table)] { m_install(table); });
        }
        m_monitor.evicted(m_plane.evicted());
        if (!m_monitor.all_sent()) m_timer.Schedule(m_context, m_ejfat.control.tick);
    }

    std::uint32_t m_context;
    const Ejfat& m_ejfat;
    EjfatControlPlane& m_plane;
    std::function<void(const EjfatEpochs::Epoch&)> m_install;
    EjfatMonitor& m_monitor;
    std::vector<std::function<double()>> m_fills;
    WatershedTimer<EjfatController, &EjfatController::Tick> m_timer{this};
};

}  // namespace watershed
