// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>

#include "model/base/unsupported-key.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"

namespace watershed {

/// Time that `wire` bytes keep a link busy, in seconds.
double seconds_of(Bytes wire, BitRate rate);
/// Time that an event keeps a module's link busy, in seconds, pauses between its frames included.
double link_seconds(const NetworkScenario& scenario);
/// Time that an event keeps the busiest uplink of each tier busy, in seconds; 0 if there is none.
struct UplinkSeconds {
    double first = 0, second = 0;

    static UplinkSeconds of(const NetworkScenario& scenario);
};

/// Loads and losses that follow from rates alone, for the links that the network gives its modules' frames to.
struct Rates {
    double load = 0;            ///< load of the busiest uplink at the accepted trigger rate
    double link_load = 0;       ///< load of the modules' links
    double saturation_khz = 0;  ///< accepted triggers that fill the busiest of all links
    double capacity = 0;        ///< saturation_khz over the accepted rate
    double latency_us = 0;      ///< mean, from a trigger to the last frame at the server, without the switches' own;
                                ///< infinite above capacity, and where groups or builders leave it unknown
    bool second_tier = false;   ///< has the busiest uplink
};
Rates rates_of(const NetworkScenario& scenario);

/// Certain bounds of the chance that an event is incomplete, for one tier or for both: the chain's answer for the
/// first where it knows that, or else LossBounds; these for the second. What a link cannot carry is certainly lost.
struct CertainLoss {
    enum class Tiers { Both, First, Second };

    std::optional<Enclosure> log;  ///< its natural logarithm; nothing if neither knows the scenario
    bool bounded = false;          ///< some of it is a bound that may be far above
    double load = 0;       ///< load of the busiest link behind these switches, if nothing is lost; 1 at least where a
                           ///< link that leads there is overloaded
    UnsupportedKey chain;  ///< first key that the chain does not cover in one of the tiers
    UnsupportedKey bound;  ///< first key that LossBounds does not cover, if there is no log

    /// Both obstacles, or the one if they are the same.
    std::string obstacles() const;

    /// @param precision  of the chain's logarithm; without one it is not asked, which may take long
    static CertainLoss of(const NetworkScenario& scenario, std::optional<double> precision = 0.01,
                          Tiers tiers = Tiers::Both);
};

}  // namespace watershed
