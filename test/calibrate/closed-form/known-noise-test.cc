// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/known-noise.h"

#include <rapidcheck.h>

#include <cmath>

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

TEST_CASE("Levels of noise go by equal factors, and never beyond what is known") {
    REQUIRE(rc::check([] {
        const double low = *rc::gen::inRange(0, 100) / 100.0, high = low + *rc::gen::inRange(0, 100) / 100.0;
        const double least = *rc::gen::inRange(1, 100) / 100.0, most = least * (1 + *rc::gen::inRange(1, 100));
        const std::vector<double> free = noise_levels({}, least, most, 5),
                                  levels = noise_levels(KnownNoise{low, high, true}, least, most, 5);
        RC_ASSERT(free.size() == 5U);
        RC_ASSERT(std::abs(free.back() / most - 1) < 1e-12);
        RC_ASSERT(!levels.empty());
        for (const double level : levels) RC_ASSERT(low - 1e-12 <= level && level <= high + 1e-12);
        for (std::size_t i = 2; i < levels.size(); ++i)
            RC_ASSERT(std::abs(levels[i] * levels[i - 2] / (levels[i - 1] * levels[i - 1]) - 1) < 1e-9);
        RC_ASSERT(noise_levels(KnownNoise{low, low, true}, least, most, 5) == std::vector<double>{low});
    }));
}
