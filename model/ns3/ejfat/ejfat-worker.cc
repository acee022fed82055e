// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-worker.h"

#include <ns3/node.h>

#include "model/ejfat/ejfat-headers.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(EjfatWorker);

ns3::TypeId EjfatWorker::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::EjfatWorker")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<EjfatWorker>();
    return tid;
}

void EjfatWorker::Configure(ns3::Ptr<WatershedNetDevice> device, const Ejfat& ejfat, int number, EjfatHost& host,
                            EjfatController& controller, EjfatMonitor& monitor) {
    m_ejfat = &ejfat;
    m_number = number;
    m_host = &host;
    m_controller = &controller;
    m_monitor = &monitor;
    m_pid.emplace(ejfat.control);
    device->SetFrameHandler(this, 0);
}

double EjfatWorker::GetFill() {
    const Time now = Now();
    return m_joined && !m_host->failed(now) ? m_host->fill(now) : -1;
}

void EjfatWorker::StartApplication() {
    const std::uint32_t context = GetNode()->GetId();
    const Time joins = repeated(m_ejfat->nodes.joins, m_number);
    if (joins == Time{0})
        Join();
    else
        m_joinTimer.Schedule(context, joins);
    if (const auto leaves = repeated(m_ejfat->nodes.leaves, m_number)) m_leaveTimer.Schedule(context, *leaves);
}

void EjfatWorker::Join() {
    if (m_monitor->all_sent()) return;  // too late for this run
    m_joined = true;
    m_controller->Registered(m_number);
    Report();
}

void EjfatWorker::Leave() {
    m_left = true;
    m_controller->Deregistered(m_number);
}

void EjfatWorker::Report() {
    const Time now = Now();
    if (m_left || m_host->failed(now)) return;
    m_controller->Reported(m_number, m_pid->step(m_host->fill(now), now));
    if (!m_monitor->all_sent()) m_reportTimer.Schedule(GetNode()->GetId(), m_ejfat->control.report_period);
}

void EjfatWorker::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const auto headers = ReadAtNode(*frame.GetPacket()).value();
    m_host->arrive(headers.reassembly, headers.data, ejfat_thread_of(headers.to), headers.payload, now);
}

void EjfatWorker::DoDispose() {
    m_joinTimer.Cancel();
    m_leaveTimer.Cancel();
    m_reportTimer.Cancel();
    Application::DoDispose();
}

}  // namespace watershed
