// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit.h"
#include "scenarios/text/input-error.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3071, 10'000'000'000, 1};

LossMapRow late(LossMapRow row) {
    row.worst_trigger_lateness = row.separation;
    return row;
}

}  // namespace

TEST_CASE("A map whose only row came late is no error while there is more to measure") {
    const LossMap map{"map", {late(measured(kHidden, 44, 1024, Time{20'000'000}, 200))}};
    CHECK_THROWS_AS(fit_loss_map(map, default_conditions(), {}), InputError);
    const FitSoFar so_far = fit_so_far(map, default_conditions(), {});
    CHECK_FALSE(so_far.fit);
    REQUIRE(so_far.set_aside.size() == 1);
    CHECK(so_far.set_aside[0].row == 1);
    CHECK(so_far.bursts.size() == 1);
}

TEST_CASE("Rows in time are fitted, and the late ones named") {
    const FitSoFar so_far = fit_so_far({"map",
                                        {late(measured(kHidden, 44, 1024, Time{20'000'000}, 200)),
                                         measured(kHidden, 44, 1024, Time{20'000'000}, 300)}},
                                       default_conditions(), {});
    REQUIRE(so_far.fit);
    CHECK(so_far.fit->bursts.size() == 1);
    CHECK(so_far.set_aside.size() == 1);
    CHECK_FALSE(fit_so_far({"map", {}}, default_conditions(), {}).fit);
}

TEST_CASE("Bursts make the map that they were read from") {
    LossMap map{
        "map",
        {late(measured(kHidden, 44, 1024, Time{20'000'000}, 200)), measured(kHidden, 22, 512, Time{9'000'000}, 300)}};
    map.rows[0].line = 2, map.rows[1].line = 3;
    map.rows[1].span = Time{9'000'000} * 308;
    map.rows[1].handover = Time{100'000'000};
    map.rows[1].delay = Time{2'000'000'000};
    map.rows[1].peak = PeakReading{1'000'000, false, 100};
    const std::vector<Burst> bursts = bursts_of(map, default_conditions(), CountUse::Count);
    const LossMap again = map_of(bursts, "map");
    const std::vector<Burst> again_bursts = bursts_of(again, default_conditions(), CountUse::Count);
    REQUIRE(again.rows.size() == 2);
    CHECK(bursts[1].spacing > bursts[1].separation);
    for (std::size_t i = 0; i < 2; ++i) {
        const Burst &a = bursts[i], &b = again_bursts[i];
        CHECK(a.spacing == b.spacing);
        CHECK(a.handover == b.handover);
        CHECK(a.delay == b.delay);
        CHECK(a.peak.has_value() == b.peak.has_value());
        CHECK(a.outcome == b.outcome);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const LossMapRow &a = map.rows[i], &b = again.rows[i];
        CHECK(a.ports == b.ports);
        CHECK(a.payload == b.payload);
        CHECK(a.separation == b.separation);
        CHECK(a.events == b.events);
        CHECK(a.frames_sent == b.frames_sent);
        CHECK(a.frames_received == b.frames_received);
        CHECK(a.worst_trigger_lateness == b.worst_trigger_lateness);
        CHECK(a.congested_uplinks == b.congested_uplinks);
        CHECK(a.line == b.line);
    }
}
