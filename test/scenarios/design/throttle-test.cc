// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/throttle.h"

#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "model/frontend/trigger.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Links and uplink of 1 Gb/s and frames of 1000 B on them, so 8 us each; `modules` of them a trigger.
Scenario small(int modules, std::int64_t room, Time dead_time = Time{0}) {
    Scenario s;
    s.frame.payload = Bytes{934};
    s.front_end.modules = modules;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {room};
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{7'000'000'000};
    s.trigger.dead_time = dead_time;
    return s;
}

Outcome outcome_of(const Scenario& scenario, const std::vector<Time>& times) {
    ExactEngine engine;
    Scenario s = scenario;
    s.trigger = {};
    s.trigger.pattern = Trigger::Pattern::File;
    s.trigger.times = times;
    return engine.run(s);
}

/// Frames lost of 2000 random triggers at five times the rate of an uplink of 1 Gb/s.
std::int64_t lost_at_random(Scenario camera, const LosslessRule& rule) {
    camera.trigger = rule.trigger;
    camera.trigger.events = 2000;
    camera.trigger.rate = Frequency{625'000'000'000 / camera.front_end.modules};
    return ExactEngine().run(camera).frames_lost();
}

/// Calls back with every sequence of triggers on a grid that a rule lets pass.
template <class Seen>
void for_each_sequence(const Trigger& trigger, Time grid, Time until, std::size_t most, std::vector<Time>& times,
                       const Seen& seen) {
    seen(times);
    if (times.size() == most) return;
    TriggerRules rules(trigger);
    for (const Time time : times) rules.accept(time);
    const Time from = std::max(times.empty() ? Time{0} : times.back(), rules.earliest());
    for (Time time{(from.count() + grid.count() - 1) / grid.count() * grid.count()}; time <= until; time += grid) {
        times.push_back(time);
        for_each_sequence(trigger, grid, until, most, times, seen);
        times.pop_back();
    }
}

}  // namespace

TEST_CASE("The weakest rules without loss: three modules, an uplink as fast as a link, memory for seven frames") {
    // A trigger brings 3 frames, which the uplink sends in 24 us; a module's link brings the next 8 us later, when one
    // has left. So two triggers at once hold 3 + 3 - 1 = 5 frames, three 7 and four 9.
    ExactEngine engine;
    const Scenario camera = small(3, 7);
    const Throttle found = find_throttle(engine, camera);
    REQUIRE(found.rules.size() == 3);
    CHECK(found.rules[0].keys[0] == std::pair<std::string, std::string>{"trigger.dead_time", "24 us"});
    CHECK(found.rules[1].keys[0] == std::pair<std::string, std::string>{"trigger.rules", "[\"3 in 72 us\"]"});
    // Four at once: the fourth waits on its link until 32 us, and a token came at 24 us: a bucket of two lets three
    // come at 8, 16 and 32 us.
    CHECK(found.rules[2].keys[0].second.substr(0, 10) == "[\"bucket o");
    for (const LosslessRule& rule : found.rules) {
        INFO(rule.kind << " " << rule.keys[0].second << ", weaker " << rule.weaker.second);
        // Every sequence of up to five triggers on a grid of half a frame loses nothing.
        std::vector<Time> times;
        std::int64_t sequences = 0;
        for_each_sequence(rule.trigger, Time{4'000'000}, Time{64'000'000}, 5, times,
                          [&](const std::vector<Time>& seen) {
                              ++sequences;
                              if (!seen.empty()) REQUIRE(outcome_of(camera, seen).frames_lost() == 0);
                          });
        CHECK(sequences > 50);
        // One step weaker lets triggers pass that lose frames, the last of them the first to.
        REQUIRE(!rule.witness.empty());
        const Outcome lossy = outcome_of(camera, rule.witness);
        REQUIRE(lossy.first_loss);
        CHECK(lossy.first_loss->frame.event == static_cast<std::int64_t>(rule.witness.size()));
    }
}

TEST_CASE("Beside a stream, and through tiers, no trigger that a rule lets pass loses a frame, whatever the phase") {
    // A trigger brings 24 us of frames, the stream 8 us of each 64 us: together as much as the uplink sends if triggers
    // are 24 us / (1 - 1 / 8) apart. Memory for 4 frames takes both at once.
    Scenario camera = small(3, 4, Time{8'000'000});
    TrafficStream other;
    other.name = "other";
    other.payload = camera.frame.payload;
    other.rate.frames = Frequency{15'625'000'000};
    camera.traffic = {other};
    ExactEngine engine;
    const auto throttle = [&] {
        const Throttle found = find_throttle(engine, camera);
        for (const LosslessRule& rule : found.rules)
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                Scenario random = camera;
                random.seed = seed;
                CHECK(lost_at_random(random, rule) == 0);
            }
        return found.rules;
    };
    auto rules = throttle();
    REQUIRE(rules.size() == 3);
    CHECK(rules[0].keys[0].second == "27.429 us");
    CHECK(rules[0].weaker.second == "27.428 us");
    SECTION("memory for 20 frames") {
        // The last frames of 9 triggers at once come after 64 us: 27 and 2 of the stream, of which 8 have left. A
        // bucket of 7 lets as many pass until then.
        camera.network_switch.buffer.size = {20};
        rules = throttle();
        REQUIRE(rules.size() == 3);
        CHECK(rules[0].keys[0].second == "27.429 us");
        CHECK(rules[1].keys[0].second == "[\"8 in 219.432 us\"]");
        CHECK(rules[2].keys[0].second == "[\"bucket of 6, one in 27.429 us\"]");
    }
    SECTION("two switches before a third") {
        camera.traffic.clear();
        camera.front_end.modules = 6;
        camera.network_switch.count = 2;
        camera.aggregation = camera.network_switch;
        camera.aggregation->count = 1;
        camera.aggregation->uplink_rate = BitRate{2'000'000'000};
        rules = throttle();
        REQUIRE(rules.size() == 2);
        CHECK(rules[0].keys[0].second == "24 us");  // of the switches before
        const Throttle found = find_throttle(engine, camera);
        CHECK(found.no_bucket.key == "aggregation");
    }
}

TEST_CASE("Random triggers of a weakest rule lose nothing, whatever camera, memory and dead time") {
    CHECK(rc::check("in 2000 triggers at five times the rate of the uplink", [] {
        const int modules = *rc::gen::inRange(1, 12);
        Scenario camera = small(modules, *rc::gen::inRange(1, 80), Time{*rc::gen::inRange(0, 20) * 1'000'000});
        camera.network_switch.uplink_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 40) * 100'000'000};
        camera.network_switch.latency = Time{*rc::gen::inRange(0, 3) * 700'000};
        ExactEngine engine;
        const Throttle found = find_throttle(engine, camera);
        for (const LosslessRule& rule : found.rules) {
            RC_ASSERT(lost_at_random(camera, rule) == 0);
        }
    }));
}

TEST_CASE("No rule is needed where dead time is enough, and none helps where one trigger is too much") {
    ExactEngine engine;
    CHECK(find_throttle(engine, small(3, 7, Time{24'000'000})).needless);
    CHECK_FALSE(find_throttle(engine, small(3, 7, Time{23'999'000})).needless);
    const Throttle none = find_throttle(engine, small(9, 7));
    CHECK(none.rules.empty());
}

TEST_CASE("What a proof does not hold for is refused by its key") {
    ExactEngine engine;
    const auto key_of = [&](Scenario scenario) {
        try {
            find_throttle(engine, scenario);
        } catch (const KeyError& error) {
            return error.key;
        }
        return std::string();
    };
    Scenario s = small(3, 7);
    s.traffic.emplace_back();
    s.traffic[0].name = "other";
    s.traffic[0].pattern = TrafficStream::Pattern::Poisson;
    CHECK(key_of(s) == "traffic.other.pattern");
    s = small(3, 7);
    s.network_switch.buffer.release = Buffer::Release::Start;
    CHECK(key_of(s) == "switch.buffer.release");
    s = small(3, 7);
    s.trigger.rules = {{TriggerRule::Kind::Count, 1, Time{1}}};
    CHECK(key_of(s) == "trigger.rules");
}

TEST_CASE("Uneven uplinks and a jitter have rules without loss, and for a jitter no token bucket is sought") {
    CHECK(rc::check("in 2000 triggers at five times the rate of the uplink", [] {
        const int modules = *rc::gen::inRange(1, 12);
        Scenario camera = small(modules, *rc::gen::inRange(1, 80));
        camera.network_switch.uplinks = *rc::gen::inRange(1, 4);
        camera.frame.fragments = *rc::gen::inRange(1, 3);
        camera.front_end.jitter = Time{*rc::gen::inRange(0, 2) * *rc::gen::inRange(1, 100) * 100'000};
        ExactEngine engine;
        const Throttle found = find_throttle(engine, camera);
        RC_ASSERT(found.rules.size() < 3 || (camera.front_end.jitter == Time{0} && !found.no_bucket));
        for (const LosslessRule& rule : found.rules) {
            RC_ASSERT(lost_at_random(camera, rule) == 0);
            if (!rule.witness.empty()) RC_ASSERT(engine.run(with_triggers(camera, rule.witness)).frames_lost() > 0);
        }
    }));
}

TEST_CASE("The part that is refused: dead time and Erlang's formula, and in a run what they say") {
    Trigger trigger = small(3, 7).trigger;  // 7 kHz
    trigger.dead_time = Time{50'000'000};
    // 0.35 busy for each accepted one.
    CHECK(refused_share(trigger, 1).estimate == Approx(0.35 / 1.35));
    trigger.dead_time = Time{0};
    // Two servers, 0.7 Erlang: 0.245 / (1 + 0.7 + 0.245).
    trigger.rules = {{TriggerRule::Kind::Count, 2, Time{100'000'000}}};
    const RefusedShare calculated = refused_share(trigger, 1);
    CHECK(calculated.calculated);
    CHECK(calculated.estimate == Approx(0.245 / 1.945));
    // A dead time of one picosecond makes it a run; a bucket of one token is a dead time.
    trigger.dead_time = Time{1};
    const RefusedShare run = refused_share(trigger, 1);
    CHECK_FALSE(run.calculated);
    CHECK(run.lower < calculated.estimate);
    CHECK(calculated.estimate < run.upper);
    CHECK(run.upper - run.lower < 0.004);
    // The rule refuses as many of the triggers that the dead time lets pass; a longer dead time refuses some of these.
    const RefusedShare passed = refused_share(trigger, 1, trigger.dead_time);
    CHECK(passed.estimate == Approx(run.estimate).epsilon(1e-6));
    trigger.rules = {};
    trigger.dead_time = Time{50'000'000};
    CHECK(refused_share(trigger, 1, Time{20'000'000}).estimate == Approx(1 - 1.14 / 1.35));
    // A rule that never refuses was not seen to, in a million.
    trigger.rules = {{TriggerRule::Kind::Count, 40, Time{100'000'000}}};
    const RefusedShare never = refused_share(trigger, 1, trigger.dead_time);
    CHECK((never.estimate == 0 && never.lower == 0));
    CHECK(never.upper == Approx(3.0 / (1 << 20) / 1.35).epsilon(1e-3));
    trigger.dead_time = Time{1};
    // Both rules are that dead time, and more than one rule makes it a run.
    trigger.rules = {{TriggerRule::Kind::Bucket, 1, Time{50'000'000}}};
    CHECK(refused_share(trigger, 1).estimate == Approx(0.35 / 1.35));
    trigger.rules.push_back({TriggerRule::Kind::Count, 1, Time{50'000'000}});
    const RefusedShare dead = refused_share(trigger, 1);
    CHECK(dead.lower < 0.35 / 1.35);
    CHECK(0.35 / 1.35 < dead.upper);
}

// At 1 mHz a batch of 65536 triggers would last two years, and a Time holds 106 days.
TEST_CASE("At a rate however low, as many triggers are counted as a Time holds, or the rate is refused") {
    // Two servers, 2 Erlang: 2 / (1 + 2 + 2).
    Trigger trigger = small(3, 7).trigger;
    trigger.rate = Frequency{1'000};
    trigger.dead_time = Time{1};
    trigger.rules = {{TriggerRule::Kind::Count, 2, Time{2'000'000'000'000'000}}};
    const RefusedShare run = refused_share(trigger, 1);
    CHECK_FALSE(run.calculated);
    CHECK(run.lower < 0.4);
    CHECK(run.upper > 0.4);
    CHECK(run.upper - run.lower < 0.1);
    // 4.6e18 ps are 17 batches of 16 triggers at least 1.7e16 ps apart: 59 uHz.
    trigger.rules[0].time = Time{1'000'000};
    trigger.rate = Frequency{60};
    CHECK(refused_share(trigger, 1).estimate == 0);
    trigger.rate = Frequency{58};
    CHECK_THROWS_WITH(refused_share(trigger, 1), StartsWith("trigger.rate: found 58 uHz, expected so much more"));
    trigger.rate = Frequency{60};
    trigger.rules[0] = {TriggerRule::Kind::Bucket, 2, Time{1'000'000'000'000'000}};
    CHECK_THROWS_WITH(refused_share(trigger, 1), StartsWith("trigger.rate: "));
    // Runs with a look at the memory: 1250 s of mean distance are within reach for 3689 triggers.
    Scenario camera = small(3, 90, Time{8'000'000});
    camera.trigger.rate = Frequency{800};
    camera.trigger.rules = {{TriggerRule::Kind::AlmostFull, 1, Time{100'000}, {80}}};
    ExactEngine engine;
    const RefusedShare seen = refused_share(engine, camera, camera.trigger.dead_time);
    CHECK(seen.estimate < 1e-12);
    CHECK(seen.upper == Approx(3.0 / 16 / (3689 / 2)).epsilon(1e-2));
}

TEST_CASE("What a rule refuses is asked of random triggers of one rate whose rules need no run") {
    Trigger trigger = small(3, 7).trigger;
    const auto says = [&](const std::string& words) {
        CHECK_THROWS_WITH(refused_share(trigger, 1), StartsWith(words));
        trigger = small(3, 7).trigger;
    };
    trigger.pattern = Trigger::Pattern::Periodic;
    says("trigger.pattern: ");
    trigger.burst.events = 1;
    says("trigger.burst.events: ");
    trigger.rules = {{TriggerRule::Kind::AlmostFull, 1, Time{1}, {1}}};
    says("trigger.rules: expected no almost-full rule");
}

// A frame of 1000 B takes 8 us on a module's link.
TEST_CASE("An obstacle of a bound names the value that prevents it, and a remedy") {
    const Scenario plain = small(3, 7, Time{7'999'999}), slow = small(3, 7, Time{8'000'000});
    Scenario jittering = plain;
    jittering.front_end.jitter = Time{1};
    Scenario periodic = jittering, almost_full = plain, counted = plain;
    periodic.trigger.pattern = Trigger::Pattern::Periodic;
    counted.trigger.rules = {{TriggerRule::Kind::Count, 3, Time{40'000'000}}};
    almost_full.trigger.rules = counted.trigger.rules;
    almost_full.trigger.rules.push_back({TriggerRule::Kind::AlmostFull, 1, Time{1'000'000}, {5}});
    const std::string least = ", expected a frame's time on a module's link, 8 us, or more: ",
                      risk =
                          "why; for random triggers, risk --method bound gives an upper bound on the chance of a loss";
    const struct {
        const Scenario& scenario;
        std::string key, key_told, why;
    } cases[] = {
        {plain, "switch.buffer", "switch.buffer", "why"},
        {jittering, "trigger", "trigger.dead_time", "found 7.999999 us" + least + "faster triggers"},
        {plain, "trigger", "trigger", "why"},
        {slow, "trigger", "trigger", "why"},
        {periodic, "trigger", "trigger", "why"},
        {slow, "trigger.dead_time", "trigger.dead_time", "found 8 us" + least + "why"},
        {counted, "trigger.rules", "trigger.rules", "why"},
        {almost_full, "trigger.rules", "trigger.rules",
         "found \"almost full at 5 frames, after 1 us\", expected counts"},
        {plain, "aggregation.buffer", "aggregation.buffer", risk},
        {plain, "node.a.buffer", "node.a.buffer", risk},
    };
    for (const auto& [scenario, key, key_told, why] : cases) {
        INFO(key);
        const UnsupportedKey told = bound_reason(scenario, {key, "why"});
        CHECK(told.key == key_told);
        CHECK(told.why.substr(0, std::max(why.size(), std::size_t{4})).substr(0, why.size()) == why);
        if (why == "why" || why == risk) CHECK(told.why == why);
    }
}

// A trigger brings 3 frames, which take the uplink 24 us.
TEST_CASE(
    "The shortest dead time is none where memory and uplink suffice for any, and one that an event takes at most") {
    const auto shortest = [](int modules, std::int64_t room, std::int64_t uplink_megabits) {
        Scenario camera = small(modules, room);
        camera.network_switch.uplink_rate = BitRate{uplink_megabits * 1'000'000};
        return shortest_dead_time(camera, *Guarantee::of(camera));
    };
    CHECK(shortest(3, 3, 3000) == Time{0});  // three frames in 8 us, the time that links take for the next
    CHECK(shortest(3, 3, 1000) == Time{24'000'000});
    CHECK(shortest(3, 3, 999) == Time{24'025'000});  // 24.024024 us
    CHECK_FALSE(shortest(3, 2, 1000));
}

TEST_CASE("Usual rates are 17, from a quarter to four times the scenario's, four to an octave") {
    const std::vector<Frequency> rates = usual_rates(Frequency{8'000'000});
    REQUIRE(rates.size() == 17);
    CHECK(rates.front() == Frequency{2'000'000});
    CHECK(rates[4] == Frequency{4'000'000});
    CHECK(rates[7] == Frequency{6'727'171});  // 8 / 2^(1/4)
    CHECK(rates[8] == Frequency{8'000'000});
    CHECK(rates.back() == Frequency{32'000'000});
}

TEST_CASE("A curve has at each rate what the rules refuse beyond the dead time, and the risk where one is known") {
    Scenario camera = small(3, 7, Time{8'000'000});
    ExactEngine engine;
    std::vector<LosslessRule> rules(2);
    rules[0].kind = "dead-time", rules[1].kind = "count";
    rules[0].trigger = rules[1].trigger = camera.trigger;
    rules[0].trigger.dead_time = Time{24'000'000};
    rules[1].trigger.rules = {{TriggerRule::Kind::Count, 3, Time{72'000'000}}};
    const auto curve = [&] { return throttle_curve(camera, rules, {Frequency{9'000'000'000}}, engine, 1)[0]; };
    // 9 kHz times 24 us are 0.216, and times 8 us 0.072.
    const nlohmann::ordered_json point = curve();
    CHECK(point["rate_hz"] == 9000);
    CHECK(point["without"]["method"] == "chain");
    CHECK(point["refused"]["dead-time"]["estimate"].get<double>() == Approx(1 - 1.072 / 1.216));
    CHECK(point["refused"]["dead-time"].contains("bounds"));
    CHECK(point["refused"]["count"].contains("interval95"));
    camera.traffic.emplace_back();
    CHECK(curve()["without"].is_null());
    nlohmann::ordered_json json;
    add_interval(json, {0.2, 0.1, 0.3, false});
    CHECK(json == nlohmann::ordered_json{{"interval95", {0.1, 0.3}}});
}
