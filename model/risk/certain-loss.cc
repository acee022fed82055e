// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/certain-loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/log-sum.h"
#include "model/risk/camera-queue.h"
#include "model/risk/loss-bound.h"
#include "model/risk/rates.h"

namespace watershed {
namespace {

NetworkScenario first_tier_of(NetworkScenario scenario) {
    if (!scenario.aggregation) return scenario;
    scenario.aggregation.reset();
    scenario.server.interfaces.reset();
    return scenario;
}

/// Adds what the switches from `first` on may lose. @return whether that is known
bool add_bound(CertainLoss& loss, const NetworkScenario& scenario, int first) {
    const LossBounds bounds = LossBounds::of(scenario, first);
    if (bounds.obstacle) {
        loss.log.reset();
        loss.bound = bounds.obstacle;
        return false;
    }
    const double upper = bounds.log_probability();
    if (loss.log)
        loss.log = Enclosure{loss.log->lower, std::min(0.0, log_sum(loss.log->estimate, upper)),
                             std::min(0.0, log_sum(loss.log->upper, upper))};
    else
        loss.log = Enclosure{-std::numeric_limits<double>::infinity(), upper, upper};
    loss.bounded = loss.bounded || upper > -std::numeric_limits<double>::infinity();
    for (const LossBound& each : bounds.switches)
        loss.load = std::max({loss.load, each.load, each.decay > 0 ? 0.0 : 1.0});
    return true;
}

}  // namespace

std::string CertainLoss::obstacles() const {
    return chain.text() + (bound.text() == chain.text() ? "" : "; nor can a bound: " + bound.text());
}

CertainLoss CertainLoss::of(const NetworkScenario& scenario, std::optional<double> precision, Tiers tiers) {
    CertainLoss loss;
    if (tiers != Tiers::Second) {
        const NetworkScenario first = first_tier_of(scenario);
        const EquivalentQueues chains = precision ? EquivalentQueues::of(first) : EquivalentQueues{};
        if (!chains.cameras.empty()) {
            for (const CameraQueue& camera : chains.cameras)
                loss.load = std::max(loss.load, camera.queues->upper_bound_queue.load());
            loss.log = chains.log_loss(*precision);
        } else {
            loss.chain = chains.obstacle;
            if (!add_bound(loss, first, 0)) return loss;
        }
    }
    if (scenario.aggregation && tiers != Tiers::First) {
        if (!loss.chain) loss.chain = {"aggregation", "what waits behind links is no such queue"};
        if (!add_bound(loss, scenario, scenario.network_switch.count)) return loss;
    }
    // What an uplink cannot carry is lost, unless it waits for the modules' links for ever; and an incomplete event
    // loses no more than all its frames.
    if (loss.load > 1 && rates_of(scenario).link_load < 1) {
        loss.log->lower = std::max(loss.log->lower, std::log1p(-1 / loss.load));
        loss.log->estimate = std::max(loss.log->estimate, loss.log->lower);
    }
    return loss;
}

}  // namespace watershed
