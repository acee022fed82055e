// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/envelope.h"

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <utility>

#include "test/catch.h"

using namespace watershed;

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
