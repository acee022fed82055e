// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/recovery-study.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Intervals of simulated campaigns hold the truth as often as they say") {
    // 15 campaigns, binomial: with 95 % inside, fewer than 11 happens once in 1600; with 68 %, fewer than 5 once in 500.
    int campaigns = 0, depth68 = 0, depth95 = 0, rate95 = 0, wrong = 0;
    for (const recovery::Tally& tally : recovery::study(15, 40, {25})) {
        campaigns += tally.campaigns;
        depth68 += tally.depth68;
        depth95 += tally.depth95;
        rate95 += tally.rate95;
        wrong += tally.campaigns - tally.right - tally.undecided;
    }
    CHECK(campaigns == 15);
    CHECK(depth95 >= 11);
    CHECK(rate95 >= 11);
    CHECK(depth68 >= 5);
    CHECK(wrong <= 4);
}
