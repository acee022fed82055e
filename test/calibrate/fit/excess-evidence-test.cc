// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/excess-evidence.h"

#include <cmath>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Of memories of inputs any share of lossy bursts may lose more than the closed form says, of other memories none") {
    ModelFit one;
    one.model.sharing = Buffer::Sharing::PerInput;
    one.region.slices = {{70, 70, 1, 10e9, 10e9}};
    std::vector<Burst> bursts;
    for (const std::int64_t events : {10, 200, 300, 400})
        bursts.push_back(ended(one.model, burst_of_44(events), 70, 10e9));
    REQUIRE_FALSE(bursts.front().lossy);
    // int s^-1/2 (1 - s)^(5/2) ds / int s^-1/2 (1 - s)^-1/2 ds = B(1/2, 7/2) / B(1/2, 1/2) = 5/16, by Jeffreys's prior
    // of a share.
    CHECK(log_evidence_of_excess(one, bursts) == Approx(std::log(5.0 / 16)));
    // Beyond it each number up to the excess that is possible is as likely: B(3/2, 5/2) / B(1/2, 1/2) = 1/16.
    const auto most = static_cast<double>(excess_loss(one.model, bursts.back()));
    REQUIRE(most >= 1);
    bursts.back().lost += 1;
    CHECK(log_evidence_of_excess(one, bursts) == Approx(std::log(1.0 / 16 / (most + 1))));
    one.model.sharing = Buffer::Sharing::Shared;
    CHECK(log_evidence_of_excess(one, bursts) == 0);
}
