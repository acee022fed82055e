// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "test/catch.h"
#include "test/model/exact/synchronous-scenario.h"

using namespace watershed;

TEST_CASE("The fast paths give what the general path gives, in every member of the outcome") {
    int by_trigger = 0, by_frame = 0, lossy = 0, idle = 0;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
        const Scenario s = random_camera(seed);
        const auto camera = SynchronousCamera::of(s);
        if (!camera) continue;
        const Outcome general = ExactEngine(ExactEngine::Path::General).run(s);
        INFO("seed " << seed);
        if (camera->counts_suffice()) {
            ++by_trigger;
            REQUIRE(run_by_trigger(*camera, s, nullptr) == general);
        }
        ++by_frame;
        REQUIRE(run_by_frame(*camera, s, nullptr) == general);
        REQUIRE(ExactEngine().run(s) == general);
        lossy += general.frames_lost() > 0;
        idle += general.first_idle_event > 0;
    }
    CHECK(by_trigger > 1500);
    CHECK(by_frame > 7000);
    CHECK(lossy > 2500);
    CHECK(idle > 1500);
}

TEST_CASE(
    "A dynamic threshold of the only queue is a limit of its own, and the fast paths lose what the general one does") {
    int thresholds = 0, full = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Scenario s = random_camera(seed);
        s.network_switch.uplinks = 1;
        s.network_switch.uplink_choice = {};
        s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
        s.network_switch.buffer.alpha = {std::int64_t(1 + seed % 40), std::int64_t(1 + seed % 3)};
        const auto camera = SynchronousCamera::of(s);
        if (!camera || !runs_fast(*camera)) continue;
        INFO("seed " << seed);
        const Outcome general = ExactEngine(ExactEngine::Path::General).run(s);
        REQUIRE(ExactEngine().run(s) == general);
        REQUIRE(run_by_frame(*camera, s, nullptr) == general);
        for (const Outcome::Loss& loss : general.losses) ++(loss.reason == "threshold" ? thresholds : full);
    }
    CHECK(thresholds > 500);
    CHECK(full > 50);
}

TEST_CASE("What frames must be followed for takes the general path") {
    const auto camera = [](auto&& change) {
        Scenario s = random_camera(1);
        s.front_end.skew.clear();
        s.network_switch.buffer = {Buffer::Sharing::Shared, {100}};
        REQUIRE(SynchronousCamera::of(s));
        change(s);
        return SynchronousCamera::of(s).has_value();
    };
    CHECK_FALSE(camera([](Scenario& s) { s.front_end.jitter = Time{1}; }));
    CHECK_FALSE(camera([](Scenario& s) { s.front_end.modules = 2, s.front_end.skew = {Time{0}, Time{1}}; }));
    CHECK_FALSE(camera([](Scenario& s) { s.front_end.fifo = 5; }));
    CHECK_FALSE(camera([](Scenario& s) { s.frame.payload = Bytes{3000}, s.frame.split = true; }));
    CHECK_FALSE(camera([](Scenario& s) {
        s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold, s.network_switch.uplinks = 2;
    }));
    CHECK_FALSE(camera([](Scenario& s) {
        s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
        s.network_switch.buffer.accounting = Buffer::Accounting::Ingress;
    }));
    CHECK_FALSE(camera([](Scenario& s) { s.network_switch.buffer.resume = Ratio{1, 2}; }));
    CHECK_FALSE(camera([](Scenario& s) { s.trigger.pattern = Trigger::Pattern::LineRatePlusBurst; }));
}

TEST_CASE("An observer that wants every frame gets every frame, and progress costs no path") {
    Scenario s;
    s.trigger.separation = Time{8'000'000};
    s.trigger.events = 3000;
    s.network_switch.buffer.size = {400};
    std::int64_t lost = 0, told = 0;
    Observer observer;
    observer.lost = [&](const FrameId&, Time, const LossCause&) { ++lost; };
    const Outcome watched = ExactEngine().run(s, &observer);
    CHECK(lost == watched.frames_lost());
    CHECK(lost > 0);

    Observer progress;
    progress.progress = [&](std::int64_t events) { told = events; };
    CHECK(ExactEngine().run(s, &progress) == watched);
    CHECK(told == 2048);
}
