// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/no-loss-proof.h"

#include <algorithm>

#include "model/guarantee/switch-guarantee.h"
#include "model/risk/loss-bound.h"

namespace watershed {

NoLossProof NoLossProof::of(const NetworkScenario& scenario, Time separation) {
    NoLossProof proof;
    // Triggers that are no closer than those of the burst: all of them, in every order and number.
    if (const auto guarantee = Guarantee::of(scenario, AdmittedTriggers{{}, {{1, separation}}}, &proof.obstacle)) {
        if (guarantee->bounded && guarantee->fits()) proof.command = "bound";
        if (proof || guarantee->exact) return proof;
    }
    NetworkScenario at_random = scenario;
    at_random.trigger = Trigger{};
    at_random.trigger.pattern = Trigger::Pattern::Poisson;
    at_random.trigger.dead_time = separation;
    const LossBounds bounds = LossBounds::of(at_random);
    if (bounds.obstacle) return proof;
    proof.obstacle = {};
    if (std::none_of(bounds.switches.begin(), bounds.switches.end(),
                     [&](const LossBound& each) { return each.lossless_events(in_seconds(separation)); }))
        proof.command = "risk";
    return proof;
}

}  // namespace watershed
