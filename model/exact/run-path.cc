// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/run-path.h"

#include "model/exact/event-driven-run.h"
#include "model/exact/parts.h"
#include "model/exact/synchronous-run.h"
#include "model/network/network.h"

namespace watershed {

ChosenPath choose_path(const Incast& scenario) {
    ChosenPath chosen;
    chosen.unsupported = key_for_one_switch(scenario);
    if (needs_events(scenario)) {
        chosen.path = RunPath::StepByStep;
    } else if (!has_one_switch(scenario)) {
        if (has_parts(scenario, Network(scenario))) chosen.path = RunPath::SwitchBySwitch;
    } else if (auto camera = SynchronousCamera::of(scenario); camera && runs_fast(*camera)) {
        chosen.path = camera->counts_suffice() ? RunPath::TriggerByTrigger : RunPath::FrameByFrame;
        chosen.camera = std::move(camera);
    }
    return chosen;
}

}  // namespace watershed
