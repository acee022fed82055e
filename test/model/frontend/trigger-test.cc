// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/trigger.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000'000;
Frequency hertz(std::int64_t n) { return Frequency{n * 1'000'000}; }

/// Up from 0 to 1 kHz in 2 s, a plateau of 3 s, down to 500 Hz in 1 s.
std::vector<RatePoint> ramp() {
    return {{Time{0}, hertz(0)},
            {Time{2 * kSecond}, hertz(1000)},
            {Time{5 * kSecond}, hertz(1000)},
            {Time{6 * kSecond}, hertz(500)}};
}

std::vector<Time> all_times(const Trigger& trigger, std::uint64_t seed = 1) {
    TriggerTrain train(trigger, seed);
    std::vector<Time> times;
    while (const auto time = train.next()) times.push_back(*time);
    return times;
}

}  // namespace

TEST_CASE("Triggers expected until a time are the area below the rate") {
    // 2 s of a ramp: 1000; 3 s of the plateau: 3000; 1 s down: 750. Half-way up the ramp: 1/4 of 1000.
    const RateProfile profile(ramp());
    CHECK(profile.expected(Time{kSecond}) == Approx(250));
    CHECK(profile.expected(Time{2 * kSecond}) == Approx(1000));
    CHECK(profile.expected(Time{5 * kSecond}) == Approx(4000));
    CHECK(profile.expected(Time{6 * kSecond}) == Approx(4750));
    CHECK(profile.expected(Time{60 * kSecond}) == Approx(4750));
}

TEST_CASE("When so many triggers are expected is the inverse of how many are") {
    const RateProfile profile(ramp());
    CHECK(profile.when(250) == Time{kSecond});
    CHECK(profile.when(1000) == Time{2 * kSecond});
    CHECK(profile.when(2500) == Time{3'500'000'000'000});
    CHECK(profile.when(0) == Time{0});
    CHECK_FALSE(profile.when(4751));
    CHECK(rc::check("at any number", [&] {
        const double n = *rc::gen::inRange(1, 4'749'999) * 1e-3;
        RC_ASSERT(std::abs(profile.expected(*profile.when(n)) - n) < 1e-6);
    }));
}

TEST_CASE("A profile that is not one is refused") {
    CHECK_THROWS_AS(RateProfile({{Time{0}, hertz(1)}}), std::invalid_argument);
    CHECK_THROWS_AS(RateProfile({{Time{1}, hertz(1)}, {Time{2}, hertz(1)}}), std::invalid_argument);
    CHECK_THROWS_AS(RateProfile({{Time{0}, hertz(1)}, {Time{0}, hertz(2)}}), std::invalid_argument);
}

TEST_CASE("Regular triggers of a profile are where its area is k + 1/2") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Profile;
    trigger.profile = ramp();
    trigger.regular = true;
    const auto times = all_times(trigger);
    CHECK(times.size() == 4750);
    // On the plateau they are 1 ms apart; the first is at t with 250 t^2 = 1/2.
    CHECK(times[2001] - times[2000] == Time{1'000'000'000});
    CHECK(static_cast<double>(times[0].count()) * 1e-12 == Approx(std::sqrt(0.5 / 250)));
}

TEST_CASE("Random triggers of a profile are Poisson in every part of it, and repeat with their seed") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Profile;
    trigger.profile = {{Time{0}, hertz(0)}, {Time{20 * kSecond}, hertz(2000)}, {Time{40 * kSecond}, hertz(2000)}};
    CHECK(all_times(trigger, 5) == all_times(trigger, 5));
    // 20000 expected on the ramp, of which a quarter in its first half, and 40000 on the plateau; 4 standard
    // deviations.
    const auto times = all_times(trigger, 1);
    const auto until = [&](std::int64_t seconds) {
        return static_cast<double>(std::lower_bound(times.begin(), times.end(), Time{seconds * kSecond}) -
                                   times.begin());
    };
    CHECK(std::abs(until(10) - 5000) < 4 * std::sqrt(5000));
    CHECK(std::abs(until(20) - 20000) < 4 * std::sqrt(20000));
    CHECK(std::abs(until(40) - until(20) - 40000) < 4 * std::sqrt(40000));
    // Time changed so that the rate is 1 makes waits of mean and variance 1.
    const RateProfile profile(trigger.profile);
    double sum = 0, squares = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double wait = profile.expected(times[i]) - profile.expected(times[i - 1]);
        sum += wait;
        squares += wait * wait;
    }
    const auto n = static_cast<double>(times.size() - 1);
    CHECK(sum / n == Approx(1).margin(4 / std::sqrt(n)));
    CHECK(squares / n == Approx(2).margin(4 * std::sqrt(20 / n)));
}

TEST_CASE("After a dead time of tau the rate that is left is r / (1 + r tau)") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Profile;
    trigger.profile = {{Time{0}, hertz(10'000)}, {Time{5 * kSecond}, hertz(10'000)}};
    trigger.dead_time = Time{100'000'000};  // 100 us: half of them are lost
    CHECK(static_cast<double>(all_times(trigger).size()) == Approx(25'000).margin(4 * std::sqrt(25'000.0 / 4)));
}

TEST_CASE("Bursts come on top of other triggers, the first after one period, and dead time takes what is too close") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Periodic;
    trigger.rate = hertz(10);
    trigger.duration = Time{350'000'000'000};
    trigger.burst = {2, Time{1'000'000}, Frequency{0}, Time{150'000'000'000}};
    CHECK(all_times(trigger) == std::vector<Time>{Time{0}, Time{100'000'000'000}, Time{150'000'000'000},
                                                  Time{150'001'000'000}, Time{200'000'000'000}, Time{300'000'000'000},
                                                  Time{300'000'000'000}, Time{300'001'000'000}});
    trigger.dead_time = Time{2'000'000};
    CHECK(all_times(trigger) == std::vector<Time>{Time{0}, Time{100'000'000'000}, Time{150'000'000'000},
                                                  Time{200'000'000'000}, Time{300'000'000'000}});
}

TEST_CASE("Random bursts on top leave the Poisson triggers beneath as they were, but for dead time") {
    Trigger plain;
    plain.pattern = Trigger::Pattern::Poisson;
    plain.rate = hertz(1000);
    plain.duration = Time{20 * kSecond};
    Trigger more = plain;
    more.burst = {10, Time{1'000'000}, hertz(50), Time{0}};
    const auto few = all_times(plain), many = all_times(more);
    CHECK(std::includes(many.begin(), many.end(), few.begin(), few.end()));
    // About 50 Hz * 20 s bursts of 10.
    CHECK(static_cast<double>(many.size() - few.size()) == Approx(10'000).margin(10 * 4 * std::sqrt(1000)));
}

namespace {

std::vector<Time> all(const Trigger& trigger, std::uint64_t seed = 1) {
    TriggerTrain train(trigger, seed);
    std::vector<Time> times;
    while (const auto time = train.next()) times.push_back(*time);
    return times;
}

Trigger poisson(std::int64_t events, std::int64_t rate_hz, Time dead_time) {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Poisson;
    trigger.rate = Frequency{rate_hz * 1'000'000};
    trigger.events = events;
    trigger.dead_time = dead_time;
    return trigger;
}

}  // namespace

TEST_CASE("A burst has its events one separation apart, the first at 0") {
    Trigger trigger;
    trigger.separation = Time{20'000'000};
    trigger.events = 3;
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{20'000'000}, Time{40'000'000}});
}

TEST_CASE("Bursts repeat after their period") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Bursts;
    trigger.separation = Time{10};
    trigger.events = 2;
    trigger.bursts = 3;
    trigger.period = Time{1000};
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{10}, Time{1000}, Time{1010}, Time{2000}, Time{2010}});
}

TEST_CASE("A periodic train keeps its rate without accumulating rounding errors") {
    // Trigger k of 7 Hz falls at k / 7 s; after 7 000 000 of them exactly 10^6 s have passed.
    CHECK(periodic_time(Frequency{7'000'000}, 7'000'000) == Time{1'000'000'000'000'000'000});
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Periodic;
    trigger.rate = Frequency{3'000'000};
    trigger.duration = Time{1'000'000'000'000};  // 1 s, its end not included
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{333'333'333'333}, Time{666'666'666'667}});
    trigger.events = 2;  // whichever ends first
    CHECK(all(trigger).size() == 2);
}

TEST_CASE("Poisson waiting times have mean and variance of dead time plus an exponential") {
    // Mean 1/f + t_dead; standard deviation 1/f. Four standard errors of 10^5 draws: 4/sqrt(10^5) = 1.3 %.
    const Time dead_time{2'000'000};
    const auto times = all(poisson(100'000, 8000, dead_time));
    REQUIRE(times.size() == 100'000);
    double sum = 0, squares = 0, least = 1e18;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double wait = static_cast<double>((times[i] - times[i - 1]).count());
        sum += wait;
        squares += wait * wait;
        least = std::min(least, wait);
    }
    const double n = static_cast<double>(times.size() - 1), mean = sum / n,
                 deviation = std::sqrt(squares / n - mean * mean);
    CHECK(mean == Approx(125e6 + 2e6).epsilon(0.013));
    CHECK(deviation == Approx(125e6).epsilon(0.02));
    CHECK(least >= 2e6);
}

TEST_CASE("A Poisson train is the same for the same seed and another for another") {
    const Trigger trigger = poisson(100, 8000, Time{0});
    CHECK(all(trigger, 5) == all(trigger, 5));
    CHECK(all(trigger, 5) != all(trigger, 6));
}

TEST_CASE("A trigger within the dead time of the last accepted one is ignored") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::File;
    trigger.times = {Time{0}, Time{5}, Time{10}, Time{12}, Time{21}};
    trigger.dead_time = Time{10};
    // 5 is within 10 of 0; 10 is not; 12 is within 10 of 10; 21 is not.
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{10}, Time{21}});
}

TEST_CASE("A train without an end is refused") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Periodic;
    trigger.rate = Frequency{1'000'000};
    CHECK_THROWS_AS(TriggerTrain(trigger, 1), std::invalid_argument);
}

TEST_CASE("The number of triggers is known before drawing where the pattern fixes it") {
    Trigger trigger;
    trigger.events = 4;
    CHECK(trigger_count(trigger) == 4);
    trigger.pattern = Trigger::Pattern::Bursts;
    trigger.bursts = 3;
    CHECK(trigger_count(trigger) == 12);
    trigger.pattern = Trigger::Pattern::Poisson;
    trigger.events.reset();
    CHECK_FALSE(trigger_count(trigger));
}

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
