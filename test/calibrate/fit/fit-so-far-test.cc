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
    const PartialFit so_far = fit_so_far(map, default_conditions(), {});
    CHECK_FALSE(so_far.fit);
    REQUIRE(so_far.set_aside.size() == 1);
    CHECK(so_far.set_aside[0].row == 1);
    CHECK(so_far.bursts.size() == 1);
}

TEST_CASE("Rows in time are fitted, and the late ones named") {
    const PartialFit so_far = fit_so_far({"map",
                                          {late(measured(kHidden, 44, 1024, Time{20'000'000}, 200)),
                                           measured(kHidden, 44, 1024, Time{20'000'000}, 300)}},
                                         default_conditions(), {});
    REQUIRE(so_far.fit);
    CHECK(so_far.fit->bursts.size() == 1);
    CHECK(so_far.set_aside.size() == 1);
    CHECK_FALSE(fit_so_far({"map", {}}, default_conditions(), {}).fit);
}
