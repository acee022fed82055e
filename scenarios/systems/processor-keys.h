// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/base/server-pool.h"
#include "scenarios/keys/key-setters.h"

namespace watershed::systems {

/// What a second thread gains a core.
template <class Place>
KeyRule gain(Place place) {
    const KeyRule number = key_setters::ratio(place);
    return {[=](Scenario& scenario, const KeyValue& value) {
        number.set(scenario, value);
        if (place(scenario).numerator > place(scenario).denominator)
            key_setters::refuse(value, "at most 1: a second thread at most doubles what a core does");
    }};
}

/// Of the processor of a server, which `place` finds in the scenario.
inline std::vector<ScenarioKey> processor_keys(const std::string& table, ServerPool::Processor& (*place)(Scenario&)) {
    return {
        {table + ".cores", "integer", "24", "Number of cores of the server's processor.",
         key_setters::count(
             [=](Scenario & s) -> auto& { return place(s).cores; }, 1, 1024)},
        {table + ".threads_per_core", "integer", "2", "Number of threads that share a core.",
         key_setters::count(
             [=](Scenario & s) -> auto& { return place(s).threads_per_core; }, 1, 8)},
        {table + ".sibling_gain", "0 to 1, \"30 %\"", "30 %", "What a core does more when a second thread shares it.",
         gain([=](Scenario & s) -> auto& { return place(s).sibling_gain; })},
    };
}

}  // namespace watershed::systems
