// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/distribution-result.h"

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("The interval of a mean over windows is Student's") {
    // 1, 2, 3, 4: mean 2.5, s^2 = 5/3, s / sqrt(4) = 0.6455; t(3; 97.5 %) = 3.1824
    const BatchMean mean = batch_mean({1, 2, 3, 4});
    CHECK(mean.mean == 2.5);
    CHECK(mean.half_width == Approx(3.18245 * 0.645497).epsilon(1e-5));
    CHECK(mean.least == 1);
    CHECK(mean.most == 4);
    CHECK(batch_mean({7}).half_width == 0);
    CHECK(batch_mean({}).mean == 0);
}

TEST_CASE("Frames and events that are unaccounted for are noticed") {
    DistributionResult result;
    result.frames_sent = 10;
    result.frames_received = 7;
    result.losses = {{"switch", "buffer-full", 2}, {"consumer", "buffer-full", 1}};
    result.events_sent = 3;
    result.events_complete = 1;
    result.events_incomplete = 2;
    CHECK_NOTHROW(result.check_conservation());
    result.frames_received = 6;
    CHECK_THROWS_AS(result.check_conservation(), std::logic_error);
    result.frames_received = 7;
    result.events_complete = 2;
    CHECK_THROWS_AS(result.check_conservation(), std::logic_error);
}
