// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// 24 bursts into 3080 frames, counted.
std::vector<Burst> bursts_of_3080() {
    std::vector<Burst> bursts;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 80, 100, 120, 140, 180, 240, 300}) {
            Burst burst = burst_of_44(events);
            burst.row = static_cast<int>(bursts.size()) + 1;
            burst.spacing = Time{microseconds * 1'000'000};
            bursts.push_back(ended({}, burst, 3080, 10e9));
        }
    return bursts;
}

}  // namespace

TEST_CASE("A row that contradicts all others is left out and named") {
    std::vector<Burst> bursts = bursts_of_3080();
    REQUIRE(bursts[7].lossy);
    bursts[7].lossy = false, bursts[7].lost = 0;
    const FitOptions unknown;
    const FitInput map(bursts, unknown);
    CHECK_FALSE(map.region({}, map.flags).feasible());
    CHECK(map.region({}, without(map.flags, {8})).feasible());
    ModelFit one;
    remove_contradictions(one, map);
    CHECK(one.violating == std::vector<int>{8});
    CHECK(one.region.depth_low <= 3080);
    CHECK(one.region.depth_high >= 3080);
}

TEST_CASE(
    "An exception near the watershed is noise, one far from it is none, and where bursts cannot scatter none is") {
    const std::vector<Burst> exact = bursts_of_3080();
    const double near = static_cast<double>(*longest_lossless({}, exact[8], exact[8].spacing, 3080, 10e9));
    const auto noisy = [&](double length, const FitOptions& options) {
        std::vector<Burst> bursts = exact;
        bursts[8].events = std::llround(near * length);
        bursts[8].lossy = length < 1, bursts[8].lost = bursts[8].lossy;
        const FitInput map(bursts, options);
        ModelFit one;
        one.depth.value = 3080, one.rate.value = 10e9, one.violating = {9};
        return are_noise(one, map, false);
    };
    FitOptions none;
    none.noise = KnownNoise{};
    CHECK(noisy(0.95, {}));
    CHECK(noisy(1.05, {}));
    CHECK_FALSE(noisy(0.8, {}));  // |ln 0.8| = 0.22, beyond a reach of 0.1
    CHECK_FALSE(noisy(1.3, {}));
    CHECK_FALSE(noisy(0.95, none));
}

TEST_CASE("A burst that loses far below the watershed is no contradiction where frames are lost at random") {
    std::vector<Burst> bursts = bursts_of_3080();
    REQUIRE_FALSE(bursts[8].lossy);
    bursts[8].lossy = true, bursts[8].lost = 40;  // of 2640, at a third of the length that fills the memory
    const FitOptions unknown;
    const FitInput map(bursts, unknown);
    ModelFit one;
    one.depth.value = 3080, one.rate.value = 10e9, one.violating = {9};
    CHECK_FALSE(are_noise(one, map, true));
    BurstParameters fitted;
    fitted.depth = 3080, fitted.rate = 10e9;
    one.parameters = {fitted};
    CHECK_FALSE(are_noise(one, map, true));
    one.parameters.front().loss = 0.01;
    CHECK(are_noise(one, map, true));
    one.strays = {9};  // which the loss does not explain
    CHECK_FALSE(are_noise(one, map, true));
}

TEST_CASE("A map of which every row contradicts all memories leaves no region, and all rows are named") {
    // Two bursts of a single frame, both lost: no memory is smaller than a frame.
    std::vector<Burst> bursts(2, burst_of_44(1));
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        bursts[i].row = static_cast<int>(i) + 1;
        bursts[i].ports = 1, bursts[i].lossy = true;
    }
    const FitOptions unknown;
    const FitInput map(bursts, unknown);
    for (const bool per_packet : {false, true}) {
        ModelFit one;
        one.model.per_packet = per_packet;
        remove_contradictions(one, map);
        CHECK(one.violating == std::vector<int>{1, 2});
        CHECK_FALSE(one.region.feasible());
    }
}
