// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <algorithm>

#include "model/exact/exact-engine.h"
#include "test/catch.h"
#include "test/model/exact/traffic-scenarios.h"

namespace watershed {
namespace {

constexpr unsigned kSeven = 1u << 7, kOthers = 0x7f;
constexpr std::int64_t kFast = 872'000;  ///< a frame's time at 10 Gb/s

/// So many frames of class 7 come at 10 Gb/s from the beginning on, for an uplink of 1 Gb/s; beside them a frame of the
/// camera, of class 0.
Scenario burst(std::int64_t frames, std::vector<GateEntry> gates) {
    Scenario s = quiet_camera();
    s.front_end.link_rate = BitRate{10'000'000'000};
    s.traffic = {constant("burst", BitRate{10'000'000'000}, 7)};
    s.traffic[0].stop = Time{frames * kFast};
    s.network_switch.scheduling.kind = Kind::StrictPriority;
    s.network_switch.scheduling.gates = std::move(gates);
    return s;
}

}  // namespace

// A window of w lets floor(w / t) frames of t begin, the k-th cycle of c at x + k c: so the last of N leaves in the
// cycle floor((N - 1) / n), as its ((N - 1) mod n + 1)-th.
TEST_CASE("A class with a window w of each cycle sends floor(w / t) frames of t a cycle") {
    CHECK(rc::check("whatever the window", [] {
        const std::int64_t frames = *rc::gen::inRange(1, 40), window = kSlot + *rc::gen::inRange(0, 60'000'000);
        const std::int64_t before = 50'000'000 + *rc::gen::inRange(0, 90'000'000), a_cycle = window / kSlot;
        const Scenario s = burst(frames, {{Time{before}, kOthers}, {Time{window}, kSeven}});
        const Outcome outcome = ExactEngine().run(s);
        RC_ASSERT(outcome.streams[1].frames_received == frames);
        RC_ASSERT(outcome.frames_lost() == 0);
        RC_ASSERT(outcome.simulated.count() ==
                  before + (frames - 1) / a_cycle * (before + window) + ((frames - 1) % a_cycle + 1) * kSlot);
    }));
}

// The first of ten frames is there at 0.872 us, and four of 8.72 us end by 35.752 us; a fifth would not by 40 us. The
// next cycles of 100 us have four and two. Class 0 has its turn from 40 us on.
TEST_CASE("A burst's last frame leaves in the third window, and the other class keeps out of it") {
    const Scenario s = burst(10, {{Time{40'000'000}, kSeven}, {Time{60'000'000}, kOthers}});
    const Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.streams[1].frames_received == 10);
    CHECK(outcome.streams[1].latency_most.count() == 200'000'000 + 2 * kSlot - 9 * kFast);
    CHECK(outcome.streams[0].latency_most.count() == 40'000'000 + kSlot);
}

TEST_CASE("A frame begins only if preamble, frame and gap are over before its gate closes") {
    for (const auto& [window, cycles] : {std::pair(3 * kSlot, 3), std::pair(3 * kSlot - 1, 4)}) {
        const std::int64_t before = 50'000'000;
        const Outcome outcome = ExactEngine().run(burst(8, {{Time{before}, kOthers}, {Time{window}, kSeven}}));
        CHECK(outcome.simulated.count() == before + (cycles - 1) * (before + window) + 2 * kSlot);
    }
}

TEST_CASE("Gates that are always open change nothing, and what a gate holds back is left to the others") {
    for (const Kind kind : {Kind::StrictPriority, Kind::WeightedRoundRobin, Kind::DeficitRoundRobin}) {
        Scenario s = quiet_camera();
        s.traffic = {constant("low", BitRate{1'000'000'000}, 0), constant("high", BitRate{1'000'000'000}, 7)};
        for (TrafficStream& stream : s.traffic) stream.stop = kMicrosecond * 10'000;
        s.network_switch.scheduling.kind = kind;
        s.network_switch.buffer.class_limits.assign(8, {20, MemorySize::Unit::Frame});
        const Outcome without = ExactEngine().run(s);
        s.network_switch.scheduling.gates = {{Time{7}, 0xff}, {Time{5}, 0xff}};
        CHECK(ExactEngine().run(s) == without);
        // 9 of 10 slots are class 0's: of each cycle of 10 frames one is of class 7, and the link is never idle.
        s.network_switch.scheduling.gates = {{Time{9 * kSlot}, kOthers}, {Time{kSlot}, kSeven}};
        const Outcome outcome = ExactEngine().run(s);
        const double cycles = 10'000e-6 / (10 * 8.72e-6);
        CHECK(std::abs(received(outcome, 1) - 9 * cycles) < 25);
        CHECK(std::abs(received(outcome, 2) - cycles) < 25);
        for (const Outcome::Stream& each : outcome.streams) {
            std::int64_t lost = 0;
            for (const auto& loss : each.losses) lost += loss.frames;
            CHECK(each.frames_sent == each.frames_received + lost);
        }
    }
}

TEST_CASE("A shaper and a gate hold a frame until both let it go") {
    // 100 Mb/s and no burst: a frame each 87.2 us, from the beginning of the last on; gates open each 100 us for 10 us.
    Scenario s = burst(3, {{Time{10'000'000}, kSeven}, {Time{90'000'000}, kOthers}});
    s.network_switch.scheduling.rates.assign(8, s.network_switch.uplink_rate);
    s.network_switch.scheduling.rates[7] = BitRate{100'000'000};
    // At 0.872 us, and then at the beginnings of the cycles, which tokens precede.
    CHECK(ExactEngine().run(s).simulated.count() == 200'000'000 + kSlot);
}

TEST_CASE("A class whose frames fit into none of its windows is refused by key") {
    const Scenario s = burst(1, {{Time{kSlot - 1}, kSeven}, {Time{90'000'000}, kOthers}});
    CHECK_THROWS_WITH(ExactEngine().run(s), Contains("switch.gates: class 7 is open for 8719999 ps at most"));
}

}  // namespace watershed
