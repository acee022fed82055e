// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/base/outcome.h"
#include "model/base/serializer.h"
#include "model/exact/synchronous-camera.h"
#include "model/frontend/front-end.h"
#include "model/frontend/trigger.h"

namespace watershed {

/// Calls `arrive(event, time)` for each trigger, when the frames of all modules have arrived at the switch.
/// @return how many triggers there were
template <class Arrive>
std::int64_t for_each_arrival(const SynchronousCamera& camera, const Incast& scenario, const Observer* observer,
                              Arrive&& arrive) {
    const Trigger& trigger = scenario.trigger;
    Serializer link(scenario.front_end.link_rate, module_timing(scenario.front_end, scenario.seed, 1).tolerance,
                    camera.times.grid);
    Time offered{0};
    const auto send = [&](std::int64_t event, Time time) {
        offered = std::max(offered, time + camera.skew);
        arrive(event, link.send(offered, camera.frame.wire));
    };
    const bool progress = observer && observer->progress;
    const auto tell = [&](std::int64_t event) {
        if (progress && event % 1024 == 0) observer->progress(event);
    };
    TriggerTrain train(trigger, scenario.seed);  // which checks the trigger
    const bool regular =
        trigger.pattern == Trigger::Pattern::Burst && !trigger.duration && trigger.dead_time <= trigger.separation;
    std::int64_t event = 0;
    if (regular) {
        const std::int64_t events = *trigger.events;
        while (event < events) {
            const Time time = trigger.separation * event;
            send(++event, time);
            tell(event);
        }
    } else {
        while (const auto time = train.next()) {
            send(++event, *time);
            tell(event);
        }
    }
    return event;
}

}  // namespace watershed
