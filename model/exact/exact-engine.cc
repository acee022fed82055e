// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"

#include <vector>

#include "model/base/frame.h"
#include "model/exact/engine.h"
#include "model/exact/exact-run.h"
#include "model/frontend/module-groups.h"
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
    double frames = 0;
    for (const Group& group : ModuleGroups(scenario).all())
        frames +=
            static_cast<double>(group.front_end.modules) * static_cast<double>(frames_of_fragment(group.frame).size());
    const double tiers = has_one_switch(scenario) ? 1 : kTiers;
    switch (choose_path(scenario).path) {
        case RunPath::TriggerByTrigger: return kTrigger + kByTrigger * frames;
        case RunPath::FrameByFrame: return kTrigger + kByFrame * frames;
        case RunPath::Uniform: return kTrigger + kUniform * tiers * frames;
        case RunPath::StepByStep: return kTrigger + kEventDriven * frames * scenario.builders.receiving();
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

namespace {

Outcome run_by(const ChosenPath& chosen, const NetworkScenario& scenario, const Observer* observer) {
    switch (chosen.path) {
        case RunPath::StepByStep: return run_event_driven(scenario, observer);
        case RunPath::SwitchBySwitch:
            return run_per_switch(scenario, Network(scenario), observer,
                                  [](const NetworkScenario& part, const Observer* of_part) {
                                      return run_by(choose_path(part), part, of_part);
                                  });
        case RunPath::TriggerByTrigger: return run_by_trigger(*chosen.camera, scenario, observer);
        case RunPath::FrameByFrame: return run_by_frame(*chosen.camera, scenario, observer);
        case RunPath::Uniform: return run_uniform(*chosen.uniform, scenario, observer);
        case RunPath::General: break;
    }
    return run_exactly(scenario, observer);
}

}  // namespace

Outcome ExactEngine::run(const NetworkScenario& scenario, const Observer* observer) {
    return within_time(scenario, [&] { return run_path(scenario, observer); });
}

Outcome ExactEngine::run_path(const NetworkScenario& scenario, const Observer* observer) const {
    ChosenPath chosen = choose_path(scenario);
    if (!chosen.unsupported.empty())
        throw UnsupportedScenario(chosen.unsupported, "the engines model this at a single switch only");
    const bool every_frame = observer && (observer->occupancy || observer->lost);
    if ((path_ == Path::General || every_frame) && chosen.path != RunPath::StepByStep) chosen.path = RunPath::General;
    return run_by(chosen, scenario, observer);
}

}  // namespace watershed
