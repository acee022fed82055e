// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/witness.h"

#include <algorithm>

#include "model/frontend/trigger.h"

namespace watershed {

NetworkScenario with_triggers(NetworkScenario scenario, const std::vector<Time>& times) {
    const Time dead_time = scenario.trigger.dead_time;
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::File;
    scenario.trigger.times = times;
    scenario.trigger.dead_time = dead_time;
    return scenario;
}

NetworkScenario with_ample_memory(NetworkScenario scenario, std::int64_t frames) {
    const auto ample = [&](Buffer& buffer) {
        buffer = Buffer{};
        buffer.size = {frames, MemorySize::Unit::Frame};
    };
    scenario.front_end.fifo.reset();
    ample(scenario.network_switch.buffer);
    if (scenario.aggregation) ample(scenario.aggregation->buffer);
    for (Node& node : scenario.nodes) ample(node.network_switch.buffer);
    return scenario;
}

std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit) {
    Observer observer;
    observer.incomplete_kept = 1;
    for (std::int64_t length = std::min<std::int64_t>(64, limit);; length = std::min(length * 4, limit)) {
        std::vector<Time> times = densest_triggers(rules, length);
        const Outcome outcome = engine.run(with_triggers(scenario, times), &observer);
        if (!outcome.incomplete.empty()) {
            // If modules are out of step, frames of later triggers may have taken the room: look for a longer
            // beginning.
            for (auto number = std::size_t(outcome.incomplete.front().event); number < times.size(); ++number) {
                const std::vector<Time> first(times.begin(), times.begin() + std::ptrdiff_t(number));
                if (engine.run(with_triggers(scenario, first), &observer).frames_lost() > 0) return first;
            }
            return times;
        }
        if (length == limit) return std::nullopt;
    }
}

}  // namespace watershed
