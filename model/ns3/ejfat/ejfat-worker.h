// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include "model/ejfat/ejfat-control-plane.h"
#include "model/ejfat/ejfat-host.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/ejfat/ejfat-controller.h"

namespace watershed {

/// A worker node: registers, hands packets to its EjfatHost, reports what its controller wants, deregisters or falls
/// silent.
class EjfatWorker : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();

    /// All outlive the application. @param number of the node, from 0
    void Configure(ns3::Ptr<WatershedNetDevice> device, const Ejfat& ejfat, int number, EjfatHost& host,
                   EjfatController& controller, EjfatMonitor& monitor);
    /// Share of the queue that is full; -1 before the node has joined and once it has failed.
    double GetFill();

  private:
    void StartApplication() override;
    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void Join();
    void Leave();
    void Report();

    const Ejfat* m_ejfat = nullptr;
    int m_number = 0;
    EjfatHost* m_host = nullptr;
    EjfatController* m_controller = nullptr;
    EjfatMonitor* m_monitor = nullptr;
    std::optional<EjfatPid> m_pid;
    bool m_joined = false, m_left = false;
    WatershedTimer<EjfatWorker, &EjfatWorker::Join> m_joinTimer{this};
    WatershedTimer<EjfatWorker, &EjfatWorker::Leave> m_leaveTimer{this};
    WatershedTimer<EjfatWorker, &EjfatWorker::Report> m_reportTimer{this};
};

}  // namespace watershed
