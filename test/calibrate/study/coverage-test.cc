// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/coverage.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Coverage is set beside what intervals promise, and four binomial deviations are agreement") {
    const std::vector<Comparison> all = compare_calibration(1);
    REQUIRE(all.size() == 5);
    for (const Comparison& one : all) {
        CHECK(one.system == "calibration");
        CHECK(one.basis == Basis::Theory);
        CHECK(one.simulated >= 0);
        CHECK(one.simulated <= 100);
    }
    CHECK(all[0].published == 95);
    CHECK(all[1].published == 68);
    // 32 campaigns at most: 4 sqrt(0.95 x 0.05 / 32) = 15.4 %, and more where fewer have an interval with two ends.
    CHECK(all[0].tolerance.largest > 15.3);
    CHECK(all[0].tolerance.largest < 30);
    CHECK_THAT(all[0].source, Contains("arXiv:1804.06788"));
}
