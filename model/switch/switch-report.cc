// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-report.h"

#include "model/switch/switch-control.h"

namespace watershed {

void SwitchControl::report(Outcome& outcome) const {
    report_switch(outcome, name_, switch_.memory(), sequence_, ties_, recovery_, last_activity_.time);
    outcome.frames_cut_through += cut_through_;
    outcome.latency_saved += saved_;
    outcome.pauses += pauses_.pauses();
}

}  // namespace watershed
