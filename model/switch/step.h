// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace watershed {

/// Steps in and around switches at one instant, in the order in which they happen where frames may wait: departures,
/// frames that these let go on, pauses, front ends, arrivals, and observers.
enum class Step {
    UplinkDone,  ///< a frame has left by an uplink
    FabricDone,  ///< a frame has crossed to the memory
    MemoryFree,  ///< a frame that begins to leave gives its memory back
    Written,     ///< a frame is in the second tier of the memory
    LinkChange,  ///< links of the network fail or come back
    Settle,      ///< frames go on as far as they can, after all departures of the instant
    Pause,       ///< a front end or an uplink does what it was told: to pause or to go on
    PauseOver,   ///< a pause that was not renewed has run out
    LinkDone,    ///< a frame has left a front end
    Cut,         ///< a frame has left, and its link failed meanwhile
    Triggered,
    Offered,        ///< a fragment asks for room in its front end's FIFO
    Arrival,        ///< the switch has a frame, or enough of one to cut through
    PauseRenewal,   ///< the switch repeats to a sender that it must pause
    OccupancyCheck  ///< the trigger system looks at the memory, after all that happens at the instant
};

/// Place of a step among those of one exact instant, in both engines: the lowest goes first. At each step switches come
/// in the order of Network, arrivals at one of them by ArrivalRank, the rest by index.
struct SameTimeOrder {
    static constexpr int kSenders = -1;  ///< in place of a switch: front ends and streams, before all switches

    Step step = Step::Triggered;
    int at = kSenders;
    std::uint64_t rank = 0;
    int index = 0;  ///< uplink, port group, input or sender's link, from 0

    friend bool operator<(const SameTimeOrder& a, const SameTimeOrder& b) {
        if (a.step != b.step) return a.step < b.step;
        if (a.at != b.at) return a.at < b.at;
        return a.rank != b.rank ? a.rank < b.rank : a.index < b.index;
    }
};

/// Index of a stream's offers (from 1): of frames ready at one instant on one link, streams' come first, by stream.
constexpr int offer_index_of_stream(int stream) {
    constexpr int kBeforeModules = 1 << 20;  // more than there are streams
    return stream - kBeforeModules;
}

}  // namespace watershed
