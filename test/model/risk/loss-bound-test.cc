// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/loss-bound.h"

#include <rapidcheck.h>

#include <cmath>

#include "model/exact/exact-engine.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "model/risk/rates.h"
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

/// Bytes that a module sends for an event.
Bytes wire_of(const Scenario& s) {
    Bytes wire;
    for (const FrameSizes& frame : frames_of_fragment(s.frame)) wire += frame.wire;
    return wire;
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

TEST_CASE("No camera loses more than its bound: uneven uplinks, two tiers, lists of frames, every plain memory") {
    ExactEngine engine;
    int lossy = 0, told = 0, other_rate = 0, lists = 0, pauses = 0;
    REQUIRE(rc::check([&] {
        Scenario s = camera(1);
        s.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
        const int switches = *rc::gen::inRange(1, 4), uplinks = *rc::gen::inRange(1, 4);
        s.frame.fragments = *rc::gen::element(1, 1, 2, 3);
        const bool alike = *rc::gen::arbitrary<bool>();
        if (!alike) {
            std::vector<Bytes> payloads;
            for (int i = 0; i < 1 + s.frame.fragments.number; ++i)
                payloads.push_back(Bytes{*rc::gen::element<std::int64_t>(18, 300, 1024, 1400, 1472)});
            s.frame.fragments = FragmentList(payloads);
            s.front_end.gap = Time{1'000'000 * *rc::gen::element<std::int64_t>(0, 0, 1, 10, 50)};
        }
        s.network_switch.count = switches;
        s.network_switch.uplinks = uplinks;
        s.front_end.modules = switches * uplinks * *rc::gen::inRange(4, 20) + *rc::gen::inRange(0, 3);
        s.network_switch.uplink_choice.rule = *rc::gen::element(UplinkChoice::Rule::Modulo, UplinkChoice::Rule::Hash);
        s.network_switch.latency = Time{*rc::gen::element<std::int64_t>(0, 3'000'000)};
        const auto memory = [&](Switch& of, int modules) {
            using Sharing = Buffer::Sharing;
            of.buffer.sharing = alike
                                    ? *rc::gen::element(Sharing::Shared, Sharing::PerOutput, Sharing::PerInput,
                                                        Sharing::DynamicThreshold)
                                    : *rc::gen::element(Sharing::Shared, Sharing::PerOutput, Sharing::DynamicThreshold);
            of.buffer.alpha = Ratio{*rc::gen::inRange<std::int64_t>(1, 8), 2};
            const std::int64_t frames =
                s.frame.fragments.number * (of.buffer.sharing == Sharing::PerInput
                                                ? 1 + (modules > s.front_end.modules / switches ? modules / uplinks : 0)
                                                : modules);
            of.buffer.size = {frames * *rc::gen::inRange<std::int64_t>(1, 9)};
            if (!alike && *rc::gen::inRange(0, 3) > 0) {
                of.buffer.size = {of.buffer.size.amount * 1200, MemorySize::Unit::Byte};
                if (*rc::gen::arbitrary<bool>()) of.buffer.cell = Bytes{*rc::gen::element<std::int64_t>(80, 256)};
                if (*rc::gen::inRange(0, 4) == 0)
                    of.buffer.descriptors = frames * *rc::gen::inRange<std::int64_t>(1, 9);
            }
        };
        memory(s.network_switch, s.front_end.modules / switches);
        if (switches * uplinks > 1 && *rc::gen::inRange(0, 3) > 0) {
            Switch& second = s.aggregation.emplace();
            second.uplinks = *rc::gen::inRange(1, switches * uplinks);
            using Rule = UplinkChoice::Rule;
            second.uplink_choice.rule =
                alike ? *rc::gen::element(Rule::Modulo, Rule::Modulo, Rule::Hash, Rule::RoundRobin)
                      : *rc::gen::element(Rule::Modulo, Rule::Hash);
            second.uplink_rate = BitRate{100'000'000 * *rc::gen::element<std::int64_t>(25, 50, 100, 250, 400)};
            other_rate += second.uplink_rate != s.network_switch.uplink_rate;
            memory(second, s.front_end.modules);
        }
        const double busiest = std::min(saturation_rate(s, Network(s), wire_of(s)), 1 / link_seconds(s));
        const double gap = 1 / (busiest * *rc::gen::inRange(30, 97) / 100) - 2e-6;
        s.trigger.rate = Frequency{static_cast<std::int64_t>(1e6 / gap)};
        const double bound = std::exp(LossBounds::of(s).log_probability(0.05));
        constexpr std::int64_t kEvents = 4'000;
        const auto counts = count_incomplete(engine, s, kEvents, 1);
        const Enclosure seen = loss_probability({counts});
        lossy += seen.estimate > 0;
        told += bound < 1;
        lists += !alike && bound < 1 && seen.estimate > 0;
        pauses += s.front_end.gap != Time{0} && bound < 1;
        // Three intervals' width: of so many cameras some are unlucky.
        RC_ASSERT(seen.estimate <= bound || seen.estimate - 3 * (seen.estimate - seen.lower) <= bound);
    }));
    CAPTURE(lossy, told, other_rate, lists, pauses);
    CHECK(lossy > 10);
    CHECK(lists > 1);
    CHECK(pauses > 5);
    CHECK(told > 30);
    CHECK(other_rate > 10);
}

TEST_CASE("Behind a tier the bound is a small factor above the chance, and falls as steeply with the memory") {
    // 12 links of 10 Gb/s, with 22 modules or two with 23, lead to two switches of 40 Gb/s.
    ExactEngine engine;
    for (const int modules : {264, 266}) {
        Scenario s = camera(100'000);
        s.trigger.rate = Frequency{20'000'000'000};
        s.front_end.modules = modules;
        s.network_switch.count = 6;
        s.network_switch.uplinks = 2;
        s.aggregation.emplace().count = 2;
        s.aggregation->uplink_rate = BitRate{40'000'000'000};
        s.server.interfaces = 2;
        for (const std::int64_t frames : {200, 400, 600}) {
            s.aggregation->buffer.size = {frames};
            const Enclosure seen = loss_probability({count_incomplete(engine, s, 300'000, 1)});
            const LossBounds bounds = LossBounds::of(s);
            const double bound = std::exp(bounds.log_probability(0.05));
            CAPTURE(modules, frames, seen.lower, seen.estimate, seen.upper, bound);
            CHECK(bound > seen.lower);
            CHECK(bound < (modules == 264 ? 2 : 5) * seen.upper);
            CHECK(std::exp(bounds.log_probability()) > (modules == 264 ? 5 : 10) * seen.upper);
        }
    }
}

TEST_CASE("No second tier loses more than the law of the work behind its links allows") {
    ExactEngine engine;
    int tighter = 0, lossy = 0, close = 0;
    REQUIRE(rc::check([&] {
        Scenario s = camera(1'000'000);
        s.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
        s.frame.fragments = *rc::gen::element(1, 1, 2);
        s.network_switch.count = *rc::gen::inRange(2, 6);
        s.network_switch.uplinks = *rc::gen::inRange(1, 4);
        const int links = s.network_switch.count * s.network_switch.uplinks;
        s.front_end.modules = links * *rc::gen::inRange(5, 24) + *rc::gen::element(0, 0, 1, links / 2);
        using Sharing = Buffer::Sharing;
        using Rule = UplinkChoice::Rule;
        Switch& second = s.aggregation.emplace();
        second.uplinks = *rc::gen::inRange(1, 1 + links / 2);
        second.uplink_choice.rule = *rc::gen::element(Rule::Modulo, Rule::Modulo, Rule::Hash, Rule::RoundRobin);
        second.uplink_rate = BitRate{1'000'000'000 * *rc::gen::inRange<std::int64_t>(10, 41)};
        second.latency = Time{*rc::gen::element<std::int64_t>(0, 2'000'000)};
        second.buffer.sharing = *rc::gen::element(Sharing::Shared, Sharing::Shared, Sharing::PerOutput,
                                                  Sharing::PerInput, Sharing::DynamicThreshold);
        second.buffer.alpha = Ratio{*rc::gen::inRange<std::int64_t>(1, 8), 2};
        second.buffer.size = {s.frame.fragments.number * s.front_end.modules * *rc::gen::inRange<std::int64_t>(1, 17) /
                              4};
        const double busiest = std::min(saturation_rate(s, Network(s), wire_of(s)), 1 / link_seconds(s));
        s.trigger.rate =
            Frequency{static_cast<std::int64_t>(1e6 / (1 / (busiest * *rc::gen::inRange(30, 90) / 100) - 2e-6))};
        const LossBounds bounds = LossBounds::of(s, s.network_switch.count);
        const double bound = std::exp(bounds.log_probability(0.05));
        if (bound > 0.9 || bound < 1e-4 || bound == std::exp(bounds.log_probability())) return;
        const Enclosure seen = loss_probability({count_incomplete(engine, s, 20'000, 1)});
        ++tighter;
        lossy += seen.lower > 0;
        close += bound < 10 * seen.estimate;
        RC_ASSERT(seen.estimate <= bound || seen.estimate - 3 * (seen.estimate - seen.lower) <= bound);
    }));
    CAPTURE(tighter, lossy, close);
    CHECK(tighter > 15);
    CHECK(lossy > 10);
    CHECK(close > 8);
}

TEST_CASE("Behind links the slowest on an event's way says how the tail falls, and the link itself how busy it is") {
    // 2 switches of 20 modules, 17.44 us an event on their links; 40 modules last 69.76 us at 5 Gb/s, 13.952 at 25.
    Scenario s = camera(100'000);
    s.trigger.rate = Frequency{10'000'000'000};
    s.front_end.modules = 40;
    s.network_switch.count = 2;
    Switch& second = s.aggregation.emplace();
    second.buffer.size = {1'000};
    const auto behind = [&](std::int64_t rate) {
        second.uplink_rate = BitRate{rate};
        const LossBounds bounds = LossBounds::of(s, s.network_switch.count);
        REQUIRE(bounds.switches.size() == 1);
        return bounds.switches.front();
    };
    const LossBound slow = behind(5'000'000'000), equal = behind(10'000'000'000), fast = behind(16'000'000'000);
    CHECK(slow.step == Approx(69.76e-6));
    CHECK(slow.load == Approx(69.76 / 102));
    CHECK(slow.room == Approx(1000 - 2 - 0.5));  // a frame of a link lasts half one of the uplink
    // The root of s (69.76 - 2) us = ln(1 + s / 10 kHz) is passed on to frames, 40 an event.
    const double root = slow.decay * 40 / slow.step;
    CHECK(root * (69.76e-6 - 2e-6) == Approx(std::log1p(root / 10e3)));
    CHECK(equal.room == Approx(1000 - 3));
    CHECK(fast.step == Approx(21.8e-6));
    CHECK(fast.load == Approx(21.8 / 102));
    // Two links of 10 Gb/s never fill what is in front of one as fast as both: one frame of each is there at most.
    const LossBound both = behind(20'000'000'000);
    CHECK(both.event == 2);
    CHECK(std::isinf(both.log_probability()));
    CHECK(both.load == Approx(17.44 / 102));
    CHECK_FALSE(both.lossless_events(0));
    second.buffer.size = {3};
    CHECK(behind(20'000'000'000).log_probability() == 0);
    // The fuller of two uneven links may be the slowest: its 31 modules last 27.03 us, all 61 of them 26.73 at 19.9
    // Gb/s.
    second.buffer.size = {1'000};
    s.front_end.modules = 61;
    s.network_switch.count = 1;
    s.network_switch.uplinks = 2;
    CHECK(behind(19'900'000'000).step == Approx(31 * 0.872e-6));
    CHECK_FALSE(behind(19'900'000'000).level);
    CHECK(slow.level);
}

TEST_CASE("An event that may wait behind later ones has a greater chance that the memory fills meanwhile") {
    LossBound bound;
    bound.event = 10;
    bound.room = 110;
    bound.decay = 0.1;
    CHECK(bound.log_probability() == Approx(-10));
    bound.level = false;
    CHECK(bound.log_probability() == Approx(std::log(11) - 10));
}

TEST_CASE("A burst as long as the bound tells loses nothing") {
    ExactEngine engine;
    int limited = 0, other_rate = 0;
    REQUIRE(rc::check([&] {
        Scenario s = camera(1);
        s.network_switch.count = *rc::gen::inRange(2, 5);
        s.front_end.modules = s.network_switch.count * *rc::gen::inRange(4, 20) + *rc::gen::inRange(0, 4);
        s.network_switch.buffer.size = {100'000};
        s.aggregation.emplace().uplinks = *rc::gen::inRange(1, 3);
        s.aggregation->uplink_rate = BitRate{100'000'000 * *rc::gen::element<std::int64_t>(25, 50, 100, 100, 250)};
        other_rate += s.aggregation->uplink_rate != s.network_switch.uplink_rate;
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
    CHECK(other_rate > 20);
}
