// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/true-queue.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;
using namespace watershed::calibration;

namespace {

std::int64_t overflow(const TrueQueue& queue, const TrueBurst& burst) {
    std::mt19937_64 random(1);
    return overflow_of(queue, burst, random);
}

/// A queue whose uplink takes whole picoseconds for a byte, as the engine wants it.
struct Setting {
    TrueQueue queue;
    TrueBurst burst;
};

Setting drawn() {
    Setting one;
    one.queue.per_input = *rc::gen::arbitrary<bool>();
    one.queue.unit = *rc::gen::element(MemorySize::Unit::Frame, MemorySize::Unit::Byte, MemorySize::Unit::Cell);
    one.queue.cell = *rc::gen::inRange<std::int64_t>(64, 300);
    one.queue.uplink_ticks = 1000 * *rc::gen::inRange<std::int64_t>(400, 4000);
    one.burst.ports = *rc::gen::inRange(2, 20);
    one.burst.payload = *rc::gen::inRange<std::int64_t>(64, 1400);
    one.burst.separation = Time{*rc::gen::inRange<std::int64_t>(1, 20'000'000)};
    one.burst.events = *rc::gen::inRange<std::int64_t>(1, 80);
    one.queue.depth =
        *rc::gen::inRange<std::int64_t>(1, one.queue.per_input ? 40 : 300) * one.queue.cost(one.burst.payload) +
        *rc::gen::inRange<std::int64_t>(0, 20);
    return one;
}

}  // namespace

TEST_CASE("Without disturbances the study's switch loses what the exact engine loses, frame for frame") {
    REQUIRE(rc::check([] {
        const Setting setting = drawn();
        Scenario scenario;
        scenario.frame.payload = Bytes{setting.burst.payload};
        scenario.front_end.modules = setting.burst.ports;
        scenario.trigger.separation = setting.burst.separation;
        scenario.trigger.events = setting.burst.events;
        auto& network_switch = scenario.network_switch;
        // The engine's rate is whole bit/s, and rounds a frame's time up to picoseconds: bytes of whole picoseconds
        // survive that.
        network_switch.uplink_rate = BitRate{
            static_cast<std::int64_t>(std::ceil(8e12 / static_cast<double>(setting.queue.uplink_ticks / 1000)))};
        network_switch.buffer.sharing = setting.queue.per_input ? Buffer::Sharing::PerInput : Buffer::Sharing::Shared;
        network_switch.buffer.size = {setting.queue.depth, setting.queue.unit};
        if (setting.queue.unit == MemorySize::Unit::Cell) network_switch.buffer.cell = Bytes{setting.queue.cell};
        RC_ASSERT(std::max<std::int64_t>(0, overflow(setting.queue, setting.burst)) ==
                  ExactEngine().run(scenario).frames_lost());
    }));
}

TEST_CASE("A shared memory of whole frames loses mN - floor((m-1) r) - B, and where it loses none has that room left") {
    REQUIRE(rc::check([] {
        TrueQueue queue;
        TrueBurst burst;
        burst.ports = *rc::gen::inRange(2, 30);
        burst.events = *rc::gen::inRange<std::int64_t>(1, 300);
        // The modules' links load the uplink by 1.1 to 9 times what it can; with less the uplink falls idle.
        queue.uplink_ticks = queue.link_ticks * *rc::gen::inRange<std::int64_t>(110, 900) / 100 / burst.ports;
        const std::int64_t wire = burst.payload + queue.wire_overhead, closest = wire * queue.link_ticks / 1000,
                           saturation = burst.ports * wire * queue.uplink_ticks / 1000;
        burst.separation = Time{closest + (saturation - closest) / 1000 * *rc::gen::inRange<std::int64_t>(0, 999)};
        // One frame more than an event has: the frame on its way out when the memory filled may need less than its full
        // time, and `ports` frames could then leave before the next event, and the uplink fall idle.
        queue.depth = *rc::gen::inRange<std::int64_t>(burst.ports + 1, 6000);
        const auto drained = static_cast<std::int64_t>((burst.events - 1) * Wide{burst.separation.count() * 1000} /
                                                       (wire * queue.uplink_ticks));
        RC_ASSERT(overflow(queue, burst) == burst.events * burst.ports - drained - queue.depth);
    }));
}

TEST_CASE("A frame that gives its room back when it begins to leave makes room for one more") {
    TrueQueue queue;
    queue.depth = 100;
    const TrueBurst burst{20, 1024, Time{12'000'000}, 40};
    const std::int64_t lost = overflow(queue, burst);
    queue.leaves_at_once = true;
    CHECK(overflow(queue, burst) == lost - 1);
}

TEST_CASE("A bucket holds so many bytes more of a burst, and no more than that") {
    TrueQueue plain;
    plain.unit = MemorySize::Unit::Byte;
    plain.buffer_overhead = plain.wire_overhead;  // bytes in memory are bytes on the link
    plain.depth = 100 * 1090;
    TrueQueue bucket = plain;
    bucket.bucket = 7 * 1090;
    TrueBurst burst{20, 1024, Time{12'000'000}, 40};
    const std::int64_t lost = overflow(plain, burst);
    REQUIRE(lost > 100);
    CHECK(overflow(bucket, burst) == lost - 7);
    bucket.bucket += 1089;  // a part of a frame sends none
    CHECK(std::abs(overflow(bucket, burst) - (lost - 7)) <= 1);
}

TEST_CASE("Frames of others take their part of uplink and memory") {
    // 1000 ps a byte: 1090 ns a frame; 10 modules every 9 us bring 10 and drain 8.26.
    TrueQueue queue;
    queue.uplink_ticks = 1'000'000;
    queue.depth = 400;
    const TrueBurst burst{10, 1024, Time{9'000'000}, 4000};
    std::mt19937_64 random(7);
    const auto alone = static_cast<double>(overflow_of(queue, burst, random));
    CHECK(alone == Approx(4000 * 10 - 3999 * 9 / 1.09 - 400).margin(1));
    queue.traffic = 0.1;
    double sum = 0;
    constexpr int kBursts = 40;
    for (int i = 0; i < kBursts; ++i) sum += static_cast<double>(overflow_of(queue, burst, random)) / kBursts;
    // Once the memory is full, 8.26 places become free an event. Of those 0.83 go to others, who come one at a time, or
    // fewer where these have to share losses with the burst's frames.
    const double others = 0.1 * 9 / 1.09, drained = 9 / 1.09, full = 4000 - 400 / (10 + others - drained);
    CHECK(sum < full * (10 - (drained - others)));
    CHECK(sum > full * 10 * (1 - drained / (10 + others)));
    CHECK(sum > 1.2 * alone);
}

TEST_CASE("Two events that meet where one trigger is late share the memory") {
    TrueQueue queue;
    queue.depth = 15;
    queue.uplink_ticks = 100'000;  // 8 drain before the links bring the next event
    TrueBurst burst{10, 1024, Time{20'000'000}, 5};
    CHECK(overflow(queue, burst) == -5);
    queue.uplink_ticks = 1'800'000;  // 10.19 in 20 us, 4.4 in the 8.72 us that a frame takes on its link
    CHECK(overflow(queue, burst) == -5);
    burst.late = LateTrigger{2, Time{20'000'000}};  // the fourth follows the third as fast as the links allow
    // 4 of its frames have left when the fourth comes, 10 when the fifth does: 6 + 10 and 9 + 10 want 15 places.
    CHECK(overflow(queue, burst) == 1 + 4);
}

TEST_CASE("Of two uplinks the second has every fourth module, and the memory is that of both") {
    TrueQueue queue;
    queue.uneven = true;
    queue.depth = 60;
    // 10 frames leave an uplink in 8.72 us. Of 20 events of 16 frames the first keeps 20 x 12 - 19 x 10 = 50, the
    // second the 4 of the last.
    const TrueBurst burst{16, 1024, Time{8'720'000}, 20};
    CHECK(overflow(queue, burst) == 50 + 4 - 60);
    queue.depth = 54;
    CHECK(overflow(queue, burst) == 0);
    queue.depth = 53;
    CHECK(overflow(queue, burst) == 1);
}

TEST_CASE("Student's t of two degrees of freedom lies beyond 4.303 in one case of twenty") {
    std::mt19937_64 random(3);
    int beyond = 0;
    for (int i = 0; i < 20'000; ++i) beyond += std::abs(student_of_two(random)) > 4.303;
    CHECK(beyond > 1000 - 4 * 31);
    CHECK(beyond < 1000 + 4 * 31);
}
