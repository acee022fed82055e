// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/uniform-camera.h"

#include <algorithm>

#include "model/base/random.h"
#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/scenario.h"
#include "test/catch.h"
#include "test/model/exact/synchronous-scenario.h"

using namespace watershed;

namespace {

/// A random_camera() whose modules may have times of their own, whose memory may have a threshold or other rules, whose
/// switches may lead to another one, and whose server may have limits.
Scenario random_uniform_camera(std::uint64_t seed) {
    Scenario s = random_camera(seed);
    const Draws draws(seed, Stream::Apparatus, 7);
    std::uint64_t number = 0;
    const auto one_of = [&](std::int64_t many) { return uniform_up_to(draws(number++), many - 1); };
    FrontEnd& front_end = s.front_end;
    if (one_of(4) > 0) front_end.jitter = Time{1 + one_of(one_of(2) ? 3 : 200'000'000)};
    if (one_of(2)) front_end.skew_spread = Time{1 + one_of(one_of(2) ? 3 : 2'000'000)};
    if (one_of(3) == 0) front_end.skew = {Time{one_of(1'000'000)}, Time{0}, Time{one_of(4)}};
    if (one_of(6) == 0) front_end.clock = {ClockTolerance{0}, ClockTolerance{1'000 * one_of(100)}};
    Buffer& buffer = s.network_switch.buffer;
    if (one_of(2)) {
        buffer.sharing = Buffer::Sharing::DynamicThreshold;
        buffer.alpha = Ratio{1 + one_of(16), 1 + one_of(8)};
        if (buffer.accounting == Buffer::Accounting::Both) buffer.accounting = Buffer::Accounting::Ingress;
    }
    if (one_of(2) && buffer.descriptors) buffer.descriptors_resume = Ratio{one_of(4), 4};
    switch (one_of(7)) {
        case 0: buffer.resume = Ratio{one_of(4), 4}; break;
        case 1: buffer.resume = MemorySize{one_of(3), MemorySize::Unit::Frame}; break;
        case 2:
            buffer.wred_from = {one_of(4) * buffer.size.amount / 4, buffer.size.unit};
            buffer.wred_to = {buffer.wred_from.amount + 1 + one_of(8) * buffer.size.amount / 4, buffer.size.unit};
            buffer.wred_probability = {1, 1 + one_of(3)};
            buffer.ecn = one_of(4) == 0;
            break;
        case 3:
            buffer.sharing = Sharing::named("stepped-threshold");
            for (std::int64_t step = 0; step < 3; ++step) {
                const std::int64_t apart = buffer.size.amount / 3 + buffer.cell.count + 3;
                buffer.step_free.push_back({step * apart + one_of(3), buffer.size.unit});
                buffer.step_limits.push_back({one_of(buffer.size.amount + 1), buffer.size.unit});
            }
            break;
        default: break;
    }
    if (one_of(4) == 0) {
        Receiver& receiver = s.server.receiver.emplace();
        receiver.given.ring = MemorySize{1 + one_of(60)};
        receiver.cores = 1 + static_cast<int>(one_of(3));
        receiver.polling = one_of(3) == 0;
        if (one_of(2)) receiver.timeout = Time{1 + one_of(100'000'000)};
    }
    if (one_of(3) == 0) {
        s.aggregation = s.network_switch;
        s.aggregation->count = 1;
        s.network_switch.count = 1 + static_cast<int>(one_of(std::min(4, front_end.modules)));
    }
    return s;
}

}  // namespace

TEST_CASE("Frames of one size that are followed with little give what the run event by event gives, in every member") {
    int lossy = 0, thresholds = 0, steps = 0, ties = 0, fine = 0, jittered = 0, idle = 0, out_of_order = 0, tiers = 0,
        rules = 0, served = 0;
    for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
        const Scenario s = random_uniform_camera(seed);
        const auto camera = UniformCamera::of(s);
        if (!camera) continue;
        INFO("seed " << seed);
        const Outcome general = ExactEngine(ExactEngine::Path::General).run(s);
        REQUIRE(run_uniform(*camera, s, nullptr) == general);
        tiers += general.switches.size() > 2;
        lossy += general.frames_lost() > 0;
        for (const Outcome::Loss& loss : general.losses) {
            thresholds += loss.reason == "threshold";
            steps += loss.reason == "threshold" && s.network_switch.buffer.sharing->has_steps;
            rules += loss.reason == "resume" || loss.reason == "early-drop";
            served += loss.where == "server";
        }
        ties += general.decided_by_ties.front() > 0;
        fine += camera->grid.ticks > 1;
        jittered += s.front_end.jitter > Time{0};
        idle += general.first_idle_event > 0;
        out_of_order += !general.events_in_order;
    }
    CHECK(lossy > 1500);
    CHECK(thresholds > 500);
    CHECK(steps > 200);
    CHECK(rules > 500);
    CHECK(served > 200);
    CHECK(ties > 300);
    CHECK(fine > 500);
    CHECK(jittered > 2500);
    CHECK(idle > 500);
    CHECK(out_of_order > 500);
    CHECK(tiers > 500);
}

TEST_CASE("What frames wait for beside their uplink, or differ in, is followed event by event") {
    const auto key = [](auto&& change) {
        Scenario s = random_camera(1);
        s.front_end.jitter = Time{5};
        s.front_end.clock.clear();
        s.front_end.link_rate = BitRate{1'000'000'000};
        s.network_switch.uplink_rate = BitRate{10'000'000'000};
        s.network_switch.buffer = {Buffer::Sharing::Shared, {100}};
        REQUIRE(UniformCamera::of(s));
        change(s);
        UnsupportedKey why;
        return UniformCamera::of(s, &why) ? "" : why.key;
    };
    CHECK(key([](Scenario& s) { s.front_end.fifo = 5; }) == "front_end.fifo");
    CHECK(key([](Scenario& s) { s.frame.payload = Bytes{3000}, s.frame.split = true; }) == "frame.split");
    CHECK(key([](Scenario& s) { s.network_switch.cut_through = true; }) == "switch.cut_through");
    CHECK(key([](Scenario& s) { s.trigger.pattern = Trigger::Pattern::LineRatePlusBurst; }) == "trigger.pattern");
}

TEST_CASE("Accounts of inputs and outputs add up to the same in a shared memory, and both decide in a divided one") {
    Scenario s;
    s.network_switch.buffer.size = {10, MemorySize::Unit::Frame};
    s.network_switch.buffer.accounting = Buffer::Accounting::Both;
    CHECK(SynchronousCamera::of(s));
    s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    UnsupportedKey why;
    CHECK_FALSE(SynchronousCamera::of(s, &why));
    CHECK(why.key == "switch.buffer.accounting");
}

TEST_CASE("Descriptors limit a memory that holds more frames than there are of them, and are named then") {
    Scenario s;
    s.network_switch.buffer.size = {10, MemorySize::Unit::Frame};
    const auto full = [&](std::int64_t descriptors) {
        s.network_switch.buffer.descriptors = descriptors;
        const auto camera = SynchronousCamera::of(s);
        return std::to_string(camera->room) + " " + std::string(camera->full.reason);
    };
    CHECK(full(9) == "9 descriptors");
    CHECK(full(10) == "10 buffer-full");
}

// A queue of q frames grows while q < alpha (S - q), so up to the first q that is no less than S alpha / (1 + alpha).
TEST_CASE("The only queue of a dynamic threshold has room for alpha / (1 + alpha) of the memory, rounded up") {
    Scenario s;
    s.network_switch.buffer.size = {30, MemorySize::Unit::Frame};
    s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    const auto room = [&](Ratio alpha) {
        s.network_switch.buffer.alpha = alpha;
        const auto camera = SynchronousCamera::of(s);
        return std::to_string(camera->room) + " " + std::string(camera->full.reason);
    };
    CHECK(room({1, 1}) == "15 threshold");
    CHECK(room({1, 2}) == "10 threshold");
    CHECK(room({8, 1}) == "27 threshold");      // 26.7
    CHECK(room({100, 1}) == "30 buffer-full");  // 29.7
}
