// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/burst-boundary.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"
#include "test/model/exact/synchronous-scenario.h"

using namespace watershed;

TEST_CASE("Arithmetic and runs of bursts agree on the longest lossless one") {
    int finite = 0, steady = 0, runs = 0;
    for (std::uint64_t seed = 1; seed <= 7000; ++seed) {
        Scenario s = random_camera(seed);
        s.trigger.pattern = Trigger::Pattern::Burst;
        s.trigger.duration.reset();
        s.trigger.dead_time = Time{0};
        const auto camera = SynchronousCamera::of(s);
        const auto burst = camera ? BurstArithmetic::of(*camera, s.trigger.separation) : std::nullopt;
        if (!burst) continue;
        INFO("seed " << seed);
        s.trigger.events = 200;
        const Outcome outcome = ExactEngine(ExactEngine::Path::General).run(s);
        const auto lossless = burst->lossless(camera->room, 200);
        if (outcome.incomplete.empty()) {
            REQUIRE_FALSE(lossless);
        } else {
            REQUIRE(lossless);
            REQUIRE(*lossless == outcome.incomplete.front().event - 1);
            ++finite;
        }
        steady += burst->steady();
        ++runs;
    }
    CHECK(runs > 2800);
    CHECK(finite > 1400);
    CHECK(steady > 350);
}

TEST_CASE("One picosecond below the asymptote the boundary is where the closed form puts it") {
    // N = 44 frames of 0.872 us fill 38.368 us. At d one picosecond less, m N - floor((m - 1) d / t) <= B until
    // (m - 1) (44 - d / t) passes B - 44, and 44 - d / t = 1 / 872000: m = 1 + (300000 - 44 + 1) 872000 - 1.
    Scenario s;
    s.network_switch.buffer.size = {300'000};
    const auto camera = SynchronousCamera::of(s);
    REQUIRE(camera);
    const auto burst = BurstArithmetic::of(*camera, Time{38'367'999});
    REQUIRE(burst);
    const auto lossless = burst->lossless(camera->room, burst->most_events());
    REQUIRE(lossless);
    const Wide m = *lossless;
    const auto occupancy = [](Wide events) { return 44 * events - (events - 1) * 38'367'999 / 872'000; };
    CHECK(occupancy(m) <= 300'000);
    CHECK(occupancy(m + 1) > 300'000);
    CHECK(m > 250'000'000'000);

    const auto at_asymptote = BurstArithmetic::of(*camera, Time{38'368'000});
    REQUIRE(at_asymptote);
    CHECK(at_asymptote->steady());
    CHECK(at_asymptote->occupancy(1'000'000) == 44);
}

TEST_CASE(
    "Three modules at 3 Gb/s just fill an uplink of 9 Gb/s, although no frame lasts a whole number of picoseconds") {
    // 1090 B at 3 Gb/s last 2906666 2/3 ps, and so do 3 of them at 9 Gb/s: each event finds the switch empty.
    Scenario s;
    s.front_end.modules = 3;
    s.front_end.link_rate = BitRate{3'000'000'000};
    s.network_switch.uplink_rate = BitRate{9'000'000'000};
    s.network_switch.buffer.size = {3};
    const auto burst = [&] { return *BurstArithmetic::of(*SynchronousCamera::of(s), Time{0}); };
    CHECK(burst().steady());
    CHECK(burst().occupancy(1'000'000'000) == 3);
    s.trigger.separation = Time{0};
    s.trigger.events = 1000;
    for (const auto path : {ExactEngine::Path::Fastest, ExactEngine::Path::General})
        CHECK(ExactEngine(path).run(s).frames_lost() == 0);

    // One bit per second less, and 9 * 10^9 / 3 events later an uplink has fallen a frame behind: 3 m - floor((m - 1)
    // r) <= 3.
    s.network_switch.uplink_rate = BitRate{8'999'999'999};
    CHECK_FALSE(burst().steady());
    CHECK(burst().lossless(4, burst().most_events()) == 1 + 3'000'000'000);
}

namespace {

Scenario camera(int modules, std::int64_t events, MemorySize size) {
    Scenario s;
    s.front_end.modules = modules;
    s.trigger.separation = Time{8'720'000};
    s.trigger.events = events;
    s.network_switch.buffer.size = size;
    return s;
}

}  // namespace

TEST_CASE("One run gives the longest lossless burst of every depth") {
    // At wire speed 28 arrive and 10 leave an event: event m finds 18 (m - 1) and makes it 18 (m - 1) + 28.
    ExactEngine engine;
    const auto profile = DepthProfile::of(engine, camera(28, 100, {1000}));
    REQUIRE(profile);
    CHECK(profile->lossless(27) == 0);
    CHECK(profile->lossless(28) == 1);
    CHECK(profile->lossless(45) == 1);
    CHECK(profile->lossless(46) == 2);
    CHECK(profile->lossless(1000) == 55);  // 18 * 54 + 28 = 1000
    CHECK_FALSE(DepthProfile::of(engine, camera(28, 55, {1000}))->lossless(1000));
}

TEST_CASE("A depth may be counted in bytes") {
    ExactEngine engine;
    const auto profile = DepthProfile::of(engine, camera(28, 100, {100'000, MemorySize::Unit::Byte}));
    CHECK(profile->lossless(46 * 1070 - 1) == 1);
    CHECK(profile->lossless(46 * 1070) == 2);
}

TEST_CASE("A depth profile tells what a run with each depth tells") {
    REQUIRE(rc::check("profile against single runs", [] {
        Scenario s = camera(*rc::gen::inRange(1, 12), *rc::gen::inRange<std::int64_t>(1, 40), {60});
        s.seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
        s.front_end.jitter = Time{*rc::gen::inRange<std::int64_t>(0, 4) * 3'000'000};
        s.front_end.skew_spread = Time{*rc::gen::inRange<std::int64_t>(0, 2) * 4'000'000};
        s.network_switch.uplinks = *rc::gen::inRange(1, 3);
        s.network_switch.arrival_order = *rc::gen::element(ArrivalOrder::Module, ArrivalOrder::Random);
        ExactEngine engine;
        const auto profile = DepthProfile::of(engine, s);
        RC_PRE(profile.has_value());
        s.network_switch.buffer.size = {*rc::gen::inRange<std::int64_t>(0, 61)};
        const Outcome outcome = engine.run(s);
        constexpr std::int64_t kNoLoss = -1;
        const std::int64_t expected = outcome.incomplete.empty() ? kNoLoss : outcome.incomplete.front().event - 1;
        RC_ASSERT(profile->lossless(s.network_switch.buffer.size.amount).value_or(kNoLoss) == expected);
    }));
}

TEST_CASE("Only one memory for all, without thresholds or reserves, has a depth profile") {
    Scenario s = camera(2, 1, {10});
    CHECK(DepthProfile::permits(s));
    s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    CHECK_FALSE(DepthProfile::permits(s));
    s = camera(2, 1, {10});
    s.front_end.fifo = 3;
    CHECK_FALSE(DepthProfile::permits(s));
}
