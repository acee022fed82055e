// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/hyperbola.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "test/catch.h"

using namespace watershed;

namespace {

// 44 modules of 1090 B slots into 10 Gb/s, 7000 frames per input: M(d) = 1 + 6999 / (1 - d / 38.368 us), for d
// from 8.72 us on.
constexpr double kAsymptote = 38.368;
double longest(double separation) { return 1 + 6999 / (1 - separation / kAsymptote); }

BoundaryPoint point_at(double separation_us) {
    const Time separation(std::llround(separation_us * 1e6));
    if (separation_us >= kAsymptote) return {separation, std::nullopt};
    return {separation, static_cast<std::int64_t>(longest(separation_us))};
}

std::vector<BoundaryPoint> boundary(std::initializer_list<double> separations) {
    std::vector<BoundaryPoint> points;
    for (const double separation : separations) points.push_back(point_at(separation));
    return points;
}

}  // namespace

TEST_CASE("The asymptote follows from the points below it, as sharp as whole events allow") {
    const auto asymptote = asymptote_of(boundary({8.72, 15, 20, 25, 30, 35, 40}));
    REQUIRE(asymptote);
    CHECK(asymptote->low <= kAsymptote);
    CHECK(asymptote->high >= kAsymptote);
    CHECK(asymptote->high - asymptote->low < 0.003);
}

TEST_CASE("Without a separation where no length loses, the asymptote is extrapolated") {
    const auto asymptote = asymptote_of(boundary({8.72, 15, 20, 25, 30, 35}));
    REQUIRE(asymptote);
    CHECK(asymptote->low <= kAsymptote);
    CHECK(asymptote->high >= kAsymptote);
}

TEST_CASE("Points that do not determine the asymptote bracket it at best") {
    CHECK_FALSE(asymptote_of(boundary({8.72, 9, 10})));  // no lever
    CHECK_FALSE(asymptote_of(boundary({39, 40})));
    const auto two = asymptote_of(boundary({30, 40}));
    REQUIRE(two);
    CHECK(two->low == 30);
    CHECK(two->high == 40);
    // A memory of single frames: the line through 1, 1, 2 contradicts the bracket or says nothing, and the bracket
    // stays.
    const auto shallow = asymptote_of({{Time(10'000'000), 1}, {Time(20'000'000), 2}, {Time(30'000'000), std::nullopt}});
    REQUIRE(shallow);
    CHECK(shallow->low == 20);
    CHECK(shallow->high == 30);
}

TEST_CASE("Joining a few points by hyperbolas gives the curve between them") {
    const std::vector<PlotPoint> line =
        joined_by_hyperbolas({{10, longest(10)}, {20, longest(20)}, {37, longest(37)}}, kAsymptote);
    REQUIRE(line.size() > 50);
    double before = 0;
    for (const PlotPoint& point : line) {
        CHECK(point.x > before);
        CHECK(point.x < kAsymptote);
        CHECK(point.y == Approx(longest(point.x)).epsilon(1e-6));
        before = point.x;
    }
    CHECK(line.back().y > 1e4 * longest(37));
}

TEST_CASE("Single events are steps, at the separation where one more is known to fit") {
    const std::vector<PlotPoint> line = joined_by_hyperbolas({{1, 0}, {2, 1}, {3, 1}, {4, 3}}, std::nullopt);
    const double expected[][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {4, 1}, {4, 3}};
    REQUIRE(line.size() == std::size(expected));
    for (std::size_t i = 0; i < line.size(); ++i) {
        CHECK(line[i].x == expected[i][0]);
        CHECK(line[i].y == expected[i][1]);
    }
}

TEST_CASE("Where only one event fits, points are joined by straight lines") {
    CHECK(joined_by_hyperbolas({{1, 1}, {2, 40}}, std::nullopt).size() == 2);
}

namespace {

using Extremes = std::map<std::size_t, std::pair<double, double>>;

/// Lowest and highest value in each column of pixels.
Extremes extremes(const std::vector<PlotPoint>& points, double begin, double end, std::size_t columns) {
    Extremes result;
    for (const PlotPoint& point : points) {
        const auto column =
            end > begin
                ? std::min(static_cast<std::size_t>((point.x - begin) / (end - begin) * static_cast<double>(columns)),
                           columns - 1)
                : 0;
        const auto [entry, is_new] = result.try_emplace(column, point.y, point.y);
        if (!is_new) entry->second = {std::min(entry->second.first, point.y), std::max(entry->second.second, point.y)};
    }
    return result;
}

bool same(const PlotPoint& a, const PlotPoint& b) { return a.x == b.x && a.y == b.y; }

}  // namespace

TEST_CASE("Thinning keeps the lowest and the highest value of every column, the ends, and the order") {
    // For any series: 1. per column min and max are unchanged; 2. the kept points are a subsequence of all; 3. at most
    // 4 per column remain;
    // 4. the first and the last point remain.
    REQUIRE(rc::check([] {
        const auto columns = *rc::gen::inRange<std::size_t>(1, 20);
        const auto size = *rc::gen::inRange<std::size_t>(1, 400);
        auto xs = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(0, 1000));
        const auto ys = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(-50, 50));
        std::sort(xs.begin(), xs.end());
        std::vector<PlotPoint> points;
        for (std::size_t i = 0; i < size; ++i)
            points.push_back({static_cast<double>(xs[i]), static_cast<double>(ys[i])});

        const std::vector<PlotPoint> kept = envelope(points, columns);
        const double begin = points.front().x, end = points.back().x;
        RC_ASSERT(extremes(kept, begin, end, columns) == extremes(points, begin, end, columns));
        RC_ASSERT(kept.size() <= 4 * columns);
        RC_ASSERT(same(kept.front(), points.front()) && same(kept.back(), points.back()));
        auto place = points.begin();
        for (const PlotPoint& point : kept) {
            place = std::find_if(place, points.end(), [&](const PlotPoint& other) { return same(other, point); });
            RC_ASSERT(place != points.end());
            ++place;
        }
    }));
}

TEST_CASE("A series of few points is left alone, and a million points become a few thousand") {
    const std::vector<PlotPoint> few{{0, 1}, {1, 3}, {2, 2}};
    CHECK(envelope(few, 10).size() == 3);
    std::vector<PlotPoint> saw;
    for (int i = 0; i < 1'000'000; ++i) saw.push_back({i * 1e-3, static_cast<double>(i % 44)});
    const auto kept = envelope(saw, 1600);
    CHECK(kept.size() <= 6400);
    CHECK(kept.size() >= 3200);
}
