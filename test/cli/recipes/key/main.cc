// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>

#include "model/exact/exact-engine.h"
#include "model/switch/switch-fields.h"

using namespace watershed;

/// Tells whether a fast path takes the scenario or which key it refuses, and what a burst of one event of 44 loses.
int main() {
    for (const bool limited : {false, true}) {
        NetworkScenario scenario;
        scenario.trigger.events = 1;
        scenario.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};
        if (limited) scenario.network_switch.buffer.queue_limit = MemorySize{10, MemorySize::Unit::Frame};
        UnsupportedKey obstacle;
        SynchronousCamera::of(scenario, &obstacle);
        const Outcome outcome = ExactEngine().run(scenario, nullptr);
        std::cout << (obstacle ? obstacle.key : "fast") << " " << outcome.frames_lost() << std::endl;
    }
    for (const SwitchField& field : switch_fields())
        if (field.name == "buffer.queue_limit") std::cout << field.meaning << std::endl;
}
