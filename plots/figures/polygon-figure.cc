// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <sstream>

#include "plots/figures/figures.h"
#include "plots/figures/hyperbola.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

double area(const std::vector<PlotPoint>& corners) {
    double twice = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const PlotPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
        twice += a.x * b.y - b.x * a.y;
    }
    return std::abs(twice) / 2;
}

struct Span {
    double low = INFINITY, high = -INFINITY;
    void include(double value) { low = std::min(low, value), high = std::max(high, value); }
    double width() const { return high - low; }
    void widen(double part) {
        const double margin = width() > 0 ? part * width() : std::max(1e-3, 1e-3 * std::abs(high));
        low -= margin, high += margin;
    }
};

/// The slope of the line between the two corners that are farthest apart in depth.
double long_axis_slope(const std::vector<PlotPoint>& corners) {
    const auto [left, right] = std::minmax_element(corners.begin(), corners.end(),
                                                   [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    return right->x > left->x ? (right->y - left->y) / (right->x - left->x) : 0;
}

std::string with_interval(const Axis& axis, double value, const std::optional<Bounds>& interval95) {
    const int digits = digits_for(interval95 ? (interval95->high - interval95->low) / value : 1);
    const auto text = [&](double number) { return plain_number(number / axis.unit_size, digits); };
    return text(value) + ' ' + axis.unit +
           (interval95 ? " (95 %: " + text(interval95->low) + " to " + text(interval95->high) + ')' : "");
}

/// The words of a text in lines of 90 letters at most.
std::string in_lines(const std::string& text) {
    constexpr std::size_t kLongest = 90;
    std::istringstream words(text);
    std::string lines;
    std::size_t length = 0;
    for (std::string word; words >> word; length += word.size() + 1) {
        if (length > 0 && length + word.size() > kLongest) lines += '\n', length = 0;
        lines += (length > 0 ? " " : "") + word;
    }
    return lines;
}

/// The content of the figure, in the numbers of the axes.
struct View {
    Axis x, y;
    bool sliver = false;  ///< y counts from the long axis of the region, which goes through the depth of reference
    double slope = 0, depth_reference = 0;
    Figure::Rows region;  ///< closed
    Span horizontal, vertical;

    PlotPoint at(const std::pair<double, double>& place) const {
        return {x(place.first), y(place.second - slope * (place.first - depth_reference))};
    }
};

View view_of(const FitFile& fit) {
    std::vector<PlotPoint> corners;
    Span depth, rate;
    for (const auto& [d, r] : fit.polygon) {
        corners.push_back({d, r});
        depth.include(d), rate.include(r);
    }
    const double depth_reference = fit.depth.value_or((depth.low + depth.high) / 2),
                 rate_reference = fit.frames_per_s.value_or((rate.low + rate.high) / 2);

    // Depth and rate compensate each other, and where they do so almost exactly the region is a diagonal line.
    // It opens when the rate is counted from that diagonal.
    View view;
    view.sliver = depth.width() > 0 && rate.width() > 0 && area(corners) < 0.04 * depth.width() * rate.width();
    const double slope = view.slope = view.sliver ? long_axis_slope(corners) : 0;
    view.depth_reference = depth_reference;
    rate = {};
    for (PlotPoint& corner : corners) {
        corner.y -= slope * (corner.x - depth_reference);
        rate.include(corner.y);
    }
    if (fit.depth) depth.include(*fit.depth);
    if (fit.depth95) depth.include(fit.depth95->low), depth.include(fit.depth95->high);
    if (fit.frames_per_s) rate.include(*fit.frames_per_s);
    if (fit.frames_per_s95 && !view.sliver)
        rate.include(fit.frames_per_s95->low), rate.include(fit.frames_per_s95->high);

    view.x = axis_for("depth", fit.depth_unit, depth_reference, depth.low, depth.high);
    view.y = axis_for("service rate", "frames/s", rate_reference, rate.low, rate.high);
    if (view.sliver)
        view.y.label = "service rate − " + plain_number(slope, 3) + " (depth − " + plain_number(depth_reference, 6) +
                       ")\n" + view.y.label.substr(view.y.label.find(view.y.reference > 0 ? "deviation" : "/ "));
    for (const PlotPoint& corner : corners) view.region.push_back({view.x(corner.x), view.y(corner.y)});
    view.region.push_back(view.region.front());
    view.horizontal = {view.x(depth.low), view.x(depth.high)}, view.vertical = {view.y(rate.low), view.y(rate.high)};
    view.horizontal.widen(0.15), view.vertical.widen(0.15);
    if (view.x.reference == 0) view.horizontal.low = std::max(view.horizontal.low, 0.0);
    if (view.y.reference == 0 && !view.sliver) view.vertical.low = std::max(view.vertical.low, 0.0);
    view.vertical.high += 0.15 * view.vertical.width();  // room for the numbers
    return view;
}

/// How far a point is from the outline of the region, in parts of the panel.
double from_outline(const View& view, const PlotPoint& point) {
    const auto across = [&](double x) { return (x - point.x) / view.horizontal.width(); };
    const auto up = [&](double y) { return (y - point.y) / view.vertical.width(); };
    double least = INFINITY;
    for (std::size_t i = 0; i + 1 < view.region.size(); ++i) {
        const double ax = across(view.region[i][0]), ay = up(view.region[i][1]),
                     dx = across(view.region[i + 1][0]) - ax, dy = up(view.region[i + 1][1]) - ay;
        const double length = dx * dx + dy * dy,
                     along = length > 0 ? std::clamp(-(ax * dx + ay * dy) / length, 0.0, 1.0) : 0;
        least = std::min(least, std::hypot(ax + along * dx, ay + along * dy));
    }
    return least;
}

struct LimitLines {
    Figure::Rows lines;                                    ///< a point, and the step to another
    std::vector<std::pair<PlotPoint, std::int64_t>> rows;  ///< place at which a burst limits the region, and its row
};

/// The limits of the bursts that make up the outline, drawn through: each shows what its burst excludes.
LimitLines limit_lines(const FitFile& fit, const View& view) {
    LimitLines all;
    constexpr int kSteps = 200;
    constexpr double kOnOutline = 0.012;
    for (const FitFile::Limit& limit : fit.limits) {
        const PlotPoint a = view.at(limit.from), b = view.at(limit.to);
        const double length =
            std::max(std::abs(b.x - a.x) / view.horizontal.width(), std::abs(b.y - a.y) / view.vertical.width());
        if (length < 1e-9) continue;
        std::vector<PlotPoint> touching;
        for (int i = 0; i <= kSteps; ++i) {
            const PlotPoint point{a.x + (b.x - a.x) * i / kSteps, a.y + (b.y - a.y) * i / kSteps};
            if (from_outline(view, point) < kOnOutline) touching.push_back(point);
        }
        if (touching.empty()) continue;
        const double reach = 2 / length, dx = b.x - a.x, dy = b.y - a.y;
        all.lines.push_back({a.x - reach * dx, a.y - reach * dy, (2 * reach + 1) * dx, (2 * reach + 1) * dy});
        all.rows.emplace_back(touching[touching.size() / 2], limit.row);
    }
    return all;
}

/// Adds the estimate, its intervals as bars and, as they may be too short to be seen, as numbers.
void add_estimate(ChartPanel& panel, const FitFile& fit, const View& view) {
    if (!fit.depth || !fit.frames_per_s) return;
    const double x = view.x(*fit.depth), y = view.y(*fit.frames_per_s);
    const auto bar = [&](const std::string& name, const std::optional<Bounds>& interval, const Axis& axis,
                         const std::string& style, double width, const char* title) {
        if (interval)
            panel.series.push_back({title,
                                    {{x, y, axis(interval->low), axis(interval->high)}},
                                    "using 1:2:3:4 with " + style + " pointtype 0 " + stroke(colour::blue, width),
                                    {},
                                    name,
                                    name + ": depth, rate, and the ends of the interval of one of them"});
    };
    bar("depth95", fit.depth95, view.x, "xerrorbars", 1.4, "95 %");
    if (!view.sliver) bar("rate95", fit.frames_per_s95, view.y, "yerrorbars", 1.4, "");
    bar("depth68", fit.depth68, view.x, "xerrorbars", 3.5, "68 %");
    panel.series.push_back({"estimate", {{x, y}}, points(colour::blue, 7, 1.1), {}, "estimate"});
    panel.notes.push_back({"depth " + with_interval(view.x, *fit.depth, fit.depth95) + "\nrate " +
                               with_interval(view.y, *fit.frames_per_s, fit.frames_per_s95),
                           "graph 0.02, graph 0.955 front font ',15'"});
}

}  // namespace

void draw_polygon(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Fit});
    if (inputs.fits.size() != 1)
        throw InputError("polygon: found " + std::to_string(inputs.fits.size()) + " fits, expected one");
    const FitFile& fit = inputs.fits.front();
    constexpr double kKnown = 1e-9;  // relative: a rate that is given is no wider
    Span rates;
    for (const auto& [depth, rate] : fit.polygon) rates.include(rate);
    if (fit.polygon.size() < 3 || rates.width() <= kKnown * rates.high)
        throw InputError(fit.file + ": polygon: found no region with an area (status " + fit.status +
                         "), expected one to draw; a depth or a service rate that is known exactly has none");

    const View view = view_of(fit);
    const auto [limits, rows] = limit_lines(fit, view);
    const std::string aside =
        fit.rows_set_aside.empty() ? "" : ", " + std::to_string(fit.rows_set_aside.size()) + " bursts set aside";
    Chart chart(request.output, request.title, inputs.source() + " (" + fit.model + ", " + fit.status + aside + ")");
    chart.settings = {"style textbox opaque noborder margins 0.3, 0.3"};
    ChartPanel& panel = chart.panel();
    panel.place.left = 0.15;
    panel.x = {view.x.label, view.horizontal.low, view.horizontal.high};
    panel.y = {view.y.label, view.vertical.low, view.vertical.high};
    if (!limits.empty())
        panel.series.push_back({"limit of one burst",
                                limits,
                                "using 1:2:3:4 with vectors nohead " + stroke(colour::grey, 1, 2),
                                {},
                                "edges",
                                "the limits of bursts: a point, and the step to another"});
    panel.series.push_back({"feasible",
                            view.region,
                            filled(colour::green, 0.25, "closed"),
                            {},
                            "region",
                            "corners of the feasible region"});
    panel.series.push_back({"", view.region, lines(colour::green, 2), {}, "region"});
    add_estimate(panel, fit, view);
    if (fit.status == "unbounded")
        panel.notes.push_back({"the measurements leave it open: it ends where the search ended",
                               "graph 0.02, graph 0.955 front font ',15'"});
    if (!fit.polygon_note.empty())
        panel.notes.push_back({in_lines(fit.polygon_note), "graph 0.02, graph 0.04 front font ',13' boxed"});
    const auto hides = [&](std::size_t i) {  // a label of the same place that came before
        return std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& other) {
            return std::abs(other.first.x - rows[i].first.x) < 0.1 * view.horizontal.width() &&
                   std::abs(other.first.y - rows[i].first.y) < 0.05 * view.vertical.width();
        });
    };
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const auto& [at, row] = rows[i]; !hides(i))
            panel.notes.push_back(
                {"row " + std::to_string(row), num(at.x) + ", " + num(at.y) + " center front font ',13' boxed"});
    draw_chart(std::move(chart));
}

}  // namespace watershed
