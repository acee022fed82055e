// SPDX-License-Identifier: GPL-2.0-only
#include "model/event-cost.h"

#include <vector>

#include "model/frame.h"
#include "model/network.h"
#include "model/parts.h"
#include "model/stepped-run.h"
#include "model/synchronous-run.h"

namespace watershed {
namespace {

double frames_of_event(const Scenario& scenario) {
    return static_cast<double>(scenario.front_end.modules) * static_cast<double>(frames_of_fragment(scenario.frame).size());
}

/// By the engine's path: what a trigger costs whatever it brings, and each frame.
double cost_at_one_switch(const Scenario& scenario) {
    constexpr double kTrigger = 2, kByTrigger = 0.01, kByFrame = 0.1, kStepped = 4;
    const double frames = frames_of_event(scenario);
    if (key_that_needs_steps(scenario)) return kTrigger + kStepped * frames;
    const auto camera = SynchronousCamera::of(scenario);
    if (!camera || !runs_fast(*camera)) return kTrigger + frames;
    return kTrigger + (runs_by_trigger(*camera) ? kByTrigger : kByFrame) * frames;
}

}  // namespace

double cost_of_event(const Scenario& scenario) {
    if (has_one_switch(scenario)) return cost_at_one_switch(scenario);
    const Network network(scenario);
    constexpr double kTiers = 2;   // or nodes that a frame meets on its way
    if (!has_parts(scenario, network)) return kTiers * frames_of_event(scenario);
    double cost = 0;
    const std::vector<int> alike = first_alike(scenario, network);
    for (int i = 0; i < static_cast<int>(alike.size()); ++i)
        if (alike[static_cast<std::size_t>(i)] == i) cost += cost_at_one_switch(network.part(scenario, i));
    return cost;
}

}  // namespace watershed
