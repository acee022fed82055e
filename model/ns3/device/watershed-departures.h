// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/ptr.h>
#include <ns3/simple-ref-count.h>

#include <cstdint>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

class WatershedNetDeviceImpl;

/// When frames leave the ports that share it. Ports whose frames leave at the same instant, as those of a synchronous
/// camera do, are called by one simulator event; it is scheduled when the first of them asks. Events are used again,
/// none is allocated twice. Ports are their nodes', and so there as long as the simulator runs events.
class WatershedDepartures : public ns3::SimpleRefCount<WatershedDepartures> {
  public:
    WatershedDepartures();
    ~WatershedDepartures();

    /// Calls the device's Departed() at `time`. @param context  its node's number
    void Add(WatershedNetDeviceImpl& device, std::uint32_t context, Time time, Time now);

  private:
    class Instant;

    void Run(Instant& instant);

    Instant* m_latest = nullptr;                ///< the one scheduled last, if it is still to come
    std::vector<ns3::Ptr<Instant>> m_instants;  ///< all
    std::vector<Instant*> m_idle;               ///< for use again
};

}  // namespace watershed
