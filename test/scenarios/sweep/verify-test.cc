// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/verify.h"

#include "model/exact/exact-engine.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Points nearest the boundary come first, and a seed settles the others") {
    std::vector<Claimed> points;
    for (std::int64_t i = 0; i < 100; ++i) points.push_back({Time{i}, i + 1, 0, i % 10});
    const auto chosen = nearest_boundary(points, 25, 7);
    REQUIRE(chosen.size() == 25);
    for (std::size_t i = 0; i < chosen.size(); ++i) CHECK(chosen[i].from_boundary == static_cast<std::int64_t>(i / 10));
    const auto again = nearest_boundary(points, 25, 7), other = nearest_boundary(points, 25, 8);
    const auto same = [&](const std::vector<Claimed>& list) {
        return std::equal(list.begin(), list.end(), chosen.begin(),
                          [](const Claimed& a, const Claimed& b) { return a.separation == b.separation; });
    };
    CHECK(same(again));
    CHECK_FALSE(same(other));
    CHECK(nearest_boundary(points, 1000, 7).size() == 100);
}

TEST_CASE("A claim that a run contradicts is named with both counts") {
    // 29 modules, two events at wire speed, 46 frames: 2 * 29 - 10 = 48, so two frames are lost.
    Scenario s;
    s.front_end.modules = 29;
    s.network_switch.buffer.size = {46};
    ExactEngine engine;
    CHECK_NOTHROW(verify(engine, s, {{Time{8'720'000}, 2, 2, 0}, {Time{8'720'000}, 1, 0, 0}}));
    CHECK_THROWS_WITH(verify(engine, s, {{Time{8'720'000}, 2, 3, 0}}), Contains("2 events") && Contains("8.72 us") &&
                                                                           Contains("loses 3 frames") &&
                                                                           Contains("exact engine 2"));
}
