// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/recovery-study.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Intervals of simulated campaigns hold the truth as often as they say") {
    // 15 campaigns, binomial: with 95 % inside, fewer than 11 happens once in 1600; with 68 %, fewer than 5 once in
    // 500.
    const recovery::Tally tally = recovery::study(15, 40, 25);
    CHECK(tally.campaigns == 15);
    CHECK(tally.depth95 >= 11);
    CHECK(tally.rate95 >= 11);
    CHECK(tally.depth68 >= 5);
    CHECK(tally.campaigns - tally.right - tally.undecided <= 4);
    // The sum of 15 squared pulls is above 34.9 or below 3.9 once in 400 each.
    CHECK(tally.depth_squares < 34.9);
    CHECK(tally.depth_squares > 3.9);
}

TEST_CASE(
    "The pull of a normal posterior is its distance from the truth in standard deviations, that of a skewed one its "
    "quantile") {
    std::vector<SupportPoint> normal, skewed;
    for (int i = -500; i <= 500; ++i) {
        const double sigmas = i / 100.0, weight = std::exp(-sigmas * sigmas / 2);
        normal.push_back({1000 + 10 * sigmas, 1, weight});
        skewed.push_back({std::exp(sigmas), 1, weight});
    }
    CHECK(recovery::pull(normal, &SupportPoint::depth, 1000) == Approx(0).margin(0.01));
    CHECK(recovery::pull(normal, &SupportPoint::depth, 985) == Approx(1.5).epsilon(0.01));
    CHECK(recovery::pull(skewed, &SupportPoint::depth, std::exp(2.0)) == Approx(-2).epsilon(0.01));
    CHECK(recovery::pull(normal, &SupportPoint::depth, 0) == Approx(4).epsilon(0.01));  // as far as grids reach
}
