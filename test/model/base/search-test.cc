// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/search.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("The median of an even number of values is the larger of the middle two") {
    CHECK(median(std::vector<double>{3, 1, 2}) == 2);
    CHECK(median(std::vector<double>{4, 1, 3, 2}) == 3);
}

TEST_CASE("The first number for which something holds is found, or the end of the range where it holds for none") {
    for (std::int64_t first = -3; first <= 5; ++first)
        CHECK(first_of(-3, 5, [&](std::int64_t number) { return number >= first; }) == first);
    CHECK(first_of(2, 2, [](std::int64_t) { return true; }) == 2);
}
