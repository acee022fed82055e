// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/chains.h"

#include <algorithm>

#include "model/exact/event-driven-run.h"
#include "model/exact/parts.h"
#include "model/network/network.h"

namespace watershed {

Chains Chains::of(const Incast& scenario) {
    Chains chains;
    std::vector<Incast> parts{scenario};
    if (!has_one_switch(scenario)) {
        if (Obstacle obstacle = needs_events(scenario)) return {{}, obstacle};
        const Network network(scenario);
        if (!has_parts(scenario, network))
            return {{}, {"switch", "there are several, in more than one tier or not all alike"}};
        const std::vector<int> alike = first_alike(scenario, network);
        parts.clear();
        for (int i = 0; i < static_cast<int>(alike.size()); ++i)
            if (alike[static_cast<std::size_t>(i)] == i) parts.push_back(network.part(scenario, i));
        // A queue that gets more frames of each event is never the shorter one.
        chains.nested = scenario.nodes.empty() && scenario.network_switch.uplinks == 1 &&
                        scenario.network_switch.buffer.sharing == Buffer::Sharing::Shared;
    }
    for (const Incast& part : parts) {
        chains.cameras.push_back(CameraQueue::of(part));
        if (!chains.cameras.back().queues) return {{}, chains.cameras.back().obstacle};
    }
    return chains;
}

bool Chains::exact() const {
    return (nested || cameras.size() == 1) &&
           std::all_of(cameras.begin(), cameras.end(), [](const CameraQueue& camera) { return camera.queues->exact; });
}

Bracket Chains::log_loss(double precision) const {
    Bracket log = log_loss_probability(cameras.front(), precision);
    for (std::size_t i = 1; i < cameras.size(); ++i) {
        const Bracket other = log_loss_probability(cameras[i], precision);
        log.lower = std::max(log.lower, other.lower);
        log.estimate = std::max(log.estimate, other.estimate);
        log.upper = nested ? std::max(log.upper, other.upper) : std::min(0.0, log_sum(log.upper, other.upper));
    }
    return log;
}

std::string Chains::remark() const {
    std::string text = "stationary distribution of the embedded chain";
    if (cameras.size() > 1)
        text += nested ? " of the fullest switch, which loses whenever another does"
                       : " of each switch; the upper bound is the sum of theirs";
    if (!exact()) text += "; the bounds are those of the first loss and of a memory without limit";
    return text;
}

}  // namespace watershed
