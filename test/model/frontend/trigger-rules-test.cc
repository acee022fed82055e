// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/trigger-rules.h"

#include <rapidcheck.h>

#include "model/frontend/trigger.h"
#include "test/catch.h"

using namespace watershed;

namespace {

TriggerRule count(std::int64_t events, std::int64_t time) { return {TriggerRule::Kind::Count, events, Time{time}}; }
TriggerRule bucket(std::int64_t events, std::int64_t time) { return {TriggerRule::Kind::Bucket, events, Time{time}}; }

/// Whether a rule lets a trigger pass after those that were accepted, from its definition.
bool passes(const TriggerRule& rule, const std::vector<Time>& accepted, Time time) {
    if (rule.kind == TriggerRule::Kind::Count) {
        std::int64_t near = 0;
        for (const Time before : accepted) near += before > time - rule.time;
        return near < rule.events;
    }
    // Tokens in units of their period: full at first, one more each period up to the brim, one taken by each trigger.
    Wide tokens = Wide{rule.events} * rule.time.count();
    Time last{0};
    const auto fill = [&](Time until) {
        tokens = std::min(Wide{rule.events} * rule.time.count(), tokens + (until - last).count());
        last = until;
    };
    for (const Time before : accepted) fill(before), tokens -= rule.time.count();
    fill(time);
    return tokens >= rule.time.count();
}

std::vector<Time> accepted_of(const Trigger& trigger, std::int64_t* refused = nullptr) {
    TriggerTrain train(trigger, 1);
    std::vector<Time> accepted;
    while (const auto time = train.next()) accepted.push_back(*time);
    if (refused) *refused = train.refused();
    return accepted;
}

Trigger some_trigger() {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::File;
    Time time{0};
    for (const int gap : *rc::gen::container<std::vector<int>>(60, rc::gen::inRange(0, 30)))
        trigger.times.push_back(time += Time{gap});
    trigger.dead_time = Time{*rc::gen::inRange(0, 10)};
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
        trigger.rules.push_back({*rc::gen::element(TriggerRule::Kind::Count, TriggerRule::Kind::Bucket),
                                 *rc::gen::inRange(1, 6), Time{*rc::gen::inRange(1, 80)}});
    return trigger;
}

}  // namespace

TEST_CASE("Three triggers in 40: a fourth passes 40 after the first") {
    Trigger trigger;
    trigger.rules = {count(3, 40)};
    CHECK(densest_triggers(trigger, 7) ==
          std::vector<Time>{Time{0}, Time{0}, Time{0}, Time{40}, Time{40}, Time{40}, Time{80}});
    trigger.dead_time = Time{5};
    CHECK(densest_triggers(trigger, 5) == std::vector<Time>{Time{0}, Time{5}, Time{10}, Time{40}, Time{45}});
}

TEST_CASE("A bucket of three is empty after three triggers, and then lets one pass for each token") {
    Trigger trigger;
    trigger.rules = {bucket(3, 12)};
    CHECK(densest_triggers(trigger, 5) == std::vector<Time>{Time{0}, Time{0}, Time{0}, Time{12}, Time{24}});
    trigger.dead_time = Time{5};  // after 12 a token is there again: 0, 5, 10 take three, 15 the fourth
    CHECK(densest_triggers(trigger, 6) == std::vector<Time>{Time{0}, Time{5}, Time{10}, Time{15}, Time{24}, Time{36}});
}

TEST_CASE("A trigger passes if dead time and every rule let it, and the others are counted") {
    CHECK(rc::check("as by their definitions", [] {
        const Trigger trigger = some_trigger();
        std::vector<Time> expected;
        for (const Time time : trigger.times) {
            bool passed = expected.empty() || time >= expected.back() + trigger.dead_time;
            for (const TriggerRule& rule : trigger.rules) passed = passed && passes(rule, expected, time);
            if (passed) expected.push_back(time);
        }
        std::int64_t refused = 0;
        RC_ASSERT(accepted_of(trigger, &refused) == expected);
        RC_ASSERT(refused == static_cast<std::int64_t>(trigger.times.size() - expected.size()));
    }));
}

TEST_CASE("No interval of any sequence has more triggers than one of the same length at the start of the densest") {
    CHECK(rc::check("from each trigger on", [] {
        const Trigger trigger = some_trigger();
        const std::vector<Time> passed = accepted_of(trigger),
                                densest = densest_triggers(trigger, static_cast<std::int64_t>(passed.size()));
        for (std::size_t from = 0; from < passed.size(); ++from)
            for (std::size_t to = from; to < passed.size(); ++to)
                RC_ASSERT(passed[to] - passed[from] >= densest[to - from]);
    }));
}
