// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Two stray bursts and seven per cent of the map are few, more are many") {
    ModelFit one;
    one.parameters.resize(1);
    one.strays = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    CHECK_FALSE(many_strays(one, 100));  // 2 + 7
    CHECK(many_strays(one, 99));
    one.parameters.clear();
    CHECK_FALSE(many_strays(one, 99));  // nothing was inferred
}

TEST_CASE("The scatter of counts is a part of what the memory holds, unless it is known") {
    std::vector<Burst> bursts{ended({}, burst_of_44(300), 3000, 10e9), ended({}, burst_of_44(400), 3000, 10e9)};
    REQUIRE(bursts.front().counted);
    ModelFit one;
    one.depth.value = 3000;
    CHECK(scatter_of_memory(one, bursts) == 0);
    one.scatter = 600;
    CHECK(scatter_of_memory(one, bursts) == Approx(0.2));
    one.noise.emplace();
    one.noise->known = true;
    CHECK(scatter_of_memory(one, bursts) == 0);
}

TEST_CASE("Counts that scatter by a fifth of the memory are a misfit, and its p-value stays what was simulated") {
    std::vector<LossMapRow> rows;
    int i = 0;
    for (const std::int64_t microseconds : {9, 15, 21})
        for (const std::int64_t events : {4, 150, 220, 300, 400, 500, 600, 700}) {
            rows.push_back(measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 200, 10'000'000'000, 1}, 44,
                                    1024, Time{microseconds * 1'000'000}, events));
            if (rows.back().lossless()) continue;
            rows.back().frames_received += (i++ * 7 % 11 - 5) * 14;  // -70 to 70 frames, in no order
        }
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    CHECK(fit.status == FitStatus::Misfit);
    CHECK_FALSE(fit.misfit.empty());
    REQUIRE(fit.goodness);
    CHECK(*fit.goodness == fit.check.p_value);
}
