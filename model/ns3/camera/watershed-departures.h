// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/ns3/device/watershed-net-device-impl.h"

namespace watershed {

/// When frames leave the ports that share it. Ports whose frames leave at the same instant, as those of a synchronous
/// camera do, are called by one simulator event; it is scheduled when the first of them asks. Events are used again,
/// none is allocated twice. Ports are their nodes', and so there as long as the simulator runs events.
class WatershedDepartures : public WatershedSharedDepartures {
  public:
    WatershedDepartures();
    ~WatershedDepartures() override;

    void Add(WatershedNetDeviceImpl& device, std::uint32_t context, Time time, Time now) override;

  private:
    class Instant;

    void Run(Instant& instant);

    Instant* m_latest = nullptr;                ///< the one scheduled last, if it is still to come
    std::vector<ns3::Ptr<Instant>> m_instants;  ///< all
    std::vector<Instant*> m_idle;               ///< for use again
};

}  // namespace watershed
