// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/run-path.h"

#include "model/exact/parts.h"
#include "model/exact/stepped-run.h"
#include "model/exact/synchronous-run.h"
#include "model/network/network.h"

namespace watershed {

ChosenPath choose_path(const Incast& scenario) {
    ChosenPath chosen;
    if (!has_one_switch(scenario)) {
        const Network network(scenario);
        chosen.unsupported = key_for_one_switch(scenario, network);
        if (has_parts(scenario, network)) chosen.path = RunPath::SwitchBySwitch;
    } else if (key_that_needs_steps(scenario)) {
        chosen.path = RunPath::StepByStep;
    } else if (auto camera = SynchronousCamera::of(scenario); camera && runs_fast(*camera)) {
        chosen.path = runs_by_trigger(*camera) ? RunPath::TriggerByTrigger : RunPath::FrameByFrame;
        chosen.camera = std::move(camera);
    }
    return chosen;
}

}  // namespace watershed
