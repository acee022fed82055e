// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/simulator.h>

#include <stdexcept>

namespace watershed {

/// ns-3's simulator for the time of one run, at picosecond resolution.
class Ns3Session {
  public:
    /// @throws std::runtime_error if ns-3 already runs at another resolution, which can be set once in a process
    Ns3Session() {
        if (ns3::Time::GetResolution() != ns3::Time::PS) {
            if (ns3::Simulator::Now().GetTimeStep() != 0 || ns3::Simulator::GetEventCount() != 0)
                throw std::runtime_error("ns-3 is running at another time resolution than the picosecond");
            ns3::Time::SetResolution(ns3::Time::PS);
        }
        ns3::Simulator::SetScheduler(ns3::ObjectFactory("ns3::PriorityQueueScheduler"));
    }
    ~Ns3Session() { ns3::Simulator::Destroy(); }
    Ns3Session(const Ns3Session&) = delete;
    Ns3Session& operator=(const Ns3Session&) = delete;
};

}  // namespace watershed
