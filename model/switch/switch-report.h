// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <string>

#include "model/base/outcome.h"
#include "model/base/quantities.h"
#include "model/base/recovery.h"
#include "model/switch/switch-control.h"
#include "model/switch/switch-memory.h"
#include "model/switch/ties.h"

namespace watershed {

/// Adds what a switch's memory and the order of its decisions say to an outcome whose losses are known.
/// @param recovery      of its memory, in frames
/// @param last_activity when a frame last left or was decided on
inline void report_switch(Outcome& outcome, const std::string& name, const SwitchMemory& memory,
                          const EventSequence& sequence, const Ties& ties, const Recovery& recovery,
                          Time last_activity) {
    std::int64_t lost = 0;
    for (const Outcome::Loss& loss : outcome.losses) lost += loss.where == name ? loss.frames : 0;
    outcome.add({name, lost, memory.peak_frames(), memory.peak_bytes(), memory.peak_cells(), sequence.first_idle(),
                 recovery.fullest(), recovery.drained()});
    outcome.add_decided_by_ties(ties.decided());
    outcome.frames_marked += memory.frames_marked();
    outcome.frames_to_dram += memory.frames_to_dram();
    outcome.simulated = std::max(outcome.simulated, last_activity);
    outcome.events_in_order = outcome.events_in_order && sequence.in_order();
}

template <class Surroundings>
void SwitchControl<Surroundings>::report(Outcome& outcome) const {
    report_switch(outcome, name_, switch_.memory(), sequence_, ties_, recovery_,
                  std::max(last_decision_, switch_.free()).time);
    outcome.frames_cut_through += cut_through_;
    outcome.latency_saved += saved_;
    outcome.pauses += pauses_.pauses();
}

}  // namespace watershed
