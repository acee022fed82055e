// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/base/transmission-time.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network.h"

namespace watershed {

/// A stream beside the camera, on its way to one queue.
struct CrossTrafficStream {
    TrafficStream stream;
    std::size_t queue = 0;  ///< of the switch
    FrameSizes frame{};
    TransmissionTime interval, link;
};

/// One switch of the scenario, which knows no other.
struct SwitchAnalysis {
    SwitchGuarantee guarantee;
    TransmissionTime link, uplink;
    BitRate uplink_rate{0};
    Time latency{0};
    Scheduling scheduling{};
    bool in_step = true;  ///< all modules send at the same instants; else each has its own time, and at most this later
    Time jitter{0};
    Time apart{0};                        ///< of the earliest and the latest module
    Time slowest_link{0};                 ///< a frame there, rounded up
    bool is_fed = false;                  ///< by other switches
    int first_link = 0;                   ///< of its uplinks, in Network
    std::vector<std::vector<int>> feeds;  ///< links that lead to each of its queues
    std::vector<CrossTrafficStream> streams{};
};
/// Of the fastest and of the slowest link, whatever the clocks' spread is in the end.
std::pair<ClockTolerance, ClockTolerance> fastest_and_slowest(const FrontEnd& front_end);
/// @param why  the first key of it that a guarantee does not cover
std::optional<SwitchAnalysis> part_of(const NetworkScenario& scenario, const Network& network, int number,
                                      UnsupportedKey* why);

}  // namespace watershed
