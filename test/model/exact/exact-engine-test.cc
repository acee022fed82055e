// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"

#include <rapidcheck.h>

#include <numeric>

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario burst(int modules, std::int64_t events, Time separation, Buffer buffer) {
    Scenario scenario;
    scenario.front_end.modules = modules;
    scenario.trigger.events = events;
    scenario.trigger.separation = separation;
    scenario.network_switch.buffer = buffer;
    return scenario;
}

Outcome run(const Scenario& scenario) { return ExactEngine().run(scenario); }

constexpr Time kWireSpeed{8'720'000};

Scenario random_scenario() {
    Scenario s;
    s.frame.payload = Bytes{*rc::gen::inRange<std::int64_t>(1, 3000)};
    s.frame.split = true;
    s.front_end.modules = *rc::gen::inRange(1, 12);
    if (*rc::gen::arbitrary<bool>()) s.front_end.fifo = *rc::gen::inRange(1, 5);
    s.front_end.jitter = Time{*rc::gen::inRange<std::int64_t>(0, 3) * 4'000'000};
    s.front_end.skew_spread = Time{*rc::gen::inRange<std::int64_t>(0, 3) * 1000};
    s.front_end.clock_spread = ClockTolerance{*rc::gen::inRange<std::int64_t>(0, 2) * 50'000};
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.events = *rc::gen::inRange<std::int64_t>(1, 40);
    s.trigger.rate = Frequency{*rc::gen::inRange<std::int64_t>(1, 300) * 1'000'000'000};
    s.network_switch.uplinks = *rc::gen::inRange(1, 4);
    s.network_switch.latency = Time{*rc::gen::inRange<std::int64_t>(0, 3) * 1'500'000};
    s.network_switch.arrival_order =
        *rc::gen::element(ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random);
    s.network_switch.buffer.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
    s.network_switch.buffer.size =
        *rc::gen::element(MemorySize{*rc::gen::inRange<std::int64_t>(1, 40), MemorySize::Unit::Frame},
                          MemorySize{*rc::gen::inRange<std::int64_t>(64, 30'000), MemorySize::Unit::Byte});
    s.seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    return s;
}

}  // namespace

TEST_CASE("A synchronous burst is lossless exactly when m N - floor((m - 1) r) <= B for every m up to M") {
    // N modules, M events d apart, t_in and t_out the slot on input and output, r = max(d, t_in) / t_out.
    REQUIRE(rc::check("closed form of the watershed", [] {
        Scenario s = burst(*rc::gen::inRange(1, 49), *rc::gen::inRange<std::int64_t>(1, 60),
                           Time{*rc::gen::inRange<std::int64_t>(0, 60'000'000)},
                           {Buffer::Sharing::Shared, {*rc::gen::inRange<std::int64_t>(1, 600)}});
        s.frame.payload = Bytes{*rc::gen::inRange<std::int64_t>(1, 1473)};
        s.network_switch.uplink_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 100) * 100'000'000};
        const Outcome outcome = run(s);

        const std::int64_t slot_bits = 8 * frames_of_fragment(s.frame).front().wire.count;
        const std::int64_t input_slot = slot_bits * 1000;  // ps at 1 Gb/s
        const Wide r_numerator =
            Wide{std::max(s.trigger.separation.count(), input_slot)} * s.network_switch.uplink_rate.count;
        const Wide r_denominator = Wide{slot_bits} * 1'000'000'000'000;
        bool lossless = true;
        for (std::int64_t m = 1; m <= *s.trigger.events; ++m)
            lossless = lossless && Wide{m} * s.front_end.modules - (m - 1) * r_numerator / r_denominator <=
                                       s.network_switch.buffer.size.amount;
        RC_ASSERT(lossless == (outcome.frames_lost() == 0));
        RC_ASSERT(lossless == !outcome.first_loss.has_value());
    }));
}

TEST_CASE("44 modules with 7000 frames per input lose nothing in 9058 events at wire speed") {
    // The last module of 44 holds M - floor((M - 1) * 10 / 44) frames: 9058 - 2058 = 7000, 9059 - 2058 = 7001.
    const Buffer s60{Buffer::Sharing::PerInput, {7000}};
    CHECK(run(burst(44, 9058, kWireSpeed, s60)).frames_lost() == 0);
    const Outcome lossy = run(burst(44, 9059, kWireSpeed, s60));
    REQUIRE(lossy.first_loss);
    CHECK(lossy.first_loss->frame.event == 9059);
    CHECK(lossy.events_complete == 9058);
}

TEST_CASE("Two events at wire speed pass 46 frames of memory with 28 ports and not with 29") {
    // The second event finds N - 10 frames left: 2 N - 10 = 46 for N = 28, 48 for N = 29; with 47 frames 1, 3 and 5 are
    // lost at 29, 30, 31.
    CHECK(run(burst(28, 2, kWireSpeed, {Buffer::Sharing::Shared, {46}})).frames_lost() == 0);
    CHECK(run(burst(28, 2, kWireSpeed, {Buffer::Sharing::Shared, {46}})).peak_frames == 46);
    CHECK(run(burst(29, 2, kWireSpeed, {Buffer::Sharing::Shared, {46}})).frames_lost() == 2);
    CHECK(run(burst(29, 2, kWireSpeed, {Buffer::Sharing::Shared, {47}})).frames_lost() == 1);
    CHECK(run(burst(30, 2, kWireSpeed, {Buffer::Sharing::Shared, {47}})).frames_lost() == 3);
    CHECK(run(burst(31, 2, kWireSpeed, {Buffer::Sharing::Shared, {47}})).frames_lost() == 5);
}

TEST_CASE("A memory in bytes holds as many frames as fit by their buffer size") {
    // 46 frames of 1070 B take 49220 B.
    CHECK(run(burst(28, 2, kWireSpeed, {Buffer::Sharing::Shared, {49220, MemorySize::Unit::Byte}})).frames_lost() == 0);
    CHECK(run(burst(28, 2, kWireSpeed, {Buffer::Sharing::Shared, {49219, MemorySize::Unit::Byte}})).frames_lost() == 1);
}

TEST_CASE("k uplinks drain k times as fast where modules divide evenly") {
    // 20 modules over 2 uplinks of 5 Gb/s are 20 modules over one of 10 Gb/s, but for the 10 frames that one uplink
    // sends in pairs.
    Scenario two = burst(20, 50, kWireSpeed, {Buffer::Sharing::Shared, {100'000}});
    two.network_switch.uplinks = 2;
    two.network_switch.uplink_rate = BitRate{5'000'000'000};
    const Outcome outcome = run(two);
    CHECK(outcome.peak_frames == 50 * 20 - 49 * 10);
    REQUIRE(outcome.uplinks.size() == 2);
    CHECK(outcome.uplinks[0].frames == 500);
    CHECK(outcome.uplinks[1].frames == 500);
}

TEST_CASE("Latency delays departures and so holds memory longer") {
    // One module, no queue: a frame holds its place for latency + t_out = 3 us + 0.872 us; arrivals are 8.72 us apart.
    Scenario s = burst(1, 10, kWireSpeed, {Buffer::Sharing::Shared, {100}});
    s.network_switch.latency = Time{3'000'000};
    CHECK(run(s).peak_frames == 1);
    CHECK(run(s).simulated == kWireSpeed * 10 + Time{3'872'000});
    s.network_switch.latency = Time{20'000'000};  // 20.872 / 8.72 = 2.39: three at a time
    CHECK(run(s).peak_frames == 3);
}

TEST_CASE("Every frame is received or lost, and the sums by module, event and cause agree") {
    REQUIRE(rc::check("conservation", [] {
        const Scenario s = random_scenario();
        const Outcome o = run(s);
        const auto frames = static_cast<std::int64_t>(frames_of_fragment(s.frame).size());
        RC_ASSERT(o.frames_sent == o.events_sent * s.front_end.modules * frames);
        const auto sum = [](const auto& list, auto member) {
            return std::accumulate(list.begin(), list.end(), std::int64_t{0},
                                   [&](std::int64_t total, const auto& x) { return total + member(x); });
        };
        RC_ASSERT(sum(o.losses, [](const auto& loss) { return loss.frames; }) == o.frames_lost());
        RC_ASSERT(sum(o.incomplete, [](const auto& event) { return event.missing; }) == o.frames_lost());
        RC_ASSERT(sum(o.lost_by_module, [](std::int64_t lost) { return lost; }) == o.frames_lost());
        RC_ASSERT(sum(o.uplinks, [](const auto& uplink) { return uplink.frames; }) == o.frames_received);
        RC_ASSERT(o.events_complete == o.events_sent - static_cast<std::int64_t>(o.incomplete.size()));
        if (s.network_switch.buffer.sharing == Buffer::Sharing::Shared &&
            s.network_switch.buffer.size.unit == MemorySize::Unit::Frame)
            RC_ASSERT(o.peak_frames <= s.network_switch.buffer.size.amount);
        if (s.network_switch.buffer.sharing == Buffer::Sharing::Shared &&
            s.network_switch.buffer.size.unit == MemorySize::Unit::Byte)
            RC_ASSERT(o.peak_bytes.count <= s.network_switch.buffer.size.amount);
        RC_ASSERT(o == run(s));
    }));
}

TEST_CASE("The occupancy told to an observer rises and falls to nothing, and never passes the peak") {
    REQUIRE(rc::check("occupancy", [] {
        const Scenario s = random_scenario();
        std::int64_t highest = 0, last = 0;
        Time time{0};
        Observer observer;
        observer.occupancy = [&](Time now, std::int64_t frames, Bytes bytes) {
            RC_ASSERT(now >= time);
            RC_ASSERT(frames - last == 1 || frames - last == -1);
            RC_ASSERT((frames == 0) == (bytes.count == 0));
            time = now;
            last = frames;
            highest = std::max(highest, frames);
        };
        const Outcome outcome = ExactEngine().run(s, &observer);
        RC_ASSERT(last == 0);
        RC_ASSERT(highest == outcome.peak_frames);
    }));
}

TEST_CASE("In a burst whose events keep their order, the first m events are a burst of m events") {
    REQUIRE(rc::check("prefix", [] {
        Scenario s = random_scenario();
        s.trigger.pattern = Trigger::Pattern::Burst;
        s.trigger.separation = Time{*rc::gen::inRange<std::int64_t>(0, 30'000'000)};
        const Outcome whole = run(s);
        RC_PRE(whole.events_in_order);
        const std::int64_t m = *rc::gen::inRange<std::int64_t>(1, *s.trigger.events + 1);
        std::int64_t lost = 0;
        for (const auto& event : whole.incomplete)
            if (event.event <= m) lost += event.missing;
        s.trigger.events = m;
        RC_ASSERT(run(s).frames_lost() == lost);
    }));
}

// Admission never looks ahead: what was sent until the first loss, and a little later, would be lost and received
// alike.
TEST_CASE(
    "A run that may end at a loss gives what a burst gives of the events that it sent, and loses if all of them lose") {
    int ended = 0;
    REQUIRE(rc::check("ends at a loss", [&] {
        Scenario s = random_scenario();
        s.trigger.pattern = Trigger::Pattern::Burst;
        s.trigger.events = 400;
        s.trigger.separation = Time{*rc::gen::inRange<std::int64_t>(0, 30'000'000)};
        if (*rc::gen::arbitrary<bool>()) s.front_end.jitter = Time{2'000'000};
        if (*rc::gen::arbitrary<bool>()) s.network_switch.cut_through = true;
        const bool lossy = run(s).frames_lost() > 0;
        Observer observer;
        observer.may_end_at_loss = true;
        const Outcome outcome = ExactEngine().run(s, &observer);
        RC_ASSERT((outcome.frames_lost() > 0) == lossy);
        RC_ASSERT(lossy || outcome.events_sent == 400);
        ended += outcome.events_sent < 400;
        s.trigger.events = outcome.events_sent;
        RC_ASSERT(outcome == run(s));
    }));
    CHECK(ended > 20);
}
