// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/loss-bound.h"

#include <rapidcheck.h>

#include <cmath>

#include "model/exact/exact-engine.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// 16 modules of 1 Gb/s and one uplink of 10 Gb/s; a frame of 1090 B lasts 0.872 us there.
Scenario camera(std::int64_t room) {
    Scenario s;
    s.front_end.modules = 16;
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{40'000'000'000};
    s.trigger.dead_time = Time{2'000'000};
    s.trigger.events = 1;
    s.network_switch.buffer.size = {room};
    return s;
}

double log_bound(const Scenario& s) { return LossBounds::of(s).log_probability(); }

}  // namespace

TEST_CASE("The bound of one queue is Kingman's exponential") {
    // The root of s (16 - D) = ln(1 + s / a) with a the triggers and D the dead time in frame times: 40 kHz and 2 us at
    // 0.872 us a frame.
    const double a = 0.040 * 0.872, dead = 2 / 0.872;
    double root = 1e-3;
    for (int i = 0; i < 200; ++i) root = std::log1p(root / a) / (16 - dead);  // converges from either side
    CHECK(root * (16 - dead) == Approx(std::log1p(root / a)));
    // One frame of the room is the one on its way out.
    CHECK(log_bound(camera(101)) == Approx(-root * (100 - 16)));
    CHECK(log_bound(camera(16)) == 0);  // no room for the one on its way out
    CHECK(log_bound(camera(400)) < log_bound(camera(200)));
}

TEST_CASE("Where nothing builds up nothing is lost, and above capacity nothing is promised") {
    Scenario s = camera(40);
    s.front_end.modules = 10;  // 8.72 us on the link, and as long on the uplink
    CHECK(std::isinf(log_bound(s)));
    s = camera(100'000);
    s.trigger.rate = Frequency{100'000'000'000};
    CHECK(log_bound(s) == 0);
}

TEST_CASE("What the bound does not know it names by one key") {
    Scenario s = camera(100);
    s.front_end.jitter = Time{1};
    CHECK_THAT(LossBounds::of(s).obstacle.key, Contains("front_end"));
    s = camera(100);
    s.network_switch.buffer.slices = 2;
    CHECK_THAT(LossBounds::of(s).obstacle.key, Contains("switch.buffer.slices"));
    s = camera(100);
    s.trigger.pattern = Trigger::Pattern::Periodic;
    CHECK_THAT(LossBounds::of(s).obstacle.key, Contains("trigger.pattern"));
}

TEST_CASE("No camera loses more than its bound: uneven uplinks, two tiers, several fragments, every plain memory") {
    ExactEngine engine;
    int lossy = 0, told = 0;
    REQUIRE(rc::check([&] {
        Scenario s = camera(1);
        s.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
        const int switches = *rc::gen::inRange(1, 4), uplinks = *rc::gen::inRange(1, 4);
        s.frame.fragments = *rc::gen::element(1, 1, 2, 3);
        s.network_switch.count = switches;
        s.network_switch.uplinks = uplinks;
        s.front_end.modules = switches * uplinks * *rc::gen::inRange(4, 20) + *rc::gen::inRange(0, 3);
        s.network_switch.uplink_choice.rule = *rc::gen::element(UplinkChoice::Rule::Modulo, UplinkChoice::Rule::Hash);
        s.network_switch.latency = Time{*rc::gen::element<std::int64_t>(0, 3'000'000)};
        const auto memory = [&](Switch& of, int modules) {
            using Sharing = Buffer::Sharing;
            of.buffer.sharing =
                *rc::gen::element(Sharing::Shared, Sharing::PerOutput, Sharing::PerInput, Sharing::DynamicThreshold);
            of.buffer.alpha = Ratio{*rc::gen::inRange<std::int64_t>(1, 8), 2};
            const std::int64_t frames =
                s.frame.fragments.number * (of.buffer.sharing == Sharing::PerInput
                                                ? 1 + (modules > s.front_end.modules / switches ? modules / uplinks : 0)
                                                : modules);
            of.buffer.size = {frames * *rc::gen::inRange<std::int64_t>(1, 9)};
        };
        memory(s.network_switch, s.front_end.modules / switches);
        if (switches * uplinks > 1 && *rc::gen::arbitrary<bool>()) {
            Switch& second = s.aggregation.emplace();
            second.uplinks = *rc::gen::inRange(1, switches * uplinks);
            memory(second, s.front_end.modules);
        }
        const double busiest = saturation_rate(s, Network(s), Bytes{1090 * s.frame.fragments.number});
        const double gap = 1 / (busiest * *rc::gen::inRange(30, 97) / 100) - 2e-6;
        s.trigger.rate = Frequency{static_cast<std::int64_t>(1e6 / gap)};
        const double bound = std::exp(log_bound(s));
        constexpr std::int64_t kEvents = 4'000;
        const auto counts = count_incomplete(engine, s, kEvents, 1);
        const Bracket seen = loss_probability({counts});
        lossy += seen.estimate > 0;
        told += bound < 1;
        // Three intervals' width: of so many cameras some are unlucky.
        RC_ASSERT(seen.estimate <= bound || seen.estimate - 3 * (seen.estimate - seen.lower) <= bound);
    }));
    CHECK(lossy > 10);
    CHECK(told > 30);
}

TEST_CASE("A burst as long as the bound tells loses nothing") {
    ExactEngine engine;
    int limited = 0;
    REQUIRE(rc::check([&] {
        Scenario s = camera(1);
        s.network_switch.count = *rc::gen::inRange(2, 5);
        s.front_end.modules = s.network_switch.count * *rc::gen::inRange(4, 20) + *rc::gen::inRange(0, 4);
        s.network_switch.buffer.size = {100'000};
        s.aggregation.emplace().uplinks = *rc::gen::inRange(1, 3);
        s.aggregation->buffer.size = {s.front_end.modules * *rc::gen::inRange<std::int64_t>(1, 20)};
        s.frame.fragments = *rc::gen::inRange(1, 3);
        const double separation = 1e-6 * *rc::gen::inRange(1, 60);
        const LossBounds bounds = LossBounds::of(s, s.network_switch.count);
        RC_PRE(bounds.switches.size() == 1);
        const auto events = bounds.switches.front().lossless_events(separation);
        limited += events && *events > 1;
        s.trigger = Trigger{};
        s.trigger.separation = Time{std::llround(separation * 1e12)};
        s.trigger.events = std::min<std::int64_t>(events.value_or(300), 300);
        if (*s.trigger.events > 0) RC_ASSERT(engine.run(s).frames_lost() == 0);
    }));
    CHECK(limited > 20);
}
