// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/feasible-region.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

FeasibleRegion region_of(const QueueModel& model, const std::vector<LossMapRow>& rows, CountUse use,
                         std::optional<double> rate = std::nullopt) {
    const auto bursts = bursts_of({"map", rows}, default_conditions(), use);
    SearchBox box = search_box(model, bursts);
    if (rate) box.rate_low = box.rate_high = *rate, box.rate_known = true;
    return feasible_region(model, bursts, box);
}

HiddenSwitch any_switch() {
    HiddenSwitch hidden;
    hidden.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
    hidden.unit = *rc::gen::element(MemorySize::Unit::Frame, MemorySize::Unit::Byte);
    hidden.uplinks = *rc::gen::inRange(1, 4);
    hidden.rate = *rc::gen::inRange<std::int64_t>(1, 100) * 100'000'000;
    hidden.depth = hidden.sharing == Buffer::Sharing::Shared ? *rc::gen::inRange(30, 1000) : *rc::gen::inRange(2, 60);
    if (hidden.unit == MemorySize::Unit::Byte) hidden.depth = hidden.depth * 1000 + *rc::gen::inRange(500, 1500);
    return hidden;
}

std::vector<LossMapRow> any_map(const HiddenSwitch& hidden) {
    std::vector<LossMapRow> rows;
    const int bursts = *rc::gen::inRange(1, 12);
    const std::vector<std::int64_t> payloads{100, 512, 900};
    const int sizes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < bursts; ++i) {
        const std::int64_t payload = payloads[static_cast<std::size_t>(*rc::gen::inRange(0, sizes))];
        const Time separation{*rc::gen::inRange<std::int64_t>(1'000, 60'000) * 1'000};
        rows.push_back(measured(hidden, *rc::gen::inRange(2, 20), payload, separation, *rc::gen::inRange(1, 150)));
    }
    return rows;
}

/// The shoelace formula.
double area_of(const ConvexPolygon& polygon) {
    const auto& corners = polygon.corners();
    double twice = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto &here = corners[i], &next = corners[(i + 1) % corners.size()];
        twice += here.x * next.y - next.x * here.y;
    }
    return twice / 2;
}

}  // namespace

TEST_CASE("The region of a noise-free map contains the switch that it was measured at") {
    REQUIRE(rc::check([] {
        const HiddenSwitch hidden = any_switch();
        const FeasibleRegion region = region_of({hidden.sharing, hidden.unit}, any_map(hidden),
                                                *rc::gen::element(CountUse::Flag, CountUse::Count));
        RC_ASSERT(region.feasible());
        RC_ASSERT(region.depth_low <= hidden.depth);
        RC_ASSERT(region.depth_open || hidden.depth <= region.depth_high);
        const auto rate = static_cast<double>(hidden.rate);
        RC_ASSERT(region.rate_low <= rate);
        RC_ASSERT(region.rate_open ||
                  rate * (1 - 1e-5) <= region.rate_high);  // whole picoseconds per frame slow a switch down a little
    }));
}

TEST_CASE("At a known rate the region is exactly the depths that give the same map") {
    // 10 Gb/s: a slot of 1090 B lasts 872 ns, without remainder.
    REQUIRE(rc::check([] {
        HiddenSwitch hidden;
        hidden.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
        hidden.depth = *rc::gen::inRange(30, 80);
        std::vector<LossMapRow> rows;
        const int ports = *rc::gen::inRange(12, 30), bursts = *rc::gen::inRange(1, 5);
        for (int i = 0; i < bursts; ++i)
            rows.push_back(as_flag(measured(hidden, ports, 1024, Time{8'720'000}, *rc::gen::inRange(1, 100))));
        const FeasibleRegion region = region_of({hidden.sharing, hidden.unit, 1}, rows, CountUse::Flag, 10e9);
        for (std::int64_t depth = 1; depth <= 200; ++depth) {
            HiddenSwitch other = hidden;
            other.depth = depth;
            const bool same = std::all_of(rows.begin(), rows.end(), [&](const LossMapRow& row) {
                return measured(other, row.ports, 1024, row.separation, row.events).lossless() == row.lossless();
            });
            const bool inside = region.depth_low <= depth && (region.depth_open || depth <= region.depth_high);
            RC_ASSERT(same == inside);
        }
    }));
}

TEST_CASE("28 ports lossless and 29 lossy leave 46 or 47 frames, and both rows bind") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 46, 10'000'000'000, 1};
    const std::vector<LossMapRow> rows{as_flag(measured(hidden, 28, 1024, Time{8'720'000}, 2)),
                                       as_flag(measured(hidden, 29, 1024, Time{8'720'000}, 2))};
    REQUIRE(rows[0].lossless());
    REQUIRE_FALSE(rows[1].lossless());
    const FeasibleRegion region = region_of({}, rows, CountUse::Flag, 10e9);
    CHECK(region.depth_low == 46);
    CHECK(region.depth_high == 47);
    CHECK(region.binding == std::vector<int>{1, 2});
}

TEST_CASE("Counts at two separations determine depth and rate outright") {
    // Two lines M N - L <= B + (M - 1) d c < M N - L + 1 in (B, c) cross in one small parallelogram; whole depths leave
    // one.
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    std::vector<LossMapRow> rows;
    for (const std::int64_t events : {90, 95, 101, 130})
        rows.push_back(measured(hidden, 44, 1024, Time{9'000'000}, events));
    for (const std::int64_t events : {500, 530, 611, 702})
        rows.push_back(measured(hidden, 44, 1024, Time{33'000'000}, events));
    const FeasibleRegion region = region_of({}, rows, CountUse::Count);
    CHECK(region.depth_low == 3080);
    CHECK(region.depth_high == 3080);
    CHECK(region.rate_low <= 10e9);
    CHECK(region.rate_high >= 10e9);
    CHECK(region.rate_high - region.rate_low < 1e-4 * 10e9);
}

TEST_CASE("A burst that loses what a shorter separation and a longer burst do not lose leaves nothing") {
    LossMapRow lossless, lossy;
    lossless.ports = lossy.ports = 44;
    lossless.payload = lossy.payload = Bytes{1024};
    lossless.separation = lossy.separation = Time{20'000'000};
    lossless.events = 100, lossless.frames_sent = lossless.frames_received = 4400;
    lossy.events = 50, lossy.frames_sent = 2200, lossy.frames_received = 2000;
    for (const auto unit : {MemorySize::Unit::Frame, MemorySize::Unit::Byte})
        CHECK_FALSE(region_of({Buffer::Sharing::Shared, unit, 1}, {lossless, lossy}, CountUse::Flag).feasible());
}

TEST_CASE("No bursts have no region, of whatever memory") {
    const SearchBox box{1, 1000, 0, 10e9};
    for (const auto unit : {MemorySize::Unit::Frame, MemorySize::Unit::Byte})
        CHECK_FALSE(feasible_region({Buffer::Sharing::Shared, unit}, {}, box).feasible());
}

TEST_CASE(
    "A fit looks for outputs as slow as the sparsest burst suggests, though another burst be a thousand times denser") {
    // 44 frames of 1066 B each 0.15 ms are 2.5 Gb/s, each 90 ms 4.2 Mb/s: the output may carry 2 Mb/s.
    Burst dense;
    dense.ports = 44, dense.events = 10, dense.payload = 1024, dense.wire = dense.buffer = 1066;
    dense.spacing = Time{150'000'000};
    Burst sparse = dense;
    sparse.spacing = Time{90'000'000'000};
    const QueueModel model;
    CHECK(search_box(model, {dense}).least_rate() == Approx(2.5014e6).epsilon(1e-3));
    CHECK(search_box(model, {dense, sparse}).least_rate() == Approx(4.169e6 / 20).epsilon(1e-3));
    for (Burst* each : {&dense, &sparse}) each->lossy = true;  // one frame in nine separations
    CHECK(search_box(model, {dense, sparse}).least_rate() == Approx(8528 / 0.81).epsilon(1e-3));
    for (Burst* each : {&dense, &sparse}) each->lossy = false;
    sparse.events = 1;  // no separation at all
    CHECK(search_box(model, {dense, sparse}).least_rate() == Approx(2.5014e6).epsilon(1e-3));
}

TEST_CASE("Clipping a square by a diagonal leaves half of it") {
    ConvexPolygon square = ConvexPolygon::rectangle(0, 2, 0, 2);
    REQUIRE_THAT(area_of(square), WithinAbs(4, 1e-12));
    square.clip({1, 1, 2}, 0);  // x + y >= 2
    CHECK_THAT(area_of(square), WithinAbs(2, 1e-12));
    CHECK(square.corners().size() == 3);
    CHECK_THAT(square.range(1, 1).least, WithinAbs(2, 1e-12));
    CHECK_THAT(square.range(1, 0).most, WithinAbs(2, 1e-12));
}

TEST_CASE("A half-plane that lies outside empties the polygon, one that contains it changes nothing") {
    ConvexPolygon square = ConvexPolygon::rectangle(0, 1, 0, 1);
    square.clip({1, 0, -5}, 0);
    CHECK(square.corners().size() == 4);
    square.clip({-1, 0, 5}, 0);
    CHECK(square.empty());
}

TEST_CASE("The same line many times does not grow the polygon") {
    ConvexPolygon square = ConvexPolygon::rectangle(0, 1e6, 0, 1e10);
    for (int i = 0; i < 100; ++i) square.clip({1, 1e-5, 44}, 44e-9);
    CHECK(square.corners().size() == 5);
}

TEST_CASE("A point inside all half-planes is never cut away") {
    REQUIRE(rc::check([] {
        const double x = *rc::gen::inRange(-100, 100), y = *rc::gen::inRange(-100, 100);
        ConvexPolygon polygon = ConvexPolygon::rectangle(-200, 200, -200, 200);
        const int sides = *rc::gen::inRange(1, 30);
        for (int i = 0; i < sides; ++i) {
            const double a = *rc::gen::inRange(-50, 50), b = *rc::gen::inRange(-50, 50),
                         reserve = *rc::gen::inRange(0, 40);
            polygon.clip({a, b, a * x + b * y - reserve}, 1e-9);
        }
        RC_ASSERT(!polygon.empty());
        for (int i = 0; i < 16; ++i) {
            // No direction in which the point lies beyond the polygon.
            const double a = std::cos(i * 0.3927), b = std::sin(i * 0.3927);
            RC_ASSERT(a * x + b * y <= polygon.range(a, b).most + 1e-6);
        }
    }));
}
