// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

/// What can happen in and around a switch at one instant, in the order in which it does where frames may wait:
/// departures, what they make possible, pauses, front ends, arrivals by ArrivalRank and input. The rest follows their
/// index: uplink, port group or module.
enum class Step {
    UplinkDone,  ///< a frame has left by an uplink
    FabricDone,  ///< a frame has crossed to the memory
    MemoryFree,  ///< a frame that begins to leave gives its memory back
    Settle,      ///< frames go on as far as they can, after all departures of the instant
    Pause,       ///< a front end does what it was told: to pause or to go on
    PauseOver,   ///< a pause that was not renewed has run out
    LinkDone,    ///< a frame has left a front end
    Triggered,
    Offered,      ///< a fragment asks for room in its front end's FIFO
    Arrival,      ///< the switch has a frame, or enough of one to cut through
    PauseRenewal  ///< the switch repeats to a front end that it must pause
};

}  // namespace watershed
