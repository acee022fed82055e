// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-departures.h"

#include <ns3/event-impl.h>
#include <ns3/simulator.h>

#include "model/ns3/base/watershed-time.h"
#include "model/ns3/device/watershed-net-device.h"

namespace watershed {

class WatershedDepartures::Instant final : public ns3::EventImpl {
  public:
    /// While it is scheduled it keeps `departures`; while it is idle, the other way round.
    void Begin(ns3::Ptr<WatershedDepartures> departures, Time time) {
        m_departures = departures;
        m_time = time;
    }

    ns3::Ptr<WatershedDepartures> m_departures;
    Time m_time{0};
    std::vector<ns3::Ptr<WatershedNetDevice>> m_devices;

  private:
    void Notify() override { m_departures->Run(*this); }
};

WatershedDepartures::WatershedDepartures() = default;
WatershedDepartures::~WatershedDepartures() = default;

void WatershedDepartures::Add(ns3::Ptr<WatershedNetDevice> device, Time time, Time now) {
    if (!m_latest || m_latest->m_time != time) {
        ns3::Ptr<Instant> instant;
        if (m_idle.empty()) {
            instant = ns3::Create<Instant>();
        } else {
            instant = std::move(m_idle.back());
            m_idle.pop_back();
        }
        instant->Begin(this, time);
        m_latest = ns3::PeekPointer(instant);
        ns3::Simulator::ScheduleWithContext(device->GetNode()->GetId(), ToNs3(time - now), ns3::GetPointer(instant));
    }
    m_latest->m_devices.push_back(std::move(device));
}

void WatershedDepartures::Run(Instant& instant) {
    if (m_latest == &instant) m_latest = nullptr;
    const ns3::Ptr<WatershedDepartures> keep = instant.m_departures;
    instant.m_departures = nullptr;  // ns-3's pointers copy where others move
    const Time now = Now();
    for (const auto& device : instant.m_devices) device->Departed(now);
    instant.m_devices.clear();
    m_idle.push_back(&instant);
}

}  // namespace watershed
