// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/base/serializer.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ejfat/ejfat-segments.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

/// A data source: cuts its part of every event into packets for the balancer, and tells the control plane now and then
/// how far it is.
class EjfatProducer : private WatershedHost {
  public:
    /// @param number of the source, from 0
    EjfatProducer(ns3::Ptr<WatershedNetDeviceImpl> device, const Ejfat& ejfat, const EjfatPoint& point, int number,
                  std::uint64_t seed, EjfatMonitor& monitor)
        : WatershedHost(device),
          m_source(ejfat.source),
          m_segmenter(ejfat.source, point.event_size),
          m_clock(ejfat.source, point, seed),
          m_point(point),
          m_lag(repeated(ejfat.source.lag, number)),
          m_number(number),
          m_monitor(monitor) {}
    void Start() {
        SendSync();
        ScheduleEvent(Time{0});
    }

  private:
    static constexpr std::int64_t kWire = 38;  ///< preamble 8, MAC 14, FCS 4, gap 12

    void SendEvent() {
        const Time now = Now();
        const auto event = static_cast<std::uint64_t>(m_source.first_event + m_sent);
        m_monitor.event_created(event, now - m_lag);
        const std::int64_t packets = m_segmenter.packets(m_number);
        Serializer pace(m_source.pace_rate);
        Time ready = std::max(now, m_ready);
        EjfatToBalancer headers;
        headers.balancer = {static_cast<std::uint16_t>(m_sent % m_source.entropies), event};
        headers.reassembly = {static_cast<std::uint16_t>(m_number), 0,
                              static_cast<std::uint32_t>(m_segmenter.part(m_number)), event};
        for (std::int64_t i = 0; i < packets; ++i) {
            headers.data = Bytes{m_segmenter.data(m_number, i)};
            m_monitor.packet_sent(event);
            if (m_source.pace == EjfatSource::Pace::Stream)
                m_ready = std::max(
                    m_ready, now + Time{static_cast<std::int64_t>(Wide{event_period(m_point).count()} * i / packets)});
            else
                m_ready = ready;
            m_device->SendFrame(MakeEjfatSegment(ejfat_source_end(m_number), ejfat_balancer_end(), headers), m_ready,
                                now);
            if (m_source.pace == EjfatSource::Pace::Rate)
                ready = pace.send(ready, headers.data + Bytes{EjfatSegmenter::kHeaders + kWire}).time;
            headers.reassembly.offset += static_cast<std::uint32_t>(headers.data.count);
        }
        if (m_source.pace == EjfatSource::Pace::Rate) m_ready = ready;
        if (++m_sent < m_source.events) ScheduleEvent(now);
    }
    void ScheduleEvent(Time now) { m_eventTimer.Schedule(GetContext(), m_clock.next() + m_lag - now); }
    void SendSync() {
        const Time now = Now();
        const auto event = static_cast<std::uint64_t>(m_source.first_event + std::max<std::int64_t>(m_sent, 1) - 1);
        const Wide rate = Wide{m_sent - m_sentAtSync} * 1'000'000'000'000 / m_source.sync_period.count();
        m_sentAtSync = m_sent;
        m_monitor.sync_sent();
        m_device->SendFrame(
            MakeEjfatSync(ejfat_source_end(m_number), ejfat_balancer_end(),
                          {static_cast<std::uint32_t>(m_number), event, static_cast<std::uint32_t>(rate),
                           static_cast<std::uint64_t>(now.count() / 1000)}),
            std::max(now, m_ready), now);
        if (m_sent < m_source.events) m_syncTimer.Schedule(GetContext(), m_source.sync_period);
    }

    const EjfatSource& m_source;
    EjfatSegmenter m_segmenter;
    EjfatEventClock m_clock;
    EjfatPoint m_point;
    Time m_lag;
    int m_number;
    EjfatMonitor& m_monitor;
    std::int64_t m_sent = 0;  ///< events
    std::int64_t m_sentAtSync = 0;
    Time m_ready{0};  ///< time of the last packet
    WatershedTimer<EjfatProducer, &EjfatProducer::SendEvent> m_eventTimer{this};
    WatershedTimer<EjfatProducer, &EjfatProducer::SendSync> m_syncTimer{this};
};

}  // namespace watershed
