// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <vector>

#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-net-device-impl.h"

namespace watershed {

/// When frames leave the ports that share it. Ports whose frames leave at the same instant, as those of a synchronous
/// camera do, are called by one simulator event; it is scheduled when the first of them asks. Events are used again,
/// none is allocated twice. Ports are their nodes', and so there as long as the simulator runs events.
class WatershedDepartures : public WatershedSharedDepartures {
  public:
    void Add(WatershedNetDeviceImpl& device, std::uint32_t context, Time time, Time now) override {
        if (!m_latest || m_latest->time != time) {
            if (m_idle.empty()) m_idle.push_back(&m_instants.emplace_back(*this));
            m_latest = m_idle.back();
            m_idle.pop_back();
            m_latest->time = time;
            m_latest->timer.Schedule(context, time - now);
        }
        m_latest->devices.push_back(&device);
    }

  private:
    struct Instant {
        explicit Instant(WatershedDepartures& departures) : of(departures) {}
        void Run() {
            if (of.m_latest == this) of.m_latest = nullptr;
            for (WatershedNetDeviceImpl* const device : devices) device->Departed();
            devices.clear();
            of.m_idle.push_back(this);
        }

        WatershedDepartures& of;
        Time time{0};
        std::vector<WatershedNetDeviceImpl*> devices;
        WatershedTimer<Instant, &Instant::Run> timer{this};
    };

    Instant* m_latest = nullptr;     ///< the one scheduled last, if it is still to come
    std::deque<Instant> m_instants;  ///< all, which do not move
    std::vector<Instant*> m_idle;    ///< for use again
};

}  // namespace watershed
