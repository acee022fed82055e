// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <cmath>

#include "calibrate/closed-form/feasible-region.h"
#include "test/catch.h"

using namespace watershed;

namespace {

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

TEST_CASE("Clipping a square by a diagonal leaves half of it and names the edge that was cut") {
    ConvexPolygon square = ConvexPolygon::rectangle(0, 2, 0, 2);
    REQUIRE_THAT(area_of(square), WithinAbs(4, 1e-12));
    square.clip({1, 1, 2, 7}, 0);  // x + y >= 2
    CHECK_THAT(area_of(square), WithinAbs(2, 1e-12));
    REQUIRE(square.corners().size() == 3);
    int cut = 0;
    for (const auto& corner : square.corners()) cut += corner.edge == 7;
    CHECK(cut == 1);
    CHECK_THAT(square.range(1, 1).least, WithinAbs(2, 1e-12));
    CHECK_THAT(square.range(1, 0).most, WithinAbs(2, 1e-12));
}

TEST_CASE("A half-plane that lies outside empties the polygon, one that contains it changes nothing") {
    ConvexPolygon square = ConvexPolygon::rectangle(0, 1, 0, 1);
    square.clip({1, 0, -5, 1}, 0);
    CHECK(square.corners().size() == 4);
    square.clip({-1, 0, 5, 2}, 0);
    CHECK(square.empty());
}

TEST_CASE("The same line many times does not grow the polygon") {
    ConvexPolygon square = ConvexPolygon::rectangle(0, 1e6, 0, 1e10);
    for (int i = 0; i < 100; ++i) square.clip({1, 1e-5, 44, i}, 44e-9);
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
            polygon.clip({a, b, a * x + b * y - reserve, i}, 1e-9);
        }
        RC_ASSERT(!polygon.empty());
        for (int i = 0; i < 16; ++i) {
            // No direction in which the point lies beyond the polygon.
            const double a = std::cos(i * 0.3927), b = std::sin(i * 0.3927);
            RC_ASSERT(a * x + b * y <= polygon.range(a, b).most + 1e-6);
        }
    }));
}
