// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/admitted-triggers.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "model/frontend/sender-fields.h"
#include "model/frontend/trigger.h"

namespace watershed {
namespace {

/// Returns a copy with the keys that a bound covers. A new key of Trigger is refused until it is added here.
Trigger understood(const Trigger& from) {
    Trigger to;
    to.pattern = from.pattern;
    to.separation = from.separation;
    to.events = from.events;
    to.rate = from.rate;
    to.duration = from.duration;
    to.bursts = from.bursts;
    to.period = from.period;
    to.dead_time = from.dead_time;
    std::copy_if(from.rules.begin(), from.rules.end(), std::back_inserter(to.rules),
                 [](const TriggerRule& rule) { return rule.kind != TriggerRule::Kind::AlmostFull; });
    to.times = from.times;
    to.profile = from.profile;
    to.regular = from.regular;
    to.largest_step = from.largest_step;
    to.file = from.file;
    to.burst = from.burst;
    return to;
}

bool is_random(const Trigger& trigger) {
    // Bursts at fixed times, too, if they have no end to be followed to.
    const bool bursts =
        trigger.burst.events > 0 && (trigger.burst.rate.count > 0 || (!trigger.events && !trigger.duration));
    return bursts || trigger.pattern == Trigger::Pattern::Poisson ||
           (trigger.pattern == Trigger::Pattern::Profile && !trigger.regular);
}

}  // namespace

std::vector<TriggerSpacing> spacings_of(const Trigger& trigger) {
    std::vector<TriggerSpacing> spacings;
    if (trigger.dead_time > Time{0}) spacings.push_back({1, trigger.dead_time});
    for (const TriggerRule& rule : trigger.rules)
        if (rule.kind != TriggerRule::Kind::AlmostFull)
            spacings.push_back({rule.events, rule.time, rule.kind == TriggerRule::Kind::Bucket});
    return spacings;
}

std::optional<AdmittedTriggers> AdmittedTriggers::of(const Senders& senders, UnsupportedKey* why) {
    Senders copied = senders;
    copied.trigger = understood(senders.trigger);
    if (const SenderField* field = first_left_out(sender_fields(), senders, copied))
        return refused(why, {field->name, "bound does not cover it"});
    const Trigger& trigger = copied.trigger;
    if (trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
        return refused(why, {"trigger.pattern", "bound does not cover a stream at line rate"});
    AdmittedTriggers admitted;
    if (is_random(trigger)) {
        admitted.spacings = spacings_of(trigger);
        return admitted;
    }
    if (trigger.pattern == Trigger::Pattern::Periodic && !trigger.events && !trigger.duration) {
        // Rounded to a picosecond each, two triggers may be one closer than the period.
        admitted.spacings = {{1, periodic_time(trigger.rate, 1) - Time{1}}};
        return admitted;
    }
    TriggerTrain train(trigger, senders.seed);
    while (const auto time = train.next()) {
        if (admitted.train.size() == kMost)
            return refused(why, {"trigger", "bound follows at most " + std::to_string(kMost) + " triggers of a train"});
        admitted.train.push_back(*time);
    }
    if (admitted.train.empty()) return refused(why, {"trigger", "no trigger comes"});
    return admitted;
}

}  // namespace watershed
