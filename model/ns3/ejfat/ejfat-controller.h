// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include <functional>
#include <vector>

#include "model/ejfat/ejfat-control-plane.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/base/watershed-timer.h"

namespace watershed {

class EjfatLoadBalancer;

/// Lets an EjfatControlPlane tick, and carries its messages, each of which takes the scenario's `message_delay`.
class EjfatController : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();

    /// All outlive the application.
    void Configure(const Ejfat& ejfat, EjfatControlPlane& plane, EjfatLoadBalancer& balancer, EjfatMonitor& monitor);
    /// @param fill  tells how full the queue of the next node is, for the record
    void Add(std::function<double()> fill) { m_fills.push_back(std::move(fill)); }

    void Registered(int node);
    void Deregistered(int node);
    void Reported(int node, double signal);
    void Synced(const EjfatSyncHeader& header);

  private:
    void StartApplication() override;
    void DoDispose() override;
    void Tick();

    const Ejfat* m_ejfat = nullptr;
    EjfatControlPlane* m_plane = nullptr;
    EjfatLoadBalancer* m_balancer = nullptr;
    EjfatMonitor* m_monitor = nullptr;
    std::vector<std::function<double()>> m_fills;
    WatershedTimer<EjfatController, &EjfatController::Tick> m_timer{this};
};

}  // namespace watershed
