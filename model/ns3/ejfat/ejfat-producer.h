// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include <optional>

#include "model/ejfat/ejfat-monitor.h"
#include "model/ejfat/ejfat-segments.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"

namespace watershed {

/// A data source: cuts its part of every event into packets for the balancer, and tells the control plane now and then
/// how far it is.
class EjfatProducer : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();

    /// All outlive the application. @param number of the source, from 0
    void Configure(ns3::Ptr<WatershedNetDevice> device, const Ejfat& ejfat, const EjfatPoint& point, int number,
                   std::uint64_t seed, EjfatMonitor& monitor);

  private:
    void StartApplication() override;
    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame, const Moment&) override {}
    void FrameLeft(std::uint32_t, const Moment&) override {}
    void SendEvent();
    void SendSync();

    ns3::Ptr<WatershedNetDevice> m_device;
    const EjfatSource* m_source = nullptr;
    std::optional<EjfatSegmenter> m_segmenter;
    std::optional<EjfatEventClock> m_clock;
    EjfatPoint m_point;
    Time m_lag{0};
    int m_number = 0;
    EjfatMonitor* m_monitor = nullptr;
    std::int64_t m_sent = 0;  ///< events
    std::int64_t m_sentAtSync = 0;
    Time m_ready{0};  ///< of the last packet
    WatershedTimer<EjfatProducer, &EjfatProducer::SendEvent> m_eventTimer{this};
    WatershedTimer<EjfatProducer, &EjfatProducer::SendSync> m_syncTimer{this};
};

}  // namespace watershed
