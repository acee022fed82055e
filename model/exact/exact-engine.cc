// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"

#include "model/exact/event-driven-run.h"
#include "model/exact/exact-run.h"
#include "model/exact/per-switch-run.h"
#include "model/exact/run-path.h"
#include "model/exact/synchronous-run.h"
#include "model/exact/within-time.h"
#include "model/network/network.h"

namespace watershed {
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
