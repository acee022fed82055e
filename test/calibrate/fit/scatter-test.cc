// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A shared memory of 3000 frames with noise of 0.01 to 10 frames in a thousand samples.
ModelFit sampled() {
    ModelFit one;
    one.depth.value = 3000;
    one.rate.value = 10e9;
    for (int i = 1; i <= 1000; ++i) {
        BurstParameters hidden;
        hidden.depth = 3000;
        hidden.rate = 10e9;
        hidden.noise_frames = 0.01 * i;
        one.parameters.push_back(hidden);
    }
    return one;
}

const std::vector<Burst> kLossy{ended({}, burst_of_44(300), 3000, 10e9), ended({}, burst_of_44(400), 3000, 10e9)};

}  // namespace

TEST_CASE("Counts scatter by the noise of frames, and by less than rounding not at all") {
    const auto scatter = scatter_of(sampled(), kLossy);
    REQUIRE(scatter);
    CHECK(*scatter == Approx(5).epsilon(0.01));
    ModelFit still = sampled();
    for (BurstParameters& hidden : still.parameters) hidden.noise_frames = 0.1;
    CHECK_FALSE(scatter_of(still, kLossy));
}
