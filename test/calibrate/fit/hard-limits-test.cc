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

TEST_CASE("Each kind ends at its own hard limits before kinds are mixed, and not at those of the named one") {
    // Two kinds as likely: one of 900 to 1099, of which its limits leave 1000 to 1050, one of 2000 to 2199. 95 % of
    // both reach from 1000 to near 2199; cut to the named kind's limits they would have ended at 1050.
    const std::vector<Burst> all = bursts_of_3080();
    const auto kinds = [] {
        std::vector<ModelFit> both(2);
        for (ModelFit& one : both) {
            const double from = &one == &both.front() ? 900 : 2000;
            one.feasible = true, one.probability = 0.5;
            one.parameters.resize(1);
            for (int i = 0; i < 200; ++i) one.depths.push_back(from + i), one.rates.push_back(1e6 * (from + i));
            one.depth.value = from + 100, one.rate.value = 1e6 * *one.depth.value;
            one.depth.hard = {from, from + 199}, one.rate.hard = {1e6 * from, 1e6 * (from + 199)};
        }
        both.front().depth.value = 1025;
        both.front().depth.hard = {1000.5, 1050};  // from 1000 whole frames on
        return both;
    };
    std::vector<ModelFit> cut = kinds();
    mix(cut, all.front(), true);
    CHECK(*cut.front().depth.interval95.low == 1000);
    CHECK(*cut.front().depth.interval95.high > 2180);
    CHECK(*cut.front().rate.interval95.high > 2180e6);
    CHECK(*cut.front().depth.hard.high == 1050);  // it stays that of the named kind
    std::vector<ModelFit> of_flags = kinds();
    mix(of_flags, all.front());
    CHECK(*of_flags.front().depth.interval95.low < 915);
}

TEST_CASE("Hard limits give way to the intervals where none scatters") {
    const std::vector<Burst> all = bursts_of_3080();
    FitOptions told;
    told.noise = KnownNoise{};
    ModelFit gives_way;
    gives_way.feasible = true;
    gives_way.depth = {3080, {3079, 3081}, {3078, 3080}, {3075, std::nullopt}};
    ModelFit stays = gives_way;
    widen_hard_limits(gives_way, FitInput(all, told));
    CHECK(*gives_way.depth.hard.low == 3075);
    CHECK(*gives_way.depth.hard.high == 3081);
    widen_hard_limits(stays, FitInput(all, kUnknown));
    CHECK(*stays.depth.hard.low == 3079);
}
