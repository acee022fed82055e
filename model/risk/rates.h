// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/network/network-scenario.h"

namespace watershed {

/// How long so much keeps a link, in seconds.
double seconds_of(Bytes wire, BitRate rate);
/// How long an event keeps a module's link, in seconds, pauses between its frames included.
double link_seconds(const NetworkScenario& scenario);
/// How long an event keeps the busiest uplink of the first or of the second tier, in seconds; 0 where there is none.
double uplink_seconds(const NetworkScenario& scenario, bool of_second_tier);

/// What follows from rates alone, for the links that the network gives its modules' frames to.
struct Rates {
    double load = 0;            ///< of the busiest uplink at the accepted trigger rate
    double link_load = 0;       ///< of the modules' links
    double saturation_khz = 0;  ///< accepted triggers that fill the busiest of all links
    double capacity = 0;        ///< that over the accepted rate
    double latency_us = 0;      ///< mean, from a trigger to the last frame at the server, without the switches' own;
                                ///< infinite above capacity
    bool second_tier = false;   ///< has the busiest uplink
};
Rates rates_of(const NetworkScenario& scenario);

}  // namespace watershed
