// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <cmath>

#include "calibrate/commands/known-options.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Noise is a part of a burst's length, a number of frames, or none") {
    CHECK(parse_noise("2 %").low == Approx(0.02));
    CHECK(parse_noise("2 %").high == Approx(0.02));
    CHECK(parse_noise("2%").relative);
    CHECK(parse_noise("2.5 frames").high == Approx(2.5));
    CHECK_FALSE(parse_noise("2.5 frames").relative);
    CHECK(parse_noise("0").none());
    CHECK(parse_noise("0 %").none());
    CHECK_FALSE(parse_noise("1 frames").none());
    for (const char* const wrong : {"0.02", "-1 %", "2 % frames", "frames", "", "2 bytes"})
        CHECK_THROWS_WITH(parse_noise(wrong), Contains("expected a part of a burst's length"));
}
