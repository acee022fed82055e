// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/base/timestamp.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network.h"

namespace watershed {

/// A stream beside the camera, on its way to one queue.
struct CrossTrafficStream {
    TrafficStream stream;
    std::size_t queue = 0;  ///< its place in the switch
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
    Time apart{0};                        ///< time between the earliest and the latest module
    Time slowest_link{0};                 ///< time of a frame on the slowest link, rounded up
    bool is_fed = false;                  ///< other switches send to it
    int first_link = 0;                   ///< place of its first uplink in Network
    std::vector<std::vector<int>> feeds;  ///< links that lead to each of its queues
    std::vector<CrossTrafficStream> streams{};
};
/// Returns the clocks of the fastest and of the slowest link, whatever is drawn from their spread.
std::pair<ClockTolerance, ClockTolerance> fastest_and_slowest(const FrontEnd& front_end);
/// Returns one switch of the scenario. @param why  its first key that a guarantee does not cover
std::optional<SwitchAnalysis> part_of(const NetworkScenario& scenario, const Network& network, int number,
                                      UnsupportedKey* why);

/// Returns whether each input has a memory of its own.
inline bool has_account_by_input(const Buffer& buffer) {
    return buffer.sharing->pools == SharingPolicy::Pools::PerInput;
}

/// Returns whether a memory takes all that its queues hold at most, the last frame of each queue coming last.
/// @param frame  its size in the memory
bool takes_all(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame);

/// Returns the least size of the switch's memory with which it takes all; std::nullopt if another limit is in the way.
std::optional<MemorySize> needed_size(const SwitchGuarantee& guarantee, Bytes frame);

}  // namespace watershed
