// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kDepth = 3080;

ModelFit with_region(const FitInput& map) {
    ModelFit one;
    one.region = map.region(one.model, map.bursts);
    one.feasible = one.region.feasible();
    return one;
}

}  // namespace

TEST_CASE("Limits are the ends of the region, a frame wider where counts may be off by what the closed form leaves") {
    const std::vector<Burst> all = bursts_of_3080();
    FitInput map(all, kUnknown);
    ModelFit flagged = with_region(map), counted = flagged;
    REQUIRE(flagged.feasible);
    set_hard_limits(flagged, map, true);
    CHECK(*flagged.depth.hard.low == static_cast<double>(flagged.region.depth_low));
    CHECK(*flagged.depth.hard.high == static_cast<double>(flagged.region.depth_high));
    map.to_the_frame = true;
    set_hard_limits(counted, map, true);
    CHECK(*counted.depth.hard.low < *flagged.depth.hard.low);
    CHECK(*counted.depth.hard.high > *flagged.depth.hard.high);
    CHECK(*counted.rate.hard.low < 10e9);
    CHECK(*counted.rate.hard.high > 10e9);
}

TEST_CASE("Of a kind that contradicts one burst the limits are those of the others, if the kind is in reach") {
    std::vector<Burst> all = bursts_of_3080();
    REQUIRE(all[7].lossy);
    all[7].lossy = false, all[7].lost = 0;
    const FitInput map(all, kUnknown);
    ModelFit one = with_region(map), out_of_reach = one;
    REQUIRE_FALSE(one.feasible);
    set_hard_limits(one, map, true);
    CHECK(one.violating == std::vector<int>{8});
    CHECK(*one.depth.hard.low <= kDepth);
    CHECK(*one.depth.hard.high >= kDepth);
    set_hard_limits(out_of_reach, map, false);
    CHECK_FALSE(out_of_reach.depth.hard.low);
}

TEST_CASE("Where bursts cannot scatter no interval reaches beyond the limits") {
    const std::vector<Burst> all = bursts_of_3080();
    FitOptions told;
    told.noise = KnownNoise{};
    FitInput map(all, told);
    map.to_the_frame = true;
    ModelFit one;
    one.feasible = true;
    one.depth = {3085, {3080, 3084}, {3079, 3086}, {3070, 3090}};
    one.rate = {10e9, {9e9, 11e9}, {9.5e9, 10.5e9}, {9.1e9, 10.9e9}};
    reconcile_hard_limits(one, map);
    CHECK(*one.depth.value == 3084);
    CHECK(*one.depth.interval68.low == 3080);
    CHECK(*one.depth.interval95.high == 3084);
    CHECK(*one.rate.interval95.low == 9.1e9);
}

TEST_CASE("An estimate beyond the limits moves to the next depth that they allow, or they are none where it is far") {
    const std::vector<Burst> all = bursts_of_3080();
    const FitInput map(all, kUnknown);
    ModelFit near;
    near.feasible = true;
    near.depth = {3085, {3080, 3084}, {3085, 3087}, {3081, 3089}};
    near.rate = {10e9, {9e9, 11e9}, {}, {}};
    ModelFit far = near;
    far.depth.interval95 = {3085, 3089};
    reconcile_hard_limits(near, map);
    CHECK(*near.depth.value == 3084);
    CHECK(*near.depth.interval68.low == 3084);  // as low as the estimate
    CHECK(*near.depth.interval95.high == 3089);
    reconcile_hard_limits(far, map);
    CHECK_FALSE(far.depth.hard.low);
    CHECK_FALSE(far.rate.hard.high);
}

TEST_CASE(
    "An interval over several kinds ends at the hard limits of the named one, which give way where none scatters") {
    const std::vector<Burst> all = bursts_of_3080();
    FitOptions unknown, told;
    told.noise = KnownNoise{};
    ModelFit ends;
    ends.feasible = true;
    ends.depth = {3080, {3079, 3081}, {3078, 3080}, {3075, std::nullopt}};
    ModelFit gives_way = ends, of_flags = ends;
    FitInput flags(all, unknown), exact = flags, without_noise(all, told);
    exact.to_the_frame = without_noise.to_the_frame = true;
    meet_hard_limits(ends, exact);
    CHECK(*ends.depth.interval68.low == 3079);
    CHECK(*ends.depth.interval95.low == 3079);
    CHECK_FALSE(ends.depth.interval95.high);
    meet_hard_limits(gives_way, without_noise);
    CHECK(*gives_way.depth.hard.low == 3075);
    CHECK(*gives_way.depth.hard.high == 3081);
    meet_hard_limits(of_flags, flags);
    CHECK(*of_flags.depth.interval95.low == 3075);
}
