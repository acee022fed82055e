// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-output.h"

namespace watershed {

WatershedOutput::Queue* WatershedOutput::Next(const Moment& now) {
    if (!control.empty()) return &control;
    const auto may_go = [&](std::size_t each) {
        return !queues[each].empty() && (queues[each].front().is_own || gates[each].is_open(now.time));
    };
    if (!scheduler) return may_go(0) ? queues.data() : nullptr;
    ClassScheduler::Heads heads;
    for (std::size_t each = 0; each < queues.size(); ++each)
        if (may_go(each) && queues[each].front().ready <= now)
            heads.put(each, device->WireSize(queues[each].front().frame));
    const auto chosen = scheduler->next(heads);
    return chosen ? &queues[static_cast<std::size_t>(*chosen)] : nullptr;
}

}  // namespace watershed
