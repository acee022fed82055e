// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/burst.h"

#include <algorithm>
#include <sstream>

#include "calibrate/closed-form/feasible-region.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

LossMap map_of(const std::string& rows) {
    std::istringstream in("ports,payload_bytes,separation_us,events,frames_sent,frames_received\n" + rows);
    return read_loss_map(in, "map.csv");
}

const QueueModel kSharedFrames{Buffer::Sharing::Shared, MemorySize::Unit::Frame};
constexpr double kRate = 10e9;

/// 28 modules, two triggers 20 us apart: between them an uplink of 10 Gb/s sends 20 frames of 1250 B.
Burst two_events(std::int64_t lost) {
    Burst burst;
    burst.ports = 28;
    burst.events = 2;
    burst.spacing = Time{20'000'000};
    burst.wire = burst.buffer = 1250;
    burst.lost = lost;
    burst.lossy = lost > 0;
    burst.counted = true;
    return burst;
}

/// The least margin that any half-plane leaves to a depth.
double margin(const Burst& burst, double depth) {
    const auto known = ConvexPolygon::rectangle(30, 60, 0.9 * kRate, 1.1 * kRate);
    double least = HUGE_VAL;
    for (const HalfPlane& side : burst_bounds(kSharedFrames, burst, known).sides)
        least = std::min(least, side.margin(depth, kRate));
    return least;
}

}  // namespace

TEST_CASE("Depths and rates are given for the largest frames, in whatever row they are") {
    for (const std::string rows : {"44,400,2,10,440,400\n44,1024,20,10,440,400\n",
                                   "44,1024,20,10,440,400\n12,1024,2,10,120,100\n44,400,2,10,440,400\n"}) {
        const Burst largest = largest_row(bursts_of(map_of(rows), default_conditions(), CountUse::Auto));
        CHECK(largest.payload == 1024);
        CHECK(largest.ports == 44);
    }
}

TEST_CASE("A burst knows what its frames cost, and that a busy link holds the next frame back") {
    const auto bursts =
        bursts_of(map_of("44,1024,2,10,440,400\n44,1024,20,10,440,400\n"), default_conditions(), CountUse::Auto);
    CHECK(bursts[0].wire == 1090);
    CHECK(bursts[0].buffer == 1070);
    CHECK(bursts[0].spacing == Time{8'720'000});
    CHECK(bursts[1].spacing == Time{20'000'000});
    CHECK(bursts[1].row == 2);
    CHECK(bursts[1].line == 3);
    // 9 separations of 20 us at 1 bit/s carry 180e-6 bit, a frame has 8720.
    CHECK(bursts[1].drain() == Approx(180e-6 / 8720));
}

TEST_CASE("What an output stood still drains nothing") {
    std::istringstream in(
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received,span_us,stalled_us\n"
        "44,1024,20,10,440,400,189,9\n44,1024,20,10,440,400,,36\n44,1024,20,1,44,40,,36\n44,1024,20,10,440,400,189,\n"
        "44,1024,20,10,440,400,189,200\n");
    const auto bursts = bursts_of(read_loss_map(in, "map.csv"), default_conditions(), CountUse::Auto);
    // 189 us less 9 are 9 separations of 20; 180 less 36 are 9 of 16.
    CHECK(bursts[0].spacing == Time{20'000'000});
    CHECK(bursts[1].spacing == Time{16'000'000});
    CHECK(bursts[2].drain() == 0);
    CHECK(bursts[3].spacing == Time{21'000'000});
    // All the time: nothing is divided by none.
    CHECK(bursts[4].spacing == Time{1});
}

TEST_CASE("Lossy bursts that lost one frame each are taken for flags, unless told otherwise") {
    const LossMap flags = map_of("44,1024,20,10,440,439\n44,1024,20,99,4356,4355\n"),
                  counts = map_of("44,1024,20,10,440,439\n44,1024,20,99,4356,4300\n");
    CHECK_FALSE(bursts_of(flags, default_conditions(), CountUse::Auto)[0].counted);
    CHECK(bursts_of(flags, default_conditions(), CountUse::Count)[0].counted);
    CHECK(bursts_of(counts, default_conditions(), CountUse::Auto)[0].counted);
    CHECK_FALSE(bursts_of(counts, default_conditions(), CountUse::Flag)[1].counted);
}

TEST_CASE("Sent frames that are not one burst's still tell lossy from lossless") {
    const auto bursts = bursts_of(map_of("44,1024,20,10,1,0\n44,1024,20,10,880,860\n44,1024,20,9,396,390\n"),
                                  default_conditions(), CountUse::Auto);
    CHECK(bursts[0].lossy);
    CHECK_FALSE(bursts[0].counted);
    CHECK_FALSE(bursts[1].counted);
    CHECK(bursts[2].counted);
    // 2 x 44 x 10 frames are two bursts; 44 x 9 are one.
    CHECK(bursts[1].sent == 880);
    CHECK_FALSE(bursts[1].sent_once());
    CHECK(bursts[2].sent_once());
}

TEST_CASE("A payload that the scenario's MTU forbids is refused with its line") {
    Conditions conditions = default_conditions();
    conditions.frame.mtu = Bytes{1500};
    CHECK_THROWS_WITH(bursts_of(map_of("44,1024,20,1,44,44\n44,9000,20,1,44,44\n"), conditions, CountUse::Auto),
                      Contains("map.csv:3") && Contains("MTU"));
}

TEST_CASE("A burst without loss needs room for all frames but those that were sent between its triggers") {
    // 28 * 2 - 20 = 36 frames.
    CHECK(margin(two_events(0), 36) == Approx(0).margin(1e-6));
    CHECK(margin(two_events(0), 35) < -0.5);
    CHECK(margin(two_events(0), 37) > 0.5);
}

TEST_CASE("A burst that lost frames had room for as many fewer, to less than one frame") {
    // Two of 36 frames had no room.
    CHECK(margin(two_events(2), 34) >= -1e-6);
    CHECK(margin(two_events(2), 33) < -0.5);
    CHECK(margin(two_events(2), 36) < -0.5);
}
