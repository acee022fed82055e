// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/bound-reason.h"

#include <algorithm>

#include "model/base/frame.h"
#include "model/base/slot.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/text/units.h"

namespace watershed {

Obstacle bound_reason(const Incast& scenario, Obstacle obstacle) {
    const Trigger& trigger = scenario.trigger;
    if (obstacle.key == "trigger.rules") {
        const auto other = std::find_if(trigger.rules.begin(), trigger.rules.end(), [](const TriggerRule& rule) {
            return rule.kind == TriggerRule::Kind::AlmostFull;
        });
        if (other != trigger.rules.end())
            obstacle.why = "found \"" + to_text(*other) +
                           "\", expected counts such as \"3 in 40 us\" or token buckets: bound does not cover "
                           "almost-full rules, throttle finds those without loss";
    }
    // Arrivals follow the triggers again only if these come no faster than a link sends.
    const Slot slot = Slot::of(frames_of_fragment(scenario.frame).front().wire, scenario.front_end.link_rate);
    const Time frame{static_cast<std::int64_t>(ceil_div(slot.numerator, slot.denominator))};
    if (obstacle.key == "trigger" && trigger.pattern == Trigger::Pattern::Poisson && trigger.dead_time < frame)
        return {"trigger.dead_time",
                "found " + to_text(trigger.dead_time) + ", expected a frame's time on a module's link, " +
                    to_text(frame) +
                    ", or more: of modules that are out of step (skew, jitter, clocks) bound knows no end of what "
                    "faster triggers make wait in front of the links"};
    if (obstacle.key == "trigger.dead_time")
        obstacle.why = "found " + to_text(trigger.dead_time) + ", expected a frame's time on a module's link, " +
                       to_text(frame) + ", or more: " + obstacle.why;
    const auto is_about = [&](const std::string& key) { return obstacle.key.rfind(key, 0) == 0; };
    if (is_about("front_end.fragments") || is_about("frame.split") || is_about("front_end.gap") ||
        is_about("aggregation") || is_about("node"))
        obstacle.why += "; of random triggers risk --method bound tells what the chance of a loss does not exceed";
    return obstacle;
}

}  // namespace watershed
