// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-departures.h"

#include <ns3/event-impl.h>
#include <ns3/simulator.h>

#include "model/ns3/base/watershed-time.h"

namespace watershed {

class WatershedDepartures::Instant final : public ns3::EventImpl {
  public:
    explicit Instant(WatershedDepartures* of) : m_departures(of) {}

    Time m_time{0};
    std::vector<WatershedNetDeviceImpl*> m_devices;

  private:
    void Notify() override { m_departures->Run(*this); }

    WatershedDepartures* m_departures;
};

WatershedDepartures::WatershedDepartures() = default;
WatershedDepartures::~WatershedDepartures() = default;

void WatershedDepartures::Add(WatershedNetDeviceImpl& device, std::uint32_t context, Time time, Time now) {
    if (!m_latest || m_latest->m_time != time) {
        if (m_idle.empty()) {
            m_instants.push_back(ns3::Create<Instant>(this));
            m_idle.push_back(ns3::PeekPointer(m_instants.back()));
        }
        m_latest = m_idle.back();
        m_idle.pop_back();
        m_latest->m_time = time;
        m_latest->Ref();  // the simulator gives it back once the event has run
        ns3::Simulator::ScheduleWithContext(context, ToNs3(time - now), m_latest);
    }
    m_latest->m_devices.push_back(&device);
}

void WatershedDepartures::Run(Instant& instant) {
    if (m_latest == &instant) m_latest = nullptr;
    for (WatershedNetDeviceImpl* const device : instant.m_devices) device->Departed();
    instant.m_devices.clear();
    m_idle.push_back(&instant);
}

}  // namespace watershed
