// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/n-plus-1.h"

#include <algorithm>
#include <stdexcept>

#include "model/base/frame.h"
#include "model/base/outcome.h"
#include "model/network/network.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

Outcome run_burst(Engine& engine, NetworkScenario& scenario, std::int64_t frames) {
    scenario.trigger.events = frames;
    Observer observer;
    observer.incomplete_kept = 1;
    return engine.run(scenario, &observer);
}

}  // namespace

NPlusOne find_n_plus_one(Engine& engine, NetworkScenario scenario, std::int64_t limit) {
    // Up to the first loss, a longer burst looks to the switch like a shorter one.
    for (std::int64_t length = std::min<std::int64_t>(64, limit);; length = std::min(length * 4, limit)) {
        const Outcome outcome = run_burst(engine, scenario, length);
        if (outcome.frames_lost() == 0) {
            if (length == limit) return {};
            continue;
        }
        std::int64_t lossless = std::min(outcome.incomplete.front().event, length) - 1;
        while (lossless > 0 && run_burst(engine, scenario, lossless).frames_lost() > 0) --lossless;
        return {lossless, run_burst(engine, scenario, lossless + 1).frames_lost()};
    }
}

std::int64_t drop_threshold_cells(const NetworkScenario& scenario) {
    const Switch& network_switch = scenario.network_switch;
    SwitchMemory memory(network_switch.buffer, scenario.front_end.modules, network_switch.uplinks);
    if (memory.units().unit() != MemorySize::Unit::Cell)
        throw std::invalid_argument(
            "switch.buffer.cell: missing, expected the size of the cells that a threshold is counted in");
    const MemoryClaim claim{0, 0, kMinimumFrame};
    while (!memory.admit(claim)) continue;
    return memory.held(claim);
}

}  // namespace watershed
