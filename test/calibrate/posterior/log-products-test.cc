// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/log-products.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("The logarithm of a product of any length is the sum of the factors' logarithms") {
    std::vector<double> sums{0, 1};
    Products products(sums);
    for (int i = 0; i < 5000; ++i) products.multiply(0, 1e-7), products.multiply(1, 1e7);
    products.add_log(1, 2);
    products.finish();
    CHECK(sums[0] == Approx(-35'000 * std::log(10)));
    CHECK(sums[1] == Approx(3 + 35'000 * std::log(10)));
}
