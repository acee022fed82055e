// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/excess-evidence.h"

#include <cmath>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Of memories of inputs each lossy burst has 85 % of its probability in the closed form, other memories all of it") {
    ModelFit one;
    one.model.sharing = Buffer::Sharing::PerInput;
    one.region.slices = {{70, 70, 1, 10e9, 10e9}};
    std::vector<Burst> bursts;
    for (const std::int64_t events : {10, 200, 300, 400}) bursts.push_back(ended(one.model, burst_of_44(events), 70, 10e9));
    REQUIRE_FALSE(bursts.front().lossy);
    CHECK(log_evidence_of_excess(one, bursts) == Approx(3 * std::log(0.85)));
    // Beyond it each number up to the excess that is possible is as likely: 0.15 / (most + 1).
    const auto most = static_cast<double>(excess_loss(one.model, bursts.back()));
    REQUIRE(most >= 1);
    bursts.back().lost += 1;
    CHECK(log_evidence_of_excess(one, bursts) == Approx(2 * std::log(0.85) + std::log(0.15 / (most + 1))));
    one.model.sharing = Buffer::Sharing::Shared;
    CHECK(log_evidence_of_excess(one, bursts) == 0);
}
