// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/ejfat/ejfat-control-plane.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-host.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/ejfat/ejfat-controller.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

/// A worker node: registers, hands packets to its EjfatHost, reports what its controller wants, deregisters or falls
/// silent.
class EjfatWorker : private WatershedHost {
  public:
    /// @param number of the node, from 0
    EjfatWorker(const ns3::Ptr<WatershedNetDeviceImpl>& device, const Ejfat& ejfat, int number, EjfatHost& host,
                EjfatController& controller, EjfatMonitor& monitor)
        : WatershedHost(device),
          m_ejfat(ejfat),
          m_number(number),
          m_host(host),
          m_controller(controller),
          m_monitor(monitor),
          m_pid(ejfat.control) {}
    void Start() {
        const Time joins = repeated(m_ejfat.nodes.joins, m_number);
        if (joins == Time{0})
            Join();
        else
            m_joinTimer.Schedule(GetContext(), joins);
        if (const auto leaves = repeated(m_ejfat.nodes.leaves, m_number)) m_leaveTimer.Schedule(GetContext(), *leaves);
    }
    /// Share of the queue that is full; -1 before the node has joined and once it has failed.
    double GetFill() {
        const Time now = Now();
        return m_joined && !m_host.failed(now) ? m_host.fill(now) : -1;
    }

  private:
    void Arrived(WatershedFrame&& frame, Time now) override {
        const auto headers = ReadAtNode(*frame.GetPacket()).value();
        m_host.arrive(headers.reassembly, headers.data, ejfat_thread_of(headers.to), headers.payload, now);
    }
    void Join() {
        if (m_monitor.all_sent()) return;  // too late for this run
        m_joined = true;
        m_controller.Registered(m_number);
        Report();
    }
    void Leave() {
        m_left = true;
        m_controller.Deregistered(m_number);
    }
    void Report() {
        const Time now = Now();
        if (m_left || m_host.failed(now)) return;
        m_controller.Reported(m_number, m_pid.step(m_host.fill(now), now));
        if (!m_monitor.all_sent()) m_reportTimer.Schedule(GetContext(), m_ejfat.control.report_period);
    }

    const Ejfat& m_ejfat;
    int m_number;
    EjfatHost& m_host;
    EjfatController& m_controller;
    EjfatMonitor& m_monitor;
    EjfatPid m_pid;
    bool m_joined = false, m_left = false;
    WatershedTimer<EjfatWorker, &EjfatWorker::Join> m_joinTimer{this};
    WatershedTimer<EjfatWorker, &EjfatWorker::Leave> m_leaveTimer{this};
    WatershedTimer<EjfatWorker, &EjfatWorker::Report> m_reportTimer{this};
};

}  // namespace watershed
