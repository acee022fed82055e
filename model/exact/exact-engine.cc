// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"

#include <string>

#include "model/exact/exact-run.h"
#include "model/network/network.h"
#include "model/exact/parts.h"
#include "model/exact/stepped-run.h"
#include "model/exact/synchronous-run.h"
#include "model/base/time-limit.h"

namespace watershed {
namespace {

Outcome run_one_switch(const Scenario& scenario, const Observer* observer) {
    if (const auto camera = SynchronousCamera::of(scenario); camera && runs_fast(*camera))
        return runs_by_trigger(*camera) ? run_by_trigger(*camera, scenario, observer) : run_by_frame(*camera, scenario, observer);
    return run_exactly(scenario, observer);
}

}  // namespace

Outcome ExactEngine::run(const Scenario& scenario, const Observer* observer) {
    return within_time(scenario, [&] { return run_path(scenario, observer); });
}

Outcome ExactEngine::run_path(const Scenario& scenario, const Observer* observer) const {
    const bool one = has_one_switch(scenario);
    if (one && key_that_needs_steps(scenario)) return run_stepped(scenario, observer);
    const Network network(scenario);
    if (const std::string key = key_for_one_switch(scenario, network); !key.empty()) throw UnsupportedScenario(key + ": the engines model this at a single switch only");
    const bool every_frame = observer && (observer->occupancy || observer->lost);
    if (path_ == Path::General || every_frame) return run_exactly(scenario, observer);
    if (one) return run_one_switch(scenario, observer);
    return has_parts(scenario, network) ? run_parts(scenario, network, observer, run_one_switch) : run_exactly(scenario, observer);
}

}  // namespace watershed
