// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/rates.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
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
        RC_ASSERT(std::abs(latency - in_seconds(ExactEngine().run(s).simulated) * 1e6) < 0.001);
    }));
}
