// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/event-sequence.h"
#include "model/outcome.h"
#include "model/switch-memory.h"

namespace watershed {

/// Adds what a switch's memory and the order of its decisions say.
/// @param last_activity when a frame last left or was decided on
inline void report_switch(Outcome& outcome, const SwitchMemory& memory, const EventSequence& sequence, Time last_activity) {
    outcome.peak_frames = memory.peak_frames();
    outcome.peak_bytes = memory.peak_bytes();
    outcome.frames_marked = memory.frames_marked();
    outcome.simulated = last_activity;
    outcome.events_in_order = sequence.in_order();
    outcome.first_idle_event = sequence.first_idle();
}

}  // namespace watershed
