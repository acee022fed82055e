// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/recovery-study.h"

#include <catch2/catch.hpp>

using namespace watershed;

TEST_CASE("Intervals of simulated campaigns hold the truth as often as they say") {
    // 30 campaigns, binomial: 95 % should be inside, fewer than 24 happens once in 3000; 68 %: fewer than 12 once in 2000.
    int campaigns = 0, depth68 = 0, depth95 = 0, rate95 = 0, wrong = 0;
    for (const recovery::Tally& tally : recovery::study(30, 40, {30})) {
        campaigns += tally.campaigns;
        depth68 += tally.depth68;
        depth95 += tally.depth95;
        rate95 += tally.rate95;
        wrong += tally.campaigns - tally.right - tally.undecided;
    }
    CHECK(campaigns == 30);
    CHECK(depth95 >= 24);
    CHECK(rate95 >= 24);
    CHECK(depth68 >= 12);
    CHECK(depth68 <= 28);
    CHECK(wrong <= 6);
}
