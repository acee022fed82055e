// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/scenario.h"

namespace watershed {

/// The default camera, triggered at random 8000 times a second with 2 us of dead time, before a switch with room for so
/// many frames.
inline Scenario camera(std::int64_t room, Buffer::Sharing sharing = Buffer::Sharing::Shared) {
    Scenario scenario;
    scenario.trigger.pattern = Trigger::Pattern::Poisson;
    scenario.trigger.rate = Frequency{8'000'000'000};
    scenario.trigger.dead_time = Time{2'000'000};
    scenario.trigger.events = 1;
    scenario.network_switch.buffer.sharing = sharing;
    scenario.network_switch.buffer.size = {room};
    return scenario;
}

}  // namespace watershed
