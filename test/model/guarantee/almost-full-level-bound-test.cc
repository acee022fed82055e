// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/almost-full-level-bound.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kMicrosecond = 1'000'000;

/// Links of 1 Gb/s and frames of 1000 B on them, so 8 us each; `pace` times as fast an uplink.
NetworkScenario camera_of(int modules, std::int64_t room, Time dead_time, int pace = 1) {
    NetworkScenario s;
    s.frame.payload = Bytes{934};
    s.front_end.modules = modules;
    s.network_switch.uplink_rate = BitRate{pace * std::int64_t{1'000'000'000}};
    s.network_switch.buffer.size = {room};
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{7'000'000'000};
    s.trigger.dead_time = dead_time;
    return s;
}

/// Train of frames in a memory, from the words of the rule alone; it shares no code with the engines.
class Memory {
  public:
    Memory(std::int64_t modules, std::int64_t room, Time uplink, Time latency)
        : modules_(modules), room_(room), uplink_(uplink), latency_(latency) {}

    std::int64_t held(Time at) const {
        std::int64_t held = 0;
        for (const auto& [from, to] : stays_) held += from <= at && at < to;
        return held;
    }
    bool passes(Time time, std::int64_t level) const { return held(time - latency_) < level; }
    /// @return a frame is lost
    bool trigger(Time time) {
        const Time arrival = time + Time{8 * kMicrosecond};  // no two come closer than a frame lasts
        for (std::int64_t module = 0; module < modules_; ++module) {
            if (held(arrival) >= room_) return true;
            free_ = std::max(arrival, free_) + uplink_;
            stays_.emplace_back(arrival, free_);
        }
        return false;
    }

  private:
    std::int64_t modules_, room_;
    Time uplink_, latency_, free_{0};
    std::vector<std::pair<Time, Time>> stays_;
};

/// Whether any sequence of triggers at multiples of `grid` that the rule lets pass loses a frame.
bool any_loses(const Memory& before, Time from, Time until, Time grid, Time dead_time, std::int64_t level) {
    for (Time time = from; time <= until; time += grid) {
        if (!before.passes(time, level)) continue;
        Memory then = before;
        if (then.trigger(time) || any_loses(then, time + dead_time, until, grid, dead_time, level)) return true;
    }
    return false;
}

Outcome run(NetworkScenario scenario, const std::vector<Time>& times, const std::vector<TriggerRule>& rules) {
    scenario = with_triggers(scenario, times);
    scenario.trigger.rules = rules;
    return ExactEngine().run(scenario);
}

TriggerRule almost_full(MemorySize level, Time latency) { return {TriggerRule::Kind::AlmostFull, 1, latency, level}; }

/// A sequence that the level lets pass and that loses a frame; empty if none of the worst ones does.
std::vector<Time> losing(const NetworkScenario& camera, const AlmostFullLevelBound& bound, MemorySize level,
                         Time latency) {
    for (const std::vector<Time>& offered : bound.worst(level)) {
        const Outcome outcome = run(camera, offered, {almost_full(level, latency)});
        if (outcome.frames_lost() > 0) return outcome.triggers;
    }
    return {};
}

}  // namespace

TEST_CASE("Three modules, an uplink as fast as a link, 9 us of dead time, a look 1 us before: memory for nine frames") {
    // A trigger's 3 frames arrive 9 us after the look, and the next trigger's no earlier than 9 us later: of one
    // trigger the look knows nothing. One frame leaves meanwhile, so 3 + h - 1 <= 9: the look may find seven frames.
    const NetworkScenario camera = camera_of(3, 9, Time{9 * kMicrosecond});
    const Time latency{kMicrosecond};
    const auto bound = AlmostFullLevelBound::of(camera, latency, nullptr);
    REQUIRE(bound);
    REQUIRE(bound->highest());
    CHECK(*bound->highest() == MemorySize{8, MemorySize::Unit::Frame});
    const std::vector<Time> witness = losing(camera, *bound, {9}, latency);
    REQUIRE(!witness.empty());
    CHECK(run(camera, witness, {}).frames_lost() > 0);
    CHECK(run(camera, witness, {almost_full({8}, latency)}).triggers_refused > 0);
}

TEST_CASE("No level helps where the second of two unseen triggers finds what waits for the latency of the switch") {
    // Five frames for each of two uplinks, 8/3 us each, which begin to leave 5 us after they came: 4 have left when the
    // next five come after 16 us, and 6 wait, where 5 have room. The third trigger finds no more than that.
    NetworkScenario camera = camera_of(10, 11, Time{16 * kMicrosecond}, 3);
    camera.network_switch.uplinks = 2;
    camera.network_switch.latency = Time{5 * kMicrosecond};
    const auto bound = AlmostFullLevelBound::of(camera, Time{36 * kMicrosecond}, nullptr);
    REQUIRE(bound);
    CHECK_FALSE(bound->highest());
    CHECK(run(camera, {Time{0}, Time{16 * kMicrosecond}}, {}).frames_lost() > 0);
    camera.network_switch.buffer.size = {12};
    CHECK(AlmostFullLevelBound::of(camera, Time{36 * kMicrosecond}, nullptr)->highest());
}

TEST_CASE("The highest level loses nothing whatever comes on a grid, and one frame more loses") {
    struct Case {
        int modules, pace;
        std::int64_t room, dead_us, latency_us;
    };
    // Up to seven triggers within 64 us, on a grid of half a frame on the uplink.
    std::int64_t needed = 0;
    for (const Case& c : {Case{3, 1, 9, 9, 0},
                          {3, 1, 7, 8, 0},
                          {3, 1, 9, 8, 4},
                          {2, 1, 6, 8, 8},
                          {2, 1, 7, 8, 4},
                          {4, 2, 8, 8, 0},
                          {4, 2, 10, 8, 4},
                          {4, 2, 13, 8, 8},
                          {5, 2, 11, 8, 0},
                          {5, 2, 12, 10, 6},
                          {2, 1, 4, 12, 8},
                          {6, 4, 10, 8, 2}}) {
        INFO(c.modules << " modules, pace " << c.pace << ", room " << c.room << ", dead time " << c.dead_us
                       << " us, latency " << c.latency_us << " us");
        const Time dead_time{c.dead_us * kMicrosecond}, latency{c.latency_us * kMicrosecond},
            uplink{8 * kMicrosecond / c.pace}, grid{2 * kMicrosecond}, until{48 * kMicrosecond};
        const NetworkScenario camera = camera_of(c.modules, c.room, dead_time, c.pace);
        const auto bound = AlmostFullLevelBound::of(camera, latency, nullptr);
        REQUIRE(bound);
        const auto highest = bound->highest();
        const Memory empty(c.modules, c.room, uplink, latency);
        if (!highest) {
            CHECK(any_loses(empty, Time{0}, until, grid, dead_time, 1));
            continue;
        }
        ++needed;
        CHECK_FALSE(any_loses(empty, Time{0}, until, grid, dead_time, highest->amount));
        const MemorySize weaker{highest->amount + 1};
        const std::vector<Time> witness = losing(camera, *bound, weaker, latency);
        CHECK(!witness.empty());
        Memory memory = empty;
        bool lost = false;
        for (const Time time : witness) {
            CHECK((lost || memory.passes(time, weaker.amount)));
            lost = lost || memory.trigger(time);
        }
        CHECK(lost);
    }
    CHECK(needed > 6);
}

TEST_CASE(
    "Random triggers lose nothing at the highest level, whatever the camera, and a higher one nearly always can") {
    std::int64_t found = 0, shown = 0;
    CHECK(rc::check("in 1500 triggers at up to 60 times the rate of the uplink", [&] {
        const int modules = *rc::gen::inRange(2, 24), uplinks = *rc::gen::inRange(1, 3);
        NetworkScenario camera =
            camera_of(modules * uplinks, *rc::gen::inRange(2, 200),
                      Time{8 * kMicrosecond + *rc::gen::inRange(0, 8'000'000)}, *rc::gen::inRange(1, 12));
        camera.network_switch.uplinks = uplinks;
        camera.network_switch.latency = Time{*rc::gen::inRange(0, 3) * 2'700'000};
        camera.front_end.skew = {Time{*rc::gen::inRange(0, 3) * 1'300'000}};
        const Time latency{*rc::gen::inRange(0, 30) * 1'500'000};
        const auto now = Guarantee::of(camera);
        RC_PRE(now && !(now->bounded && now->fits()));
        const auto bound = AlmostFullLevelBound::of(camera, latency, nullptr);
        RC_ASSERT(bound);
        const auto level = bound->highest();
        if (!level) return;
        ++found;
        NetworkScenario ruled = camera;
        ruled.trigger.rules = {almost_full(*level, latency)};
        ruled.trigger.events = 1500;
        ruled.trigger.rate = Frequency{*rc::gen::element<std::int64_t>(20'000, 100'000, 2'000'000) * 1'000'000};
        RC_ASSERT(ExactEngine().run(ruled).frames_lost() == 0);
        RC_ASSERT(losing(camera, *bound, *level, latency).empty());
        MemorySize weaker = *level;
        ++weaker.amount;
        shown += !losing(camera, *bound, weaker, latency).empty();
    }));
    INFO(shown << " of " << found);
    CHECK(found > 30);
    CHECK(10 * shown > 9 * found);
}

TEST_CASE("What the bound of a level does not hold for is refused by its key") {
    const auto key_of = [](const NetworkScenario& scenario) {
        UnsupportedKey why;
        CHECK_FALSE(AlmostFullLevelBound::of(scenario, Time{0}, &why));
        return why.key;
    };
    const NetworkScenario good = camera_of(3, 9, Time{9 * kMicrosecond});
    NetworkScenario s = good;
    s.trigger.dead_time = Time{7 * kMicrosecond};
    CHECK(key_of(s) == "trigger.dead_time");
    s = good;
    s.network_switch.uplinks = 2;
    CHECK(key_of(s) == "switch.uplinks");
    s = good;
    s.network_switch.latency = Time{9 * kMicrosecond};
    CHECK(key_of(s) == "switch.latency");
    s = good;
    s.front_end.jitter = Time{1};
    CHECK(key_of(s) == "front_end.jitter");
    s = good;
    s.network_switch.buffer.sharing = Sharing::PerInput;
    CHECK(key_of(s) == "switch.buffer.sharing");
}
