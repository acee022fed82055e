// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/curve.h"

#include "test/catch.h"

#include "test/calibrate/maps.h"

using namespace watershed;

TEST_CASE("The fitted curve rises to the asymptote, lies in its band, and meets the watershed of the switch") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : {60, 90, 130, 200, 400, 700}) rows.push_back(measured(hidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    const Curve curve = fitted_curve(fit_loss_map({"map", rows}, default_conditions(), {}));
    REQUIRE(curve.points.size() > 10);
    // 44 slots of 872 ns
    CHECK(static_cast<double>(curve.asymptote->count()) == Approx(38.368e6).epsilon(1e-4));
    std::int64_t last = 0;
    for (const CurvePoint& point : curve.points) {
        REQUIRE(point.events);
        CHECK(*point.events >= last);
        CHECK(*point.events_low <= *point.events);
        if (point.events_high) CHECK(*point.events_high >= *point.events);
        last = *point.events;
    }
    const CurvePoint& first = curve.points.front();
    CHECK(measured(hidden, 44, 1024, first.separation, *first.events).lossless());
    CHECK_FALSE(measured(hidden, 44, 1024, first.separation, *first.events + 2).lossless());
}

TEST_CASE("A limit on one side has no curve") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    const Curve curve = fitted_curve(fit_loss_map({"map", {measured(hidden, 44, 1024, Time{9'000'000}, 10)}}, default_conditions(), {}));
    CHECK(curve.points.empty());
}
