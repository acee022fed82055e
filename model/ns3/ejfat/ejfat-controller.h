// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <vector>

#include "model/ejfat/ejfat-control-plane.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/base/watershed-timer.h"

namespace watershed {

class EjfatLoadBalancer;

/// Lets an EjfatControlPlane tick, and carries its messages, each of which takes the scenario's `message_delay`.
class EjfatController {
  public:
    /// @param context  number of its node
    EjfatController(std::uint32_t context, const Ejfat& ejfat, EjfatControlPlane& plane, EjfatMonitor& monitor)
        : m_context(context), m_ejfat(ejfat), m_plane(plane), m_monitor(monitor) {}
    void SetBalancer(EjfatLoadBalancer& balancer) { m_balancer = &balancer; }
    /// After the workers: the first tick finds all nodes that register at the very beginning.
    void Start() { m_timer.Schedule(m_context, m_ejfat.control.message_delay); }
    /// @param fill  tells how full the queue of the next node is, for the record
    void Add(std::function<double()> fill) { m_fills.push_back(std::move(fill)); }

    void Registered(int node);
    void Deregistered(int node);
    void Reported(int node, double signal);
    void Synced(const EjfatSyncHeader& header);

  private:
    void Tick();

    std::uint32_t m_context;
    const Ejfat& m_ejfat;
    EjfatControlPlane& m_plane;
    EjfatLoadBalancer* m_balancer = nullptr;
    EjfatMonitor& m_monitor;
    std::vector<std::function<double()>> m_fills;
    WatershedTimer<EjfatController, &EjfatController::Tick> m_timer{this};
};

}  // namespace watershed
