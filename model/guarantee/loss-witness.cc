// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/loss-witness.h"

#include <algorithm>

namespace watershed {

std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const Incast& scenario,
                                                       const std::vector<TriggerSpacing>& spacings,
                                                       std::int64_t limit) {
    Observer observer;
    observer.incomplete_kept = 1;
    for (std::int64_t length = std::min<std::int64_t>(64, limit);; length = std::min(length * 4, limit)) {
        std::vector<Time> times = earliest_triggers(spacings, length);
        const Outcome outcome = engine.run(with_triggers(scenario, times), &observer);
        if (!outcome.incomplete.empty()) {
            times.resize(static_cast<std::size_t>(outcome.incomplete.front().event));
            return times;
        }
        if (length == limit) return std::nullopt;
    }
}

}  // namespace watershed
