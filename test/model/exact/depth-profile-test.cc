// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/depth-profile.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

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
