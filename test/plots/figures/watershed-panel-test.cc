// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/watershed-panel.h"

#include <limits>
#include <utility>

#include "model/base/quantities.h"
#include "test/catch.h"

using namespace watershed;

namespace {

LossBoundary with_asymptote(double low, double high) {
    LossBoundary line;
    line.line = {{1, 10}, {2, 20}};
    line.asymptote = Bounds{low, high};
    return line;
}

std::string asymptotes(const std::vector<LossBoundary>& lines) {
    ChartPanel panel;
    add_asymptotes(panel, lines, {0, 100, 0, 1000}, 9);
    std::string text;
    for (const Label& note : panel.notes) text += note.text + '\n';
    return text;
}

Series series_named(const std::string& name, const std::vector<LossBoundary>& lines) {
    for (const Series& series : series_of({{}, lines}, {0, 100, 1, 1000}))
        if (series.name == name) return series;
    return {};
}

std::string style_of_first_line(const std::vector<LossBoundary>& lines) { return series_named("curve1", lines).look; }

}  // namespace

TEST_CASE("Of two asymptotes side by side one is labelled, of two apart both") {
    // Labels of 3.5 % of the width would lie on each other.
    CHECK_THAT(asymptotes({with_asymptote(40, 40), with_asymptote(43, 43)}), !Contains("asymptote 43"));
    CHECK_THAT(asymptotes({with_asymptote(40, 40), with_asymptote(44, 44)}), Contains("asymptote 44 "));
}

TEST_CASE("An asymptote that is known to a thousandth is one number, else two") {
    CHECK_THAT(asymptotes({with_asymptote(40, 40.01)}), Contains("asymptote 40"));
    CHECK_THAT(asymptotes({with_asymptote(40, 40.1)}), Contains("asymptote 40 to 40.1 µs"));
}

TEST_CASE("A fit is dashed where it covers another line, and solid alone") {
    LossBoundary fit = with_asymptote(40, 40), prediction = fit;
    fit.fitted = true;
    CHECK_THAT(style_of_first_line({fit}), !Contains("dashtype"));
    CHECK_THAT(style_of_first_line({fit, prediction}), Contains("dashtype '-'"));
}

TEST_CASE("A band that nobody would see has no entry in the legend") {
    // Line on a panel from 1 to 1000 events: as thick as four events; on logarithmic axes as a factor of 1.028.
    const auto shown = [](double low, double high, bool log_events) {
        LossBoundary line;
        line.line = {{10, low}, {20, high}};
        line.band = {{10, low, high}, {20, 8'000, 9'000}};  // of which the end is above the panel
        WatershedPanel panel{{}, {line}};
        drop_thin_bands(panel, {0, 100, 1, 1000}, log_events);
        return !panel.lines.front().band.empty();
    };
    CHECK(shown(500, 505, false));
    CHECK_FALSE(shown(500, 503, false));
    CHECK(shown(10, 10.3, true));
    CHECK_FALSE(shown(500, 510, true));
}

TEST_CASE("A line and its band end far above the panel, where an infinite value could not be drawn") {
    // The panel ends at 1000 events: the region's edge follows the line until ten times that, its band a thousand
    // times.
    LossBoundary line;
    line.fitted = true;
    line.line = {{10, 500}, {20, 9'000}, {30, 11'000}, {40, 12'000}};
    line.band = {{10, 400, 600}, {20, 8'000, std::numeric_limits<double>::infinity()}};
    CHECK(series_named("band1", {line}).rows.back() == std::vector<double>{20, 8000, 1000000});
    const Figure::Rows corners{{10, 1}, {10, 500}, {20, 9000}, {30, 10000}};
    Figure::Rows region = corners;
    region.push_back({30, 1});
    CHECK(series_named("lossless", {line}).rows == region);
    // Beyond an asymptote nothing is lost, however long the burst.
    line.asymptote = Bounds{40, 40};
    region = corners;
    region.insert(region.end(), {{100, 10000}, {100, 1}});
    CHECK(series_named("lossless", {line}).rows == region);
}

TEST_CASE("The region without loss holds no burst of which a boundary does not say that it loses none") {
    // Between bursts of 2 and of 80 events a hyperbola through both would promise more than 2.
    const auto region = [](std::vector<BoundaryPoint> points) {
        BoundaryFile boundary;
        boundary.points = std::move(points);
        return series_named("lossless", {dividing_line(boundary)}).rows;
    };
    const auto at = [](double microseconds, std::optional<std::int64_t> events) {
        return BoundaryPoint{time_of_microseconds(microseconds), events};
    };
    const Figure::Rows limited{{10, 1}, {10, 2}, {20, 2}, {20, 80}, {30, 80}};
    Figure::Rows expected = limited;
    expected.push_back({30, 1});
    CHECK(region({at(10, 2), at(20, 80), at(30, 90)}) == expected);
    // From 40 us on there is no limit; the hyperbola would rise before.
    expected = limited;
    expected.insert(expected.end(), {{30, 90}, {40, 90}, {40, 10000}, {100, 10000}, {100, 1}});
    CHECK(region({at(10, 2), at(20, 80), at(30, 90), at(40, {}), at(50, {})}) == expected);
    // Lengths without a limit in between do not open all beyond.
    CHECK(region({at(10, 2), at(15, {}), at(20, 80), at(30, 90), at(40, {})}) == expected);
    // Nor do those that were not tried.
    BoundaryPoint untried = at(50, {});
    untried.tried = 70;
    expected = {{10, 1}, {10, 2}, {20, 2}, {20, 70}, {50, 70}, {50, 1}};
    CHECK(region({at(10, 2), at(20, 80), at(40, {}), untried}) == expected);
    CHECK(region({at(40, {})}) == Figure::Rows{{40, 1}, {40, 10000}, {100, 10000}, {100, 1}});
}
