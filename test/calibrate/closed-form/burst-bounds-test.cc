// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "calibrate/closed-form/feasible-region.h"
#include "test/catch.h"

using namespace watershed;

namespace {

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

TEST_CASE("A burst without loss needs room for all frames but those that were sent between its triggers") {
    // 28 * 2 - 20 = 36 frames.
    CHECK(margin(two_events(0), 36) == Approx(0).margin(1e-6));
    CHECK(margin(two_events(0), 35) < -0.5);
    CHECK(margin(two_events(0), 37) > 0.5);
}

TEST_CASE("A burst that lost frames had room for as many fewer, to less than one frame") {
    // Of 36 frames two had no room.
    CHECK(margin(two_events(2), 34) >= -1e-6);
    CHECK(margin(two_events(2), 33) < -0.5);
    CHECK(margin(two_events(2), 36) < -0.5);
}
