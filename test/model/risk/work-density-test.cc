// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/work-density.h"

#include <cmath>
#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Probabilities, tails and excesses of the Borel law agree, with mean 1 / (1 - load)") {
    for (const double load : {0.0, 0.054, 0.5, 0.9}) {
        const BorelLaw law(load);
        CHECK(law.above(0) == Approx(1).epsilon(1e-9));
        CHECK(law.excess(0) == Approx(1 / (1 - load)).epsilon(1e-9));
        for (std::int64_t j = 0; j < 50; ++j) {
            CHECK(law.above(j) == Approx(law.above(j + 1) + law.equal(j + 1)).epsilon(1e-12));
            CHECK(law.excess(j) == Approx(law.excess(j + 1) + law.above(j)).epsilon(1e-12));
        }
    }
}

TEST_CASE("The first probabilities of the Borel law are those of its formula") {
    // exp(-x), x exp(-2 x), (3 x)^2 exp(-3 x) / 6
    const BorelLaw law(0.3);
    CHECK(law.equal(1) == Approx(std::exp(-0.3)));
    CHECK(law.equal(2) == Approx(0.3 * std::exp(-0.6)));
    CHECK(law.equal(3) == Approx(0.81 * std::exp(-0.9) / 6));
}

TEST_CASE("A tail of the Borel law far below one is accurate relative to itself") {
    // P(J > 100) = P(J = 101) (1 + q + ...), with q near load e^(1 - load) = 0.1355 (100/101)^(3/2)...
    const BorelLaw law(0.05);
    CHECK(law.above(100) > law.equal(101));
    CHECK(law.above(100) < law.equal(101) / (1 - 0.05 * std::exp(0.95)));
    CHECK(law.above(100) < 1e-80);
}

TEST_CASE("A link that never pauses has no Borel law") {
    CHECK_THROWS_AS(BorelLaw(1), std::invalid_argument);
    CHECK_THROWS_AS(BorelLaw(-0.1), std::invalid_argument);
}
