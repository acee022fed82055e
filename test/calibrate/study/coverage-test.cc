// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/coverage.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Coverage is set beside what intervals promise, and four binomial deviations are agreement") {
    calibration::Tally tally;
    tally.campaigns = 40, tally.depth_bounded = 32, tally.rate_bounded = 30;
    tally.depth95 = 31, tally.depth68 = 24, tally.rate95 = 27, tally.rate68 = 21, tally.surely_wrong = 1;
    const std::vector<Comparison> all = compare_calibration(tally);
    REQUIRE(all.size() == 5);
    for (const Comparison& one : all) {
        CHECK(one.system == "calibration");
        CHECK(one.basis == Basis::Theory);
    }
    // 31 and 24 of 32, 27 and 21 of 30, and 1 of 40.
    const double shares[] = {96.875, 75, 90, 70, 2.5};
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].simulated == Approx(shares[i]));
    CHECK(all[0].published == 95);
    CHECK(all[1].published == 68);
    // 4 sqrt(0.95 x 0.05 / 32)
    CHECK(all[0].tolerance.largest == Approx(15.4110));
    CHECK_THAT(all[0].source, Contains("arXiv:1804.06788"));
}
