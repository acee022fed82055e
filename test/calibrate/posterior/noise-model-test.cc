// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/posterior/nuisance-model.h"
#include "test/catch.h"

using namespace watershed;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("Noise of frames and of the length add as independent numbers do", "[noise-law]") {
    // sqrt(3^2 + (0.02 * 200)^2) = 5
    CHECK_THAT((NoiseModel{3, 0.02}.deviation(200)), WithinRel(5, 1e-12));
    CHECK((NoiseModel{3, 0}.deviation(200)) == 3);
    CHECK((NoiseModel{0, 0.02}.deviation(200)) == 4);
    CHECK(NoiseModel{}.none());
    CHECK_FALSE(NoiseModel::of(0.02, true).none());
    CHECK(NoiseModel::of(0.02, true).length == 0.02);
    CHECK(NoiseModel::of(3, false).frames == 3);
}

TEST_CASE("Within one standard deviation lie 68.27 per cent of the bursts", "[noise-law]") {
    const double within = std::erf(M_SQRT1_2);
    for (const NoiseModel& law : {NoiseModel{5, 0}, NoiseModel{3, 0.02}})
        CHECK_THAT(law.below(5, 200) - law.below(-5, 200), WithinAbs(within, 1e-7));
    // Of the length it is the logarithm that is normal: a burst overflows by 200 (exp(0.02) - 1) frames more.
    const NoiseModel length{0, 0.02};
    CHECK_THAT(length.below(200 * std::expm1(0.02), 200) - length.below(200 * std::expm1(-0.02), 200),
               WithinAbs(within, 1e-7));
    CHECK(length.below(-200, 200) == 0);
}

TEST_CASE("Without noise a burst overflows exactly as the closed form says", "[noise-law]") {
    CHECK(NoiseModel{}.below(-1e-9, 200) == 0);
    CHECK(NoiseModel{}.below(0, 200) == 1);
    CHECK(NoiseModel{}.drawn_factor(2) == 1);
    CHECK(NoiseModel{}.drawn_frames(2) == 0);
}

TEST_CASE("What is drawn has the distribution that is stated", "[noise-law]") {
    const NoiseModel law{3, 0.02};
    // A burst drawn at z standard deviations is exceeded by as many as a normal number at z is: 97.725 % lie below 2.
    const double share = 0.9772498680518208;
    CHECK_THAT((NoiseModel{3, 0}.below(law.drawn_frames(2), 200)), WithinAbs(share, 1e-7));
    CHECK_THAT((NoiseModel{0, 0.02}.below(200 * (law.drawn_factor(2) - 1), 200)), WithinAbs(share, 1e-7));
    CHECK_THAT(law.over_threshold(std::log(law.drawn_factor(2))), WithinAbs(share, 1e-12));
}
