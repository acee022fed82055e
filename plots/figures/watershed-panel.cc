// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/watershed-panel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "model/base/quantities.h"
#include "plots/figures/hyperbola.h"
#include "plots/style/style.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// With several lines there would be several such regions on top of each other, unless one is named.
bool has_region(const WatershedPanel& panel) {
    return (panel.lines.size() == 1 || (!panel.lines.empty() && !panel.region.empty())) &&
           !panel.lines.back().line.empty();
}

/// What lies below the only line and beyond its asymptote, as a polygon.
Figure::Rows lossless_region(const DividingLine& curve, const Ranges& all) {
    const double ceiling = 10 * all.y_high;
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
bool lies_on(const DividingLine& line, const std::vector<DividingLine>& others) {
    return std::any_of(others.begin(), others.end(), [&](const DividingLine& other) {
        return std::equal(line.known.begin(), line.known.end(), other.known.begin(), other.known.end(),
                          [](const PlotPoint& a, const PlotPoint& b) { return a.x == b.x && a.y == b.y; });
    });
}

}  // namespace

DividingLine dividing_line(const BoundaryFile& boundary) {
    DividingLine curve;
    curve.label = stem_of(boundary.file);
    for (const BoundaryPoint& point : boundary.points)
        if (point.events_lossless)
            curve.known.push_back({in_microseconds(point.separation), static_cast<double>(*point.events_lossless)});
    curve.asymptote = asymptote_of(boundary.points);
    curve.line =
        joined_by_hyperbolas(curve.known, curve.asymptote ? std::optional(curve.asymptote_middle()) : std::nullopt);
    return curve;
}

DividingLine dividing_line(const FitFile& fit, const FitFile::Line& line) {
    DividingLine curve;
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
    for (const DividingLine& curve : panel.lines) {
        if (curve.asymptote) ranges.x_high = std::max(ranges.x_high, 1.08 * curve.asymptote_middle());
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
    ranges.y_high = std::max(1.0, ranges.y_high) * (log_events ? 1.5 : 1.06);
    if (log_events) ranges.y_low = std::max(0.7, 0.7 * shortest);
    if (log_separation) ranges.x_low = 0.9 * std::max(closest, 1e-6);
    return ranges;
}

void write_ranges(std::ostream& out, const Ranges& ranges) {
    out << "set xrange [" << ranges.x_low << ':' << ranges.x_high << "]; set yrange [" << ranges.y_low << ':'
        << ranges.y_high << "]\n";
}

void drop_thin_bands(WatershedPanel& panel, const Ranges& ranges, bool log_events) {
    constexpr double kLine = 0.004;  // of the panel's height
    const auto height = [&](double events) {
        const double from = std::clamp(events, ranges.y_low, ranges.y_high);
        return log_events ? std::log(from / ranges.y_low) / std::log(ranges.y_high / ranges.y_low)
                          : (from - ranges.y_low) / (ranges.y_high - ranges.y_low);
    };
    for (DividingLine& line : panel.lines)
        if (std::all_of(line.band.begin(), line.band.end(),
                        [&](const auto& row) { return height(row[2]) - height(row[1]) < kLine; }))
            line.band.clear();
}

void write_data(Figure& figure, const WatershedPanel& panel, const Ranges& all) {
    const auto write = [&](const char* name, const std::vector<PlotPoint>& points) {
        Figure::Rows rows;
        for (const PlotPoint& point : points) rows.push_back({point.x, point.y});
        if (!rows.empty()) figure.data(name + panel.suffix, rows);
    };
    const Bursts& bursts = panel.bursts;
    figure.script() << gnuplot_comment((panel.suffix.empty() ? "" : bursts.mix + ": ") +
                                       "bursts: separation / us, events");
    write("complete", bursts.complete);
    write("lossy", bursts.lossy);
    write("set_aside", bursts.set_aside);
    write("binding", bursts.binding);
    write("violating", bursts.violating);
    write("advised", bursts.advised);
    write("checks", bursts.checks);
    const double ceiling = 1000 * all.y_high;  // gnuplot clips finite values only
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
        const DividingLine& line = panel.lines[i];
        const std::string number = std::to_string(i + 1);
        figure.script() << gnuplot_comment(line.label +
                                           ": separation / us, longest burst without loss, joined by hyperbolas");
        write(("curve" + number).c_str(), line.line);
        if (line.band.empty()) continue;
        Figure::Rows band = line.band;
        for (auto& row : band)
            for (double& value : row) value = std::min(value, ceiling);
        figure.script() << gnuplot_comment("its 95 % band: separation / us, low, high");
        figure.data("band" + number + panel.suffix, band);
    }
    if (has_region(panel)) {
        figure.script() << gnuplot_comment("the region without loss");
        figure.data("lossless" + panel.suffix, lossless_region(panel.lines.back(), all));
    }
}

std::vector<Layer> layers_of(const WatershedPanel& panel) {
    std::vector<Layer> layers;
    const auto add = [&](bool has_data, const std::string& name, const char* columns, const std::string& style,
                         const std::string& colour, const std::string& title) {
        layers.push_back({title, has_data ? "$" + name + panel.suffix + " using " + columns : "",
                          "with " + style + " linecolor rgb '" + colour + "'"});
    };
    const auto points = [&](const std::vector<PlotPoint>& bursts, const std::string& name, const std::string& style,
                            const char* colour,
                            const char* title) { add(!bursts.empty(), name, "1:2", "points " + style, colour, title); };
    const Bursts& bursts = panel.bursts;
    const std::vector<DividingLine>& lines = panel.lines;
    add(has_region(panel), "lossless", "1:2", "filledcurves closed fillstyle transparent solid 0.13 noborder",
        colour::sky_blue, panel.region.empty() ? "no loss" : panel.region);
    for (std::size_t i = 0; i < lines.size(); ++i)
        add(!lines[i].band.empty(), "band" + std::to_string(i + 1), "1:2:3",
            "filledcurves fillstyle transparent solid 0.22 noborder", lines[i].colour, "95 % band");
    points(bursts.complete, "complete", "pointtype 7 pointsize 0.75 * mark", colour::blue, "complete");
    points(bursts.lossy, "lossy", "pointtype 2 pointsize 1.05 * mark linewidth 1.8", colour::vermilion, "lossy");
    points(bursts.set_aside, "set_aside", "pointtype 6 pointsize 0.95 * mark linewidth 1.8", colour::grey, "set aside");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // A good fit lies on the prediction and would hide it, as one of two equal boundaries would the other.
        const bool covers =
            lines.size() > 1 &&
            (lines[i].fitted || lies_on(lines[i], {lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i)}));
        add(!lines[i].line.empty(), "curve" + std::to_string(i + 1), "1:2",
            line_or_point(lines[i].line.size()) + (covers ? " linewidth 2.2 dashtype '-'" : " linewidth 2.2"),
            lines[i].colour, lines[i].label);
    }
    points(bursts.binding, "binding", "pointtype 6 pointsize 1.5 * mark linewidth 1.5", colour::black,
           "limits the fit");
    constexpr std::size_t kMany = 100;  // whose marks would hide the bursts
    points(bursts.violating, "violating",
           bursts.violating.size() <= kMany ? "pointtype 4 pointsize 1.5 * mark linewidth 1.5"
                                            : "pointtype 4 pointsize 0.4 * mark linewidth 0.7",
           colour::black, "against the fit");
    points(bursts.advised, "advised", "pointtype 9 pointsize 1.7 * mark", colour::orange, "measure next");
    points(bursts.checks, "checks", "pointtype 8 pointsize 1.7 * mark linewidth 1.8", colour::orange, "check");
    return layers;
}

std::string plot_command(const std::vector<Layer>& layers) {
    std::ostringstream out;
    for (const Layer& layer : layers) {
        if (layer.data.empty()) continue;
        out << (out.tellp() == 0 ? "plot " : ", \\\n     ") << layer.data << ' ' << layer.style << " title "
            << legend_text(layer.title);
    }
    out << '\n';
    return out.str();
}

void write_asymptotes(std::ostream& out, const std::vector<DividingLine>& lines, const Ranges& all, int font) {
    std::vector<double> labelled;
    for (const DividingLine& curve : lines) {
        if (!curve.asymptote) continue;
        const double x = curve.asymptote_middle();
        // Two that lie side by side have one label, the first one's.
        if (std::any_of(labelled.begin(), labelled.end(),
                        [&](double other) { return std::abs(other - x) < 0.035 * all.x_high; }))
            continue;
        labelled.push_back(x);
        // Above, behind the line, unless that is where another one rises.
        const double width = all.x_high - all.x_low, from = x + 0.005 * width, to = x + 0.05 * width;
        const bool crossed = std::any_of(lines.begin(), lines.end(), [&](const DividingLine& other) {
            return std::any_of(other.line.begin(), other.line.end(), [&](const PlotPoint& point) {
                return point.x > from && point.x < to && point.y < all.y_high;
            });
        });
        const bool sharp = curve.asymptote->high - curve.asymptote->low < 1e-3 * x;
        const std::string value =
            sharp ? plain_number(x, 4)
                  : plain_number(curve.asymptote->low, 3) + " to " + plain_number(curve.asymptote->high, 3);
        out << "set arrow from " << x << ", graph 0 to " << x
            << ", graph 1 nohead dashtype 2 linewidth 1.4 linecolor rgb '" << curve.colour << "'\n"
            << "set label 'asymptote " << value << " µs' at " << x
            << (crossed ? ", graph 0.02 offset character 0.9, 0 left" : ", graph 0.98 offset character 0.9, 0 right")
            << " rotate by 90 font '," << font << "' textcolor rgb '" << curve.colour << "'\n";
    }
}

}  // namespace watershed
