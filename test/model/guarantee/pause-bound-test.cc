// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/pause-bound.h"

#include <random>

#include "model/exact/exact-engine.h"
#include "model/switch/pause-control.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"
#include "test/model/guarantee/paused-phases.h"

using namespace watershed;

namespace {

/// Lets each module send only when those before it are long paused.
Scenario one_by_one(Scenario scenario) {
    for (int module = 0; module < scenario.front_end.modules; ++module)
        scenario.front_end.skew.push_back(kSlot * (40 * module));
    return scenario;
}

std::int64_t lost(const Scenario& scenario) {
    const Outcome outcome = ExactEngine().run(scenario);
    REQUIRE(outcome.frames_received + outcome.frames_lost() == outcome.frames_sent);
    return outcome.frames_lost();
}

/// Returns the longest time from when a module alone is told to pause until it is told to go on, in seconds.
double longest_pause(const Scenario& scenario) {
    const FlowControl& control = scenario.network_switch.flow_control;
    std::optional<Time> told;
    Time longest{0};
    Observer observer;
    observer.occupancy = [&](Time time, std::int64_t frames, Bytes) {
        if (!told && frames > control.xoff.amount) told = time;
        if (!told || frames > control.xon.amount) return;
        longest = std::max(longest, time - *told);
        told.reset();
    };
    ExactEngine().run(scenario, &observer);
    return in_seconds(longest);
}

}  // namespace

TEST_CASE("A pause lasts until the last frame that came in spite of it has left") {
    // Frames of 1 us, each gone 10.1 us after it has come. The 4th, at 4 us, is one too many. Those that begin within
    // 5.9 us after it come, too: six. Of these ten the ninth is gone at 19.1 us.
    Scenario scenario = small(1, 1, 100, Time{0}, ns(10'000));
    scenario.front_end.pause_reaction = ns(5'900 - 672);
    scenario.trigger = paused_camera(1, 3, 100, 0, Time{0}).trigger;
    scenario.network_switch.flow_control = paused_camera(1, 3, 100, 0, Time{0}).network_switch.flow_control;
    scenario.network_switch.buffer.size = in_frames(100);
    CHECK(longest_pause(scenario) == Approx(15.1e-6).epsilon(1e-12));
    // The last frame to come and ten frames' time, and an order that waits for another.
    CHECK(Guarantee::of(scenario)->pauses->longest_s == Approx((5.9 + 1 + 10 + 10 * 0.1 + 0.672) * 1e-6));
    // A frame on its way out that has left the memory is one more.
    const auto delay = [&] { return Guarantee::of(scenario)->switches[0].queues[0].delay_s; };
    CHECK(delay() == Approx(11e-6));
    scenario.network_switch.buffer.release = Buffer::Release::Start;
    CHECK(delay() == Approx(11.1e-6));

    std::mt19937_64 random(5);
    const auto from = drawing(random);
    for (int i = 0; i < 300; ++i) {
        const std::int64_t xoff = from(2, 6);
        Scenario any = paused_camera(1, xoff, 1000, 0, Time{from(0, 20 * kSlot.count())});
        any.front_end.clock_spread = ClockTolerance{from(0, 100'000)};
        any.network_switch.uplink_rate = BitRate{from(1, 3000) * 1'000'000};
        any.network_switch.latency = Time{from(0, 40 * kSlot.count())};
        any.network_switch.flow_control.xon = in_frames(from(0, xoff - 2));
        any.network_switch.buffer.release = from(0, 1) ? Buffer::Release::Start : Buffer::Release::End;
        any.trigger.separation = Time{from(1, 2 * kSlot.count())};
        any.seed = std::uint64_t(i);
        CAPTURE(i);
        CHECK(longest_pause(any) <= Guarantee::of(any)->pauses->longest_s);
    }
}

TEST_CASE("Frames that begin until a pause works still come") {
    // On a link of this rate a PAUSE frame takes p; frames of w follow each other.
    const Scenario any = paused_camera(2, 4, 100, 0, Time{0});
    const Time order = Serializer(any.front_end.link_rate).send(Time{0}, kPauseFrame).time;
    REQUIRE(order < kSlot);
    const auto after = [&](Time reaction) {
        return bounds_with_pauses(paused_camera(2, 4, 100, 0, reaction))->pauses->after_pause;
    };
    CHECK(after(Time{0}) == 1);
    CHECK(after(kSlot - order - Time{1}) == 1);
    CHECK(after(kSlot - order) == 2);
    CHECK(after(kSlot * 3 - order + Time{1}) == 4);
}

TEST_CASE("The least headroom and the least memory that are proven are those that lose nothing, one less loses") {
    std::mt19937 random(72);
    const auto from = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    int headrooms = 0;
    for (int i = 0; i < 100; ++i) {
        const int modules = int(from(2, 6));
        const std::int64_t xoff = from(2, 8);
        const Time reaction{from(0, 5 * kSlot.count())};
        const auto camera = [&](std::int64_t memory, std::int64_t headroom) {
            return one_by_one(paused_camera(modules, xoff, memory, headroom, reaction));
        };
        const PauseGuarantee pauses = *Guarantee::of(camera(1000, 0))->pauses;
        const std::int64_t until = pauses.until_pause, after = pauses.after_pause,
                           least = (modules - 1) * (until + after) + until;
        REQUIRE(until == xoff + 1);
        CAPTURE(modules, xoff, reaction.count(), after);
        CHECK_FALSE(Guarantee::of(camera(least - 1, 1000))->fits());
        CHECK(lost(camera(least - 1, 1000)) > 0);
        const std::int64_t memory = least + from(0, after);
        const std::int64_t headroom = *Guarantee::of(camera(memory, 0))->pauses->headroom;
        CHECK(headroom == least + after - memory);
        CHECK(Guarantee::of(camera(memory, headroom))->fits());
        CHECK(Guarantee::of(camera(memory, headroom))->switches[0].needed() == in_frames(memory));
        CHECK(lost(camera(memory, headroom)) == 0);
        if (headroom == 0) continue;
        ++headrooms;
        CHECK_FALSE(Guarantee::of(camera(memory, headroom - 1))->fits());
        CHECK(lost(camera(memory, headroom - 1)) > 0);
    }
    CHECK(headrooms > 50);
}

TEST_CASE("The least headroom that is proven is the least that both kinds of flow control survive over all phases") {
    const auto [from, count] = seeds(100);
    for (std::uint64_t seed = from; seed < from + count; ++seed) {
        PausedPhases phases(seed);
        CAPTURE(seed, phases.camera.front_end.modules, phases.slots, phases.headroom().amount);
        const auto loses = [&] { return lost(phases.camera) > 0; };
        CHECK_FALSE(phases.some(loses));
        --phases.headroom().amount;
        CHECK(phases.some(loses));
    }
}

TEST_CASE("What is proven to lose nothing loses nothing, whatever the phases, jitter, clocks and rates") {
    std::mt19937 random(7);
    const auto from = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    int proven = 0;
    for (int i = 0; i < 400; ++i) {
        const std::int64_t xoff = from(2, 6);
        Scenario scenario = paused_camera(int(from(1, 8)), xoff, 0, from(0, 4), Time{from(0, 3 * kSlot.count())});
        scenario.front_end.jitter = Time{from(0, 20) * kSlot.count() / 4};
        scenario.front_end.skew_spread = Time{from(0, 20) * kSlot.count() / 2};
        scenario.front_end.clock_spread = ClockTolerance{from(0, 100'000)};
        scenario.network_switch.uplinks = int(from(1, 2));
        scenario.network_switch.uplink_rate = BitRate{from(1, 200) * 10'000'000};
        scenario.network_switch.latency = Time{from(0, 3) * kSlot.count()};
        scenario.network_switch.arrival_order = from(0, 1) ? ArrivalOrder::Rotating : ArrivalOrder::Module;
        scenario.network_switch.flow_control.xon = in_frames(from(0, xoff - 2));
        scenario.trigger.separation = Time{from(1, 2 * kSlot.count())};
        scenario.trigger.events = 200;
        scenario.seed = std::uint64_t(i);
        MemorySize& size = scenario.network_switch.buffer.size;
        size = in_frames(1000);
        size.amount = Guarantee::of(scenario)->switches[0].needed()->amount;
        if (from(0, 1)) scenario.network_switch.buffer.headroom.amount += from(0, 1);
        const auto guarantee = Guarantee::of(scenario);
        REQUIRE(guarantee->fits());
        ++proven;
        CAPTURE(i, size.amount, scenario.front_end.modules, xoff);
        const Outcome outcome = ExactEngine().run(scenario);
        CHECK(outcome.frames_lost() == 0);
        CHECK(outcome.switches[0].peak_frames <= guarantee->switches[0].frames);
    }
    CHECK(proven == 400);
}

TEST_CASE("Flow control that is not understood is refused by its key") {
    const auto refused = [](const auto& change) {
        Scenario scenario = paused_camera(4, 4, 100, 0, Time{0});
        change(scenario);
        UnsupportedKey why;
        CHECK_FALSE(Guarantee::of(scenario, &why));
        return why.key;
    };
    CHECK(refused([](Scenario& s) { s.network_switch.flow_control.xon = in_frames(3); }) == "switch.flow_control.xon");
    CHECK(refused([](Scenario& s) {
              s.network_switch.flow_control.kind = FlowControl::Kind::Pfc;
              s.network_switch.flow_control.alpha = Ratio{1, 2};
          }) == "switch.flow_control.alpha");
    CHECK(refused([](Scenario& s) {
              s.network_switch.buffer.headroom = in_frames(5);
              s.network_switch.buffer.headroom_pool = in_frames(5);
          }) == "switch.buffer.headroom_pool");
    CHECK(refused([](Scenario& s) { s.network_switch.flow_control.quanta = 0; }) == "switch.flow_control.quanta");
    CHECK(refused([](Scenario& s) { s.front_end.obeys_pause = false; }) == "front_end.obeys_pause");
    CHECK(refused([](Scenario& s) { s.network_switch.buffer.sharing = Sharing::PerInput; }) == "switch.buffer.sharing");
    CHECK(refused([](Scenario& s) {
              s.network_switch.flow_control.kind = FlowControl::Kind::Pfc;
              s.network_switch.flow_control.classes = {3};
          }) == "switch.flow_control.classes");
}
