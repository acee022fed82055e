// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/simulator.h>

#include "model/ns3/base/watershed-time.h"

namespace watershed {

/// ns-3's simulator for the length of one test, at picosecond resolution.
struct Simulation {
    Simulation() {
        if (ns3::Time::GetResolution() != ns3::Time::PS) ns3::Time::SetResolution(ns3::Time::PS);
    }
    ~Simulation() { ns3::Simulator::Destroy(); }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;
};

}  // namespace watershed
