// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/watershed-panel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/quantities.h"
#include "plots/figures/hyperbola.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// With several lines there would be several such regions on top of each other, unless one is named.
bool has_region(const WatershedPanel& panel) {
    return (panel.lines.size() == 1 || (!panel.lines.empty() && !panel.region.empty())) &&
           (!panel.lines.back().line.empty() || !panel.lines.back().lossless.empty() || panel.lines.back().open_from);
}

/// Returns the region that a boundary says loses nothing, as a polygon: between two of its separations up to the lower
/// of their bursts, and of any length from the first on after which no length of any loses.
Figure::Rows region_below(const LossBoundary& boundary, double floor, double ceiling, double right) {
    const std::vector<PlotPoint>& known = boundary.lossless;
    if (known.empty())
        return {{*boundary.open_from, floor}, {*boundary.open_from, ceiling}, {right, ceiling}, {right, floor}};
    Figure::Rows corners{{known.front().x, floor}};
    for (std::size_t i = 1; i < known.size(); ++i)
        for (const std::size_t end : {i - 1, i})
            corners.push_back({known[end].x, std::min({known[i - 1].y, known[i].y, ceiling})});
    if (boundary.open_from) {
        for (const double x : {known.back().x, *boundary.open_from})
            corners.push_back({x, std::min(known.back().y, ceiling)});
        for (const double x : {*boundary.open_from, std::max(right, *boundary.open_from)})
            corners.push_back({x, ceiling});
    }
    corners.push_back({corners.back()[0], floor});
    return corners;
}

/// Returns the region below the only line, for a fit also that beyond its asymptote, as a polygon.
Figure::Rows lossless_region(const LossBoundary& curve, const Ranges& all) {
    const double ceiling = 10 * all.y_high;
    if (!curve.fitted) return region_below(curve, all.y_low, ceiling, all.x_high);
    Figure::Rows corners{{curve.line.front().x, all.y_low}};
    for (const PlotPoint& point : curve.line) {
        corners.push_back({point.x, std::min(point.y, ceiling)});
        if (point.y >= ceiling) break;
    }
    if (curve.asymptote)
        corners.push_back({all.x_high, ceiling}), corners.push_back({all.x_high, all.y_low});
    else
        corners.push_back({corners.back()[0], all.y_low});
    return corners;
}

/// Whether it has the same points as one of the others.
bool lies_on(const LossBoundary& line, const std::vector<LossBoundary>& others) {
    return std::any_of(others.begin(), others.end(), [&](const LossBoundary& other) {
        return std::equal(line.known.begin(), line.known.end(), other.known.begin(), other.known.end(),
                          [](const PlotPoint& a, const PlotPoint& b) { return a.x == b.x && a.y == b.y; });
    });
}

}  // namespace

LossBoundary dividing_line(const BoundaryFile& boundary) {
    LossBoundary curve;
    curve.label = stem_of(boundary.file);
    std::vector<BoundaryPoint> points;  // of a line that is known: a longer burst was tried
    for (const BoundaryPoint& point : boundary.points) {
        const double x = curve.last = in_microseconds(point.separation);
        if (point.tried == 0) points.push_back(point);
        if (point.events_lossless) curve.known.push_back({x, static_cast<double>(*point.events_lossless)});
        if (point.events_lossless || point.tried > 0)
            curve.lossless.push_back({x, static_cast<double>(point.events_lossless.value_or(point.tried))}),
                curve.open_from.reset();
        else if (!curve.open_from)
            curve.open_from = x;
    }
    if (curve.known.empty())
        curve.why_none = curve.lossless.empty() ? "no burst of any length loses" : "no burst that was tried loses";
    curve.asymptote = asymptote_of(points);
    curve.line =
        joined_by_hyperbolas(curve.known, curve.asymptote ? std::optional(curve.asymptote_middle()) : std::nullopt);
    return curve;
}

LossBoundary dividing_line(const FitFile& fit, const FitFile::Line& line) {
    LossBoundary curve;
    curve.label = fit.model.empty() ? "fit" : "fit: " + fit.model;
    curve.fitted = true;
    for (const FitFile::CurvePoint& point : line.curve) {
        if (std::isfinite(point.events)) curve.known.push_back({point.separation_us, point.events});
        // As the line: single events are steps.
        if (!curve.band.empty() && point.band.high - curve.band.back()[2] <= 2)
            curve.band.push_back({point.separation_us, curve.band.back()[1], curve.band.back()[2]});
        curve.band.push_back({point.separation_us, point.band.low, point.band.high});
    }
    if (line.asymptote_us) curve.asymptote = Bounds{*line.asymptote_us, *line.asymptote_us};
    curve.line = joined_by_hyperbolas(curve.known, line.asymptote_us);
    return curve;
}

Ranges ranges_of(const WatershedPanel& panel, bool log_events, bool log_separation) {
    const Bursts& bursts = panel.bursts;
    Ranges ranges;
    double shortest = kInfinity, closest = kInfinity;
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside, &bursts.advised, &bursts.checks})
        for (const PlotPoint& burst : *group) {
            ranges.x_high = std::max(ranges.x_high, 1.04 * burst.x);
            ranges.y_high = std::max(ranges.y_high, burst.y);
            shortest = std::min(shortest, burst.y), closest = std::min(closest, burst.x);
        }
    const bool only_curves = ranges.y_high == 0;
    for (const LossBoundary& curve : panel.lines) {
        if (curve.asymptote) ranges.x_high = std::max(ranges.x_high, 1.08 * curve.asymptote_middle());
        if (curve.known.empty()) ranges.x_high = std::max({ranges.x_high, 1.02 * curve.last, 1e-6});
        if (curve.known.empty() && curve.open_from) closest = std::min(closest, *curve.open_from);
        if (curve.known.empty()) continue;
        ranges.x_high = std::max({ranges.x_high, 1.02 * curve.known.back().x, 1e-6});
        const double lowest = curve.known.front().y, highest = curve.known.back().y;
        // A curve without measurements is shown up to several times its lowest point, a larger part of it says little
        // more.
        ranges.y_high = std::max(ranges.y_high, only_curves && !log_events ? std::min(highest, 6 * lowest)
                                                : only_curves              ? highest
                                                                           : 1.2 * lowest);
        shortest = std::min(shortest, lowest), closest = std::min(closest, curve.known.front().x);
    }
    constexpr double kNothing = 10;  // events and us, where no burst is there to set the range
    if (std::isinf(shortest)) ranges.y_high = kNothing;
    if (ranges.x_high <= 1e-6) ranges.x_high = kNothing;
    ranges.y_high = std::max(1.0, ranges.y_high) * (log_events ? 1.5 : 1.06);
    if (log_events) ranges.y_low = std::isinf(shortest) ? 0.7 : std::max(0.7, 0.7 * shortest);
    if (log_separation) ranges.x_low = 0.9 * (std::isinf(closest) ? 0.1 * ranges.x_high : std::max(closest, 1e-6));
    return ranges;
}

void drop_thin_bands(WatershedPanel& panel, const Ranges& ranges, bool log_events) {
    constexpr double kLine = 0.004;  // fraction of the panel's height
    const auto height = [&](double events) {
        const double from = std::clamp(events, ranges.y_low, ranges.y_high);
        return log_events ? std::log(from / ranges.y_low) / std::log(ranges.y_high / ranges.y_low)
                          : (from - ranges.y_low) / (ranges.y_high - ranges.y_low);
    };
    for (LossBoundary& line : panel.lines)
        if (std::all_of(line.band.begin(), line.band.end(),
                        [&](const auto& row) { return height(row[2]) - height(row[1]) < kLine; }))
            line.band.clear();
}

std::vector<Series> series_of(const WatershedPanel& panel, const Ranges& all) {
    std::vector<Series> series;
    const auto add = [&](const std::string& title, const Figure::Rows& rows, const std::string& look,
                         const std::string& name, const std::string& comment = "") {
        series.push_back({title, rows, look, {}, name + panel.suffix, comment});
    };
    const auto rows_of = [](const std::vector<PlotPoint>& points) {
        Figure::Rows rows;
        for (const PlotPoint& point : points) rows.push_back({point.x, point.y});
        return rows;
    };
    const Bursts& bursts = panel.bursts;
    const auto marks = [&](const std::vector<PlotPoint>& of, const char* name, const char* title, const char* colour,
                           int type, double size, double width = 1) {
        add(title, rows_of(of), points(colour, type, size, width), name,
            (panel.suffix.empty() ? "" : bursts.mix + ": ") + "bursts: separation / us, events");
    };
    const std::vector<LossBoundary>& lines = panel.lines;
    add(panel.region.empty() ? "no loss" : panel.region,
        has_region(panel) ? lossless_region(lines.back(), all) : Figure::Rows(),
        filled(colour::sky_blue, 0.13, "closed"), "lossless", "the region without loss");
    const double ceiling = 1000 * all.y_high;  // gnuplot clips finite values only
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Figure::Rows band = lines[i].band;
        for (auto& row : band)
            for (double& value : row) value = std::min(value, ceiling);
        add("95 % band", band, "using 1:2:3 " + filled(lines[i].colour, 0.22), "band" + std::to_string(i + 1),
            "its 95 % band: separation / us, low, high");
    }
    marks(bursts.complete, "complete", "complete", colour::blue, 7, 0.75);
    marks(bursts.lossy, "lossy", "lossy", colour::vermilion, 2, 1.05, 1.8);
    marks(bursts.set_aside, "set_aside", "set aside", colour::grey, 6, 0.95, 1.8);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // A good fit lies on the prediction and would hide it, as one of two equal boundaries would the other.
        const bool covers =
            lines.size() > 1 &&
            (lines[i].fitted || lies_on(lines[i], {lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i)}));
        add(lines[i].label, rows_of(lines[i].line),
            std::string("with lines linewidth 2.2") + (covers ? " dashtype '-'" : "") + " linecolor rgb '" +
                lines[i].colour + "'",
            "curve" + std::to_string(i + 1),
            lines[i].label + ": separation / us, longest burst without loss, joined by hyperbolas");
    }
    marks(bursts.binding, "binding", "limits the fit", colour::black, 6, 1.5, 1.5);
    const bool many = bursts.violating.size() > 100;  // their marks would hide the bursts
    marks(bursts.violating, "violating", "against the fit", colour::black, 4, many ? 0.4 : 1.5, many ? 0.7 : 1.5);
    marks(bursts.advised, "advised", "measure next", colour::orange, 9, 1.7);
    marks(bursts.checks, "checks", "check", colour::orange, 8, 1.7, 1.8);
    return series;
}

void add_asymptotes(ChartPanel& panel, const std::vector<LossBoundary>& lines, const Ranges& all, int font) {
    std::vector<double> labelled;
    for (const LossBoundary& curve : lines) {
        if (!curve.asymptote) continue;
        const double x = curve.asymptote_middle();
        // Two that lie side by side have one label, the first one's.
        if (std::any_of(labelled.begin(), labelled.end(),
                        [&](double other) { return std::abs(other - x) < 0.035 * all.x_high; }))
            continue;
        labelled.push_back(x);
        // Above, behind the line, unless that is where another one rises.
        const double width = all.x_high - all.x_low, from = x + 0.005 * width, to = x + 0.05 * width;
        const bool crossed = std::any_of(lines.begin(), lines.end(), [&](const LossBoundary& other) {
            return std::any_of(other.line.begin(), other.line.end(), [&](const PlotPoint& point) {
                return point.x > from && point.x < to && point.y < all.y_high;
            });
        });
        const bool sharp = curve.asymptote->high - curve.asymptote->low < 1e-3 * x;
        const std::string value =
            sharp ? plain_number(x, 4)
                  : plain_number(curve.asymptote->low, 3) + " to " + plain_number(curve.asymptote->high, 3);
        panel.shapes.push_back(upright(x, stroke(curve.colour, 1.4, 2)));
        panel.notes.push_back(
            {"asymptote " + value + " µs", num(x) +
                                               (crossed ? ", graph 0.02 offset character 0.9, 0 left"
                                                        : ", graph 0.98 offset character 0.9, 0 right") +
                                               " rotate by 90 font '," + std::to_string(font) + "' textcolor rgb '" +
                                               curve.colour + "'"});
    }
}

}  // namespace watershed
