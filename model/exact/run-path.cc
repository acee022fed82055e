// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/run-path.h"

#include <vector>

#include "model/base/frame.h"
#include "model/exact/event-driven-run.h"
#include "model/exact/per-switch-run.h"
#include "model/exact/synchronous-run.h"
#include "model/network/network.h"

namespace watershed {

ChosenPath choose_path(const NetworkScenario& scenario) {
    ChosenPath chosen;
    chosen.unsupported = key_for_one_switch(scenario);
    if (needs_events(scenario)) {
        chosen.path = RunPath::StepByStep;
    } else if (!has_one_switch(scenario) && is_separable(scenario, Network(scenario))) {
        chosen.path = RunPath::SwitchBySwitch;
    } else if (auto camera = SynchronousCamera::of(scenario); camera && runs_fast(*camera)) {
        chosen.path = camera->counts_suffice() ? RunPath::TriggerByTrigger : RunPath::FrameByFrame;
        chosen.camera = std::move(camera);
    } else if (auto uniform = UniformCamera::of(scenario)) {
        chosen.path = RunPath::Uniform;
        chosen.uniform = std::move(uniform);
    }
    return chosen;
}

double cost_of_event(const NetworkScenario& scenario) {
    constexpr double kTrigger = 2, kByTrigger = 0.01, kByFrame = 0.1, kUniform = 0.3, kEventDriven = 2.5, kTiers = 2;
    const double frames = static_cast<double>(scenario.front_end.modules) *
                          static_cast<double>(frames_of_fragment(scenario.frame).size());
    const double tiers = has_one_switch(scenario) ? 1 : kTiers;
    switch (choose_path(scenario).path) {
        case RunPath::TriggerByTrigger: return kTrigger + kByTrigger * frames;
        case RunPath::FrameByFrame: return kTrigger + kByFrame * frames;
        case RunPath::Uniform: return kTrigger + kUniform * tiers * frames;
        case RunPath::StepByStep: return kTrigger + kEventDriven * frames;
        case RunPath::General: return kTrigger + tiers * frames;
        case RunPath::SwitchBySwitch: break;
    }
    const Network network(scenario);
    double cost = 0;
    const std::vector<int> alike = representative_switch(scenario, network);
    for (int i = 0; i < static_cast<int>(alike.size()); ++i)
        if (alike[static_cast<std::size_t>(i)] == i) cost += cost_of_event(network.part(scenario, i));
    return cost;
}

}  // namespace watershed
