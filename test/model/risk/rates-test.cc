// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/rates.h"

#include <rapidcheck.h>

#include <cmath>

#include "model/exact/exact-engine.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "model/risk/loss-bound.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Frames of 1090 B: 8.72 us on a module's link of 1 Gb/s, 0.872 us on an uplink of 10 Gb/s.
Scenario camera(int modules) {
    Scenario s;
    s.front_end.modules = modules;
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{8'000'000'000};  // 8 kHz
    s.trigger.dead_time = Time{2'000'000};
    return s;
}

/// An event that takes the uplink 38.368 us takes it 36.368 us of the random part of a gap, a load of 0.290944;
/// Pollaczek and Khinchine's mean of what waits is half of load times service over the rest. The last frame has its own
/// link too.
constexpr double kLatency = 38.368 + 8.72 + 0.290944 * 36.368 / (2 * 0.709056);

}  // namespace

TEST_CASE("Mean latency is the work of an event, its link, and what Pollaczek and Khinchine let it wait") {
    CHECK(rates_of(camera(44)).latency_us == Approx(kLatency).epsilon(1e-9));
}

TEST_CASE("Behind a second tier the slower tier's queue counts, and the other hands on one frame more") {
    Scenario s = camera(44);
    s.network_switch.count = 2;  // 22 modules each
    s.aggregation.emplace();
    const Rates rates = rates_of(s);
    CHECK(rates.second_tier);
    CHECK(rates.latency_us == Approx(kLatency + 0.872).epsilon(1e-9));
}

TEST_CASE("What saturates first is the busiest uplink, or the modules' links where these are slower") {
    CHECK(rates_of(camera(44)).saturation_khz == Approx(1e3 / 38.368));
    CHECK(rates_of(camera(5)).saturation_khz == Approx(1e3 / 8.72));  // 5 frames take the uplink 4.36 us
}

TEST_CASE("An event that is alone takes as long as its simulation, however its fragments follow one another") {
    CHECK(rc::check([] {
        Scenario s = camera(*rc::gen::inRange(1, 30));
        std::vector<Bytes> payloads;
        for (int i = *rc::gen::inRange(1, 5); i > 0; --i) payloads.push_back(Bytes{*rc::gen::inRange(0, 1473)});
        s.frame.fragments = FragmentList(payloads);
        s.front_end.gap = Time{*rc::gen::element(0, 10'000'000, 40'000'000)};
        s.network_switch.uplink_rate = BitRate{*rc::gen::element(1, 10, 40) * std::int64_t{1'000'000'000}};
        s.network_switch.buffer.size = {1'000, MemorySize::Unit::Frame};
        s.trigger.rate = Frequency{1};
        const double latency = rates_of(s).latency_us;
        s.trigger = {};
        s.trigger.events = 1;
        RC_ASSERT(std::abs(latency - in_microseconds(ExactEngine().run(s).simulated)) < 0.001);
    }));
}

namespace {

/// 40 modules on two switches of one uplink each, behind which a third has another of 12 Gb/s.
Scenario two_tiers() {
    Scenario s;
    s.front_end.modules = 40;
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{20'000'000'000};
    s.trigger.dead_time = Time{2'000'000};
    s.network_switch.count = 2;
    s.network_switch.buffer.size = {60};
    Switch& second = s.aggregation.emplace();
    second.uplink_rate = BitRate{12'000'000'000};
    second.buffer.size = {300};
    return s;
}

}  // namespace

TEST_CASE("What is certain of two tiers is the chain of the first and the bound of the second, added") {
    const Scenario s = two_tiers();
    Scenario first = s;
    first.aggregation.reset();
    const Enclosure chain = EquivalentQueues::of(first).log_loss();
    const LossBounds behind = LossBounds::of(s, 2);
    const CertainLoss both = CertainLoss::of(s);
    REQUIRE(both.log);
    CHECK(both.bounded);
    CHECK(both.log->lower == chain.lower);
    CHECK(std::exp(both.log->upper) ==
          Approx(std::min(1.0, std::exp(chain.upper) + std::exp(behind.log_probability(0.01)))));
    CHECK(CertainLoss::of(s, 0.01, CertainLoss::Tiers::First).log->upper == chain.upper);
    CHECK_FALSE(CertainLoss::of(s, 0.01, CertainLoss::Tiers::First).bounded);
    CHECK(CertainLoss::of(s, 0.01, CertainLoss::Tiers::Second).log->upper == behind.log_probability(0.01));
    CHECK(behind.log_probability(0.01) < behind.log_probability());
    ExactEngine engine;
    const Enclosure seen = loss_probability({count_incomplete(engine, s, 50'000, 1)});
    CHECK(seen.lower <= std::exp(both.log->upper));
    CHECK(seen.upper >= std::exp(both.log->lower));
}

TEST_CASE("What an uplink cannot carry is certainly lost, though only a bound knows the scenario") {
    // 1 / 17 us of events that last 20 x (1466 + 366) B of 10 Gb/s: 29.312 us.
    Scenario s = two_tiers();
    s.aggregation.reset();
    s.frame.fragments = FragmentList({Bytes{1400}, Bytes{300}});
    s.trigger.rate = Frequency{66'666'666'667};
    const CertainLoss loss = CertainLoss::of(s);
    REQUIRE(loss.log);
    CHECK(loss.load == Approx(29.312 / 17));
    CHECK(std::exp(loss.log->lower) == Approx(1 - 17 / 29.312));
    CHECK(loss.log->upper == 0);
    ExactEngine engine;
    CHECK(loss_probability({count_incomplete(engine, s, 20'000, 1)}).upper >= std::exp(loss.log->lower));
}

TEST_CASE("What waits for the modules' links for ever is not lost, however much an uplink is offered") {
    // 9 modules of 1 Gb/s cannot fill 10 Gb/s: a trigger each 6 us asks for 7.848 us of the uplink, 8.72 us of each
    // link.
    Scenario s = two_tiers();
    s.aggregation.reset();
    s.network_switch.count = 1;
    s.front_end.modules = 9;
    s.trigger.rate = Frequency{1'000'000'000'000};
    s.trigger.dead_time = Time{5'000'000};
    s.network_switch.buffer.size = {12};
    const CertainLoss loss = CertainLoss::of(s, std::nullopt);
    REQUIRE(loss.log);
    CHECK(loss.load > 1);
    CHECK(loss.log->lower <= loss.log->upper);
    CHECK(std::isinf(loss.log->upper));
    ExactEngine engine;
    s.trigger.events = 2000;
    CHECK(engine.run(s).frames_lost() == 0);
}

TEST_CASE("What neither the chain nor the bound knows is told by both keys") {
    Scenario s = two_tiers();
    s.network_switch.buffer.slices = 2;
    const CertainLoss loss = CertainLoss::of(s);
    CHECK_FALSE(loss.log);
    CHECK_THAT(loss.obstacles(), Contains("switch.buffer.slices"));
}
