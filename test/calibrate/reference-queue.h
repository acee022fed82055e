// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/scenario.h"

/// The contract's switch, written as plainly as can be: what the closed forms of the fit are checked against.
namespace watershed {

struct QueueSetting {
    std::int64_t ports = 1;
    std::int64_t events = 1;
    std::int64_t spacing = 1;  ///< ps between two triggers
    std::int64_t slot = 1;     ///< ps that one frame holds an uplink
    std::int64_t room = 1;     ///< frames, in all or per input
    int uplinks = 1;
    Buffer::Sharing sharing = Buffer::Sharing::Shared;
};

/// Frames lost, counted frame by frame: departures before arrivals, arrivals in module order, module i by uplink i
/// modulo k.
std::int64_t lost_frame_by_frame(const QueueSetting& setting);

}  // namespace watershed
