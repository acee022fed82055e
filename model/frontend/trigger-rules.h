// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "model/frontend/senders.h"

namespace watershed {

/// What dead time and rules of a trigger system let pass.
///
/// Each says that a trigger comes no earlier than some time after earlier ones that were accepted. So a sequence in
/// which every trigger comes as early as it may has its n-th one at least as early as any other sequence has the n-th
/// after any of its triggers, counted from that one: no interval of any sequence has more triggers than one of the same
/// length that begins with the first of this. Rules on the level of a memory are not among them.
class TriggerRules {
  public:
    explicit TriggerRules(const Trigger& trigger) : dead_time_(trigger.dead_time) {
        for (const TriggerRule& rule : trigger.rules)
            if (rule.kind != TriggerRule::Kind::AlmostFull) rules_.push_back({rule, {}, Time{0}});
    }

    /// The next trigger is refused before this time.
    Time earliest() const { return earliest_; }
    /// @param time  not before earliest() and the last one
    void accept(Time time) {
        earliest_ = time + dead_time_;
        for (State& state : rules_) {
            const auto events = static_cast<std::size_t>(state.rule.events);
            if (state.rule.kind == TriggerRule::Kind::Count) {
                state.last.push_back(time);
                if (state.last.size() > events) state.last.pop_front();
                if (state.last.size() == events) earliest_ = std::max(earliest_, state.last.front() + state.rule.time);
            } else {
                // Until when the bucket lacks a token (ITU-T I.371, annex A: generic cell rate algorithm).
                state.full = std::max(state.full, time) + state.rule.time;
                earliest_ = std::max(earliest_, state.full - state.rule.time * (state.rule.events - 1));
            }
        }
    }

  private:
    struct State {
        TriggerRule rule;
        std::deque<Time> last;  ///< accepted, as many as the rule counts at most
        Time full{0};
    };
    Time dead_time_, earliest_{0};
    std::vector<State> rules_;
};

/// The rule that asks what the memory of the switch held; null if there is none.
inline const TriggerRule* almost_full_rule(const Trigger& trigger) {
    const auto found = std::find_if(trigger.rules.begin(), trigger.rules.end(),
                                    [](const TriggerRule& rule) { return rule.kind == TriggerRule::Kind::AlmostFull; });
    return found == trigger.rules.end() ? nullptr : &*found;
}

/// The first triggers of the sequence in which each comes as early as dead time and rules permit.
inline std::vector<Time> densest_triggers(const Trigger& trigger, std::int64_t events) {
    TriggerRules rules(trigger);
    std::vector<Time> times;
    for (Time time{0}; static_cast<std::int64_t>(times.size()) < events; time = std::max(time, rules.earliest())) {
        times.push_back(time);
        rules.accept(time);
    }
    return times;
}

}  // namespace watershed
