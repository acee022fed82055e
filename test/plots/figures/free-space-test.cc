// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/free-space.h"

#include <rapidcheck.h>

#include <vector>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A box that was found covers none of the marked points") {
    REQUIRE(rc::check([] {
        FreeSpace space;
        const auto points = *rc::gen::container<std::vector<std::pair<int, int>>>(
            rc::gen::pair(rc::gen::inRange(0, 1000), rc::gen::inRange(0, 1000)));
        for (const auto& [x, y] : points) space.mark(x / 1000.0, y / 1000.0);
        const double width = *rc::gen::inRange(1, 60) / 100.0, height = *rc::gen::inRange(1, 60) / 100.0;
        const auto box = space.find(width, height);
        if (!box) return;
        RC_ASSERT(box->left > 0 && box->bottom > 0 && box->right < 1 && box->top < 1);
        for (const auto& [x, y] : points)
            RC_ASSERT(x / 1000.0 < box->left || x / 1000.0 > box->right || y / 1000.0 < box->bottom ||
                      y / 1000.0 > box->top);
    }));
}

TEST_CASE("An empty panel offers its upper left corner, and one full of points nothing") {
    FreeSpace space;
    const auto box = space.find(0.4, 0.3);
    REQUIRE(box);
    CHECK(box->left < 0.05);
    CHECK(box->top > 0.95);
    for (int x = 0; x <= 20; ++x)
        for (int y = 0; y <= 20; ++y) space.mark(x / 20.0, y / 20.0);
    CHECK_FALSE(space.find(0.2, 0.2));
}

TEST_CASE("A line takes the space it crosses, however far beyond the panel its ends are") {
    FreeSpace space;
    space.mark_line(0.5, 0.1, 0.6, 1e6);  // steep: it stays at 0.5 within the panel
    CHECK_FALSE(space.is_free({0.45, 0.6, 0.55, 0.7}));
    CHECK(space.is_free({0.55, 0.0, 1.0, 1.0}));
    CHECK(space.is_free({0.0, 0.0, 0.45, 1.0}));
}
