// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/loss-witness.h"

#include <algorithm>

#include "model/frontend/trigger-rules.h"

namespace watershed {

std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit) {
    Observer observer;
    observer.incomplete_kept = 1;
    for (std::int64_t length = std::min<std::int64_t>(64, limit);; length = std::min(length * 4, limit)) {
        std::vector<Time> times = densest_triggers(rules, length);
        const Outcome outcome = engine.run(with_triggers(scenario, times), &observer);
        if (!outcome.incomplete.empty()) {
            // Of modules out of step frames of a later trigger may take the room of an earlier one's.
            for (auto number = static_cast<std::size_t>(outcome.incomplete.front().event); number < times.size();
                 ++number) {
                const std::vector<Time> first(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(number));
                if (engine.run(with_triggers(scenario, first), &observer).frames_lost() > 0) return first;
            }
            return times;
        }
        if (length == limit) return std::nullopt;
    }
}

}  // namespace watershed
