// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "plots/figures.h"
#include "plots/gnuplot.h"
#include "plots/hyperbola.h"
#include "plots/inputs.h"
#include "plots/style.h"
#include "scenarios/input-error.h"

namespace watershed {
namespace {

/// How a quantity is drawn: itself, or where all of it lies close together its deviation from a reference.
struct Axis {
    std::string label;
    double reference = 0, scale = 1;

    double operator()(double value) const { return (value - reference) * scale; }
};

Axis axis_for(const std::string& quantity, const std::string& unit, double reference, double low, double high) {
    const double spread = (high - low) / reference;
    if (spread > 0.1) return {quantity + " / " + unit, 0, 1};
    // Enough digits to tell the reference from the ends of the axis.
    const int digits = std::max(4, 2 + static_cast<int>(std::ceil(-std::log10(std::max(spread, 1e-12)))));
    const bool percent = spread > 1e-4;
    return {quantity + ", deviation from " + plain_number(reference, digits) + ' ' + unit + (percent ? " / %" : " / ppm"), reference,
            (percent ? 1e2 : 1e6) / reference};
}

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
    const auto [left, right] = std::minmax_element(corners.begin(), corners.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    return right->x > left->x ? (right->y - left->y) / (right->x - left->x) : 0;
}

}  // namespace

void draw_polygon(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Fit});
    if (inputs.fits.size() != 1) throw InputError("polygon: found " + std::to_string(inputs.fits.size()) + " fits, expected one");
    const FitFile& fit = inputs.fits.front();
    if (fit.polygon.size() < 3) throw InputError(fit.file + ": polygon: found no feasible region (status " + fit.status + "), expected one to draw");

    std::vector<PlotPoint> corners;
    Span depth, rate;
    for (const auto& [d, r] : fit.polygon) {
        corners.push_back({d, r});
        depth.include(d), rate.include(r);
    }
    const double depth_reference = fit.depth.value_or((depth.low + depth.high) / 2), rate_reference = fit.frames_per_s.value_or((rate.low + rate.high) / 2);

    // Depth and rate compensate each other, and where they do so almost exactly the region is a diagonal line.
    // It opens when the rate is counted from that diagonal.
    const bool sliver = depth.width() > 0 && rate.width() > 0 && area(corners) < 0.04 * depth.width() * rate.width();
    const double slope = sliver ? long_axis_slope(corners) : 0;
    const auto from_diagonal = [&](double d, double r) { return r - slope * (d - depth_reference); };
    for (PlotPoint& corner : corners) corner.y = from_diagonal(corner.x, corner.y);
    const bool has_estimate = fit.depth && fit.frames_per_s;
    if (has_estimate) depth.include(*fit.depth);
    if (fit.depth95) depth.include(fit.depth95->low), depth.include(fit.depth95->high);
    rate = {};
    for (const PlotPoint& corner : corners) rate.include(corner.y);
    if (has_estimate) rate.include(*fit.frames_per_s);
    if (fit.frames_per_s95 && !sliver) rate.include(fit.frames_per_s95->low), rate.include(fit.frames_per_s95->high);

    const Axis x = axis_for("depth", fit.depth_unit, depth_reference, depth.low, depth.high);
    Axis y = axis_for("service rate", "frames/s", rate_reference, rate.low, rate.high);
    if (sliver)
        y.label = "service rate − " + plain_number(slope, 3) + " (depth − " + plain_number(depth_reference, 6) + ")\n" + y.label.substr(y.label.find("deviation"));

    const std::string aside = fit.rows_set_aside.empty() ? "" : ", " + std::to_string(fit.rows_set_aside.size()) + " bursts set aside";
    Figure figure(request.output, inputs.source() + " (" + fit.model + ", " + fit.status + aside + ")");
    std::ostream& out = figure.script();
    Figure::Rows region;
    for (const PlotPoint& corner : corners) region.push_back({x(corner.x), y(corner.y)});
    region.push_back(region.front());
    out << "\n# corners of the feasible region\n";
    figure.data("region", region);

    Span horizontal{x(depth.low), x(depth.high)}, vertical{y(rate.low), y(rate.high)};
    horizontal.widen(0.15), vertical.widen(0.15);
    const std::string limit = "limit of one burst", feasible = "feasible";
    Panel panel = panel_below(request.title);
    panel.left = 0.15;
    write_panel(out, panel);
    write_legend(out, panel, {limit, feasible});
    write_title(out, request.title);
    write_x_label(out, x.label, panel);
    write_y_label(out, y.label, panel);
    out << "set xrange [" << horizontal.low << ':' << horizontal.high << "]; set yrange [" << vertical.low << ':' << vertical.high << "]\n";
    // Each edge lies on the line of a burst; drawn through, it shows what that burst excludes.
    Figure::Rows edges;
    for (std::size_t i = 0; i + 1 < region.size(); ++i) {
        const double x0 = region[i][0], y0 = region[i][1], dx = region[i + 1][0] - x0, dy = region[i + 1][1] - y0;
        const double length = std::max(std::abs(dx) / horizontal.width(), std::abs(dy) / vertical.width());
        if (length < 1e-9) continue;
        const double reach = 2 / length;
        edges.push_back({x0 - reach * dx, y0 - reach * dy, (2 * reach + 1) * dx, (2 * reach + 1) * dy});
    }
    out << "# the lines through its edges: a point, and the step to another\n";
    figure.data("edges", edges);
    if (has_estimate) {
        const double at_x = x(*fit.depth), at_y = y(*fit.frames_per_s);
        out << "# depth low and high at the estimated rate, 95 % then 68 %; rate low and high at the estimated depth\n";
        if (fit.depth95) figure.data("depth95", {{at_x, at_y, x(fit.depth95->low), x(fit.depth95->high)}});
        if (fit.depth68) figure.data("depth68", {{at_x, at_y, x(fit.depth68->low), x(fit.depth68->high)}});
        if (fit.frames_per_s95 && !sliver) figure.data("rate95", {{at_x, at_y, y(fit.frames_per_s95->low), y(fit.frames_per_s95->high)}});
        figure.data("estimate", {{at_x, at_y}});
    }
    out << "plot $edges using 1:2:3:4 with vectors nohead linewidth 1 dashtype 2 linecolor rgb '" << colour::grey
        << "' title '" << limit << "', \\\n     $region using 1:2 with filledcurves closed fillstyle transparent solid 0.25 noborder linecolor rgb '" << colour::green << "' title "
        << gnuplot_text(feasible) << ", \\\n     $region using 1:2 with lines linewidth 2 linecolor rgb '" << colour::green << "' notitle";
    if (has_estimate) {
        if (fit.depth95) out << ", \\\n     $depth95 using 1:2:3:4 with xerrorbars pointtype 0 linewidth 1.4 linecolor rgb '" << colour::blue << "' title '95 %'";
        if (fit.frames_per_s95 && !sliver) out << ", \\\n     $rate95 using 1:2:3:4 with yerrorbars pointtype 0 linewidth 1.4 linecolor rgb '" << colour::blue << "' notitle";
        if (fit.depth68) out << ", \\\n     $depth68 using 1:2:3:4 with xerrorbars pointtype 0 linewidth 3.5 linecolor rgb '" << colour::blue << "' title '68 %'";
        out << ", \\\n     $estimate using 1:2 with points pointtype 7 pointsize 1.1 * mark linecolor rgb '" << colour::blue << "' title 'estimate'";
    }
    out << '\n';
    figure.finish();
}

}  // namespace watershed
