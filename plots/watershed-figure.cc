// SPDX-License-Identifier: GPL-2.0-only
// Figure 4 of Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM ..." (ICRC 2015).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>

#include "plots/bursts.h"
#include "plots/figures.h"
#include "plots/free-space.h"
#include "plots/gnuplot.h"
#include "plots/hyperbola.h"
#include "plots/inputs.h"
#include "plots/style.h"
#include "scenarios/input-error.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double in_microseconds(Time time) { return std::chrono::duration<double, std::micro>(time).count(); }

/// A line between loss and no loss, predicted or fitted.
struct Curve {
    std::string label;
    std::string colour;
    bool fitted = false;
    std::vector<PlotPoint> known;   ///< ascending in x, finite
    std::vector<PlotPoint> line;
    Figure::Rows band;              ///< x, low, high
    std::optional<Bounds> asymptote;

    double asymptote_middle() const { return (asymptote->low + asymptote->high) / 2; }
};

Curve curve_from(const BoundaryFile& boundary) {
    Curve curve;
    curve.label = stem_of(boundary.file);
    for (const BoundaryPoint& point : boundary.points)
        if (point.events_lossless) curve.known.push_back({in_microseconds(point.separation), static_cast<double>(*point.events_lossless)});
    curve.asymptote = asymptote_of(boundary.points);
    curve.line = joined_by_hyperbolas(curve.known, curve.asymptote ? std::optional(curve.asymptote_middle()) : std::nullopt);
    return curve;
}

Curve curve_from(const FitFile& fit) {
    Curve curve;
    curve.label = fit.model.empty() ? "fit" : "fit: " + fit.model;
    curve.fitted = true;
    for (const FitFile::CurvePoint& point : fit.curve) {
        if (std::isfinite(point.events)) curve.known.push_back({point.separation_us, point.events});
        // As the line: single events are steps.
        if (!curve.band.empty() && point.band.high - curve.band.back()[2] <= 2) curve.band.push_back({point.separation_us, curve.band.back()[1], curve.band.back()[2]});
        curve.band.push_back({point.separation_us, point.band.low, point.band.high});
    }
    if (fit.asymptote_us) curve.asymptote = Bounds{*fit.asymptote_us, *fit.asymptote_us};
    curve.line = joined_by_hyperbolas(curve.known, fit.asymptote_us);
    return curve;
}

struct Ranges {
    double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
};

Ranges ranges_of(const Bursts& bursts, const std::vector<Curve>& curves, const WatershedLook& look) {
    Ranges ranges;
    double shortest = kInfinity, closest = kInfinity;
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside, &bursts.advised, &bursts.checks})
        for (const PlotPoint& burst : *group) {
            ranges.x_high = std::max(ranges.x_high, 1.04 * burst.x);
            ranges.y_high = std::max(ranges.y_high, burst.y);
            shortest = std::min(shortest, burst.y), closest = std::min(closest, burst.x);
        }
    const bool only_curves = ranges.y_high == 0;
    for (const Curve& curve : curves) {
        if (curve.asymptote) ranges.x_high = std::max(ranges.x_high, 1.08 * curve.asymptote_middle());
        if (curve.known.empty()) continue;
        ranges.x_high = std::max({ranges.x_high, 1.02 * curve.known.back().x, 1e-6});
        const double lowest = curve.known.front().y, highest = curve.known.back().y;
        // A curve without measurements is shown up to several times its lowest point, a larger part of it says little more.
        ranges.y_high = std::max(ranges.y_high, only_curves && !look.log_events ? std::min(highest, 6 * lowest) : only_curves ? highest : 1.2 * lowest);
        shortest = std::min(shortest, lowest), closest = std::min(closest, curve.known.front().x);
    }
    ranges.y_high = std::max(1.0, ranges.y_high) * (look.log_events ? 1.5 : 1.06);
    if (look.log_events) ranges.y_low = std::max(0.7, 0.7 * shortest);
    if (look.log_separation) ranges.x_low = 0.9 * std::max(closest, 1e-6);
    return ranges;
}

/// The middle between the two values next to an edge, so that a frame there cuts no mark in two; the edge itself outside of them.
double between(const std::set<double>& values, double edge) {
    const auto above = values.upper_bound(edge);
    return above == values.begin() || above == values.end() ? edge : (*std::prev(above) + *above) / 2;
}

/// The small-gap region that is worth a magnifying glass, where the line is low compared to the whole figure.
std::optional<Ranges> zoomed_region(const Bursts& bursts, const std::vector<PlotPoint>& line, const Ranges& all) {
    if (bursts.complete.empty() || line.empty()) return std::nullopt;
    const double lowest = line.front().y;
    constexpr double kWorthResolving = 5;   // events
    if (lowest < kWorthResolving) return std::nullopt;
    Ranges zoom{0.8 * line.front().x, 0, 0.6 * lowest, 1.8 * lowest};
    for (const PlotPoint& point : line)
        if (point.y <= 1.6 * lowest) zoom.x_high = point.x;
    std::set<double> separations, lengths;
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside})
        for (const PlotPoint& burst : *group) separations.insert(burst.x);
    zoom.x_high = between(separations, zoom.x_high);
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside})
        for (const PlotPoint& burst : *group)
            if (burst.x <= zoom.x_high) lengths.insert(burst.y);
    zoom.y_low = between(lengths, zoom.y_low), zoom.y_high = between(lengths, zoom.y_high);
    const bool worth_it = zoom.y_high - zoom.y_low < 0.35 * (all.y_high - all.y_low) && zoom.x_high > zoom.x_low && zoom.x_high < 0.8 * all.x_high;
    return worth_it ? std::optional(zoom) : std::nullopt;
}

/// The figure's elements on a raster, to find out where an inset covers none of them.
FreeSpace free_space(const Bursts& bursts, const std::vector<Curve>& curves, const Ranges& all, const Ranges& zoom) {
    FreeSpace space;
    const auto x = [&](double value) { return (value - all.x_low) / (all.x_high - all.x_low); };
    const auto y = [&](double value) { return (value - all.y_low) / (all.y_high - all.y_low); };
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside})
        for (const PlotPoint& burst : *group)
            for (const double dx : {-0.012, 0.012})
                for (const double dy : {-0.016, 0.016}) space.mark(x(burst.x) + dx, y(burst.y) + dy);
    for (const Curve& curve : curves) {
        for (std::size_t i = 1; i < curve.line.size(); ++i)
            space.mark_line(x(curve.line[i - 1].x), y(curve.line[i - 1].y), x(curve.line[i].x), y(curve.line[i].y));
        if (!curve.asymptote) continue;
        const double at = x(curve.asymptote_middle());
        for (const double label : {0.0, 0.03}) space.mark_line(at + label, 0, at + label, 1);
    }
    for (const double edge : {zoom.y_low, zoom.y_high}) space.mark_line(x(zoom.x_low), y(edge), x(zoom.x_high), y(edge));
    for (const double edge : {zoom.x_low, zoom.x_high}) space.mark_line(x(edge), y(zoom.y_low), x(edge), y(zoom.y_high));
    return space;
}

/// Where the inset goes, its tick labels included. Raises the figure's upper end to make room if the data fill it.
std::optional<Box> inset_place(const Bursts& bursts, const std::vector<Curve>& curves, Ranges& all, const Ranges& zoom) {
    constexpr double kWidth = 0.5, kHeight = 0.44;
    const FreeSpace space = free_space(bursts, curves, all, zoom);
    for (const double size : {1.15, 1.0, 0.9})
        if (const auto box = space.find(size * kWidth, size * kHeight)) return box;
    Ranges taller = all;
    taller.y_high = all.y_low + (all.y_high - all.y_low) / (1 - 1.06 * kHeight);
    const FreeSpace room = free_space(bursts, curves, taller, zoom);
    const auto box = room.find(kWidth, kHeight);
    if (box) all = taller;
    return box;
}

void write_ranges(std::ostream& out, const Ranges& ranges) {
    out << "set xrange [" << ranges.x_low << ':' << ranges.x_high << "]; set yrange [" << ranges.y_low << ':' << ranges.y_high << "]\n";
}

/// With several lines there would be several such regions on top of each other.
bool has_region(const std::vector<Curve>& curves) { return curves.size() == 1 && !curves.front().line.empty(); }

/// What lies below the only line and beyond its asymptote, as a polygon.
Figure::Rows lossless_region(const Curve& curve, const Ranges& all) {
    const double ceiling = 10 * all.y_high;
    Figure::Rows corners{{curve.line.front().x, all.y_low}};
    for (const PlotPoint& point : curve.line) {
        corners.push_back({point.x, std::min(point.y, ceiling)});
        if (point.y >= ceiling) break;
    }
    if (curve.asymptote) corners.push_back({all.x_high, ceiling}), corners.push_back({all.x_high, all.y_low});
    else corners.push_back({corners.back()[0], all.y_low});
    return corners;
}

void write_data(Figure& figure, const Bursts& bursts, const std::vector<Curve>& curves, const Ranges& all) {
    const auto rows_of = [](const std::vector<PlotPoint>& points) {
        Figure::Rows rows;
        for (const PlotPoint& point : points) rows.push_back({point.x, point.y});
        return rows;
    };
    figure.script() << "\n# bursts: separation / us, events\n";
    if (!bursts.complete.empty()) figure.data("complete", rows_of(bursts.complete));
    if (!bursts.lossy.empty()) figure.data("lossy", rows_of(bursts.lossy));
    if (!bursts.set_aside.empty()) figure.data("set_aside", rows_of(bursts.set_aside));
    if (!bursts.binding.empty()) figure.data("binding", rows_of(bursts.binding));
    if (!bursts.violating.empty()) figure.data("violating", rows_of(bursts.violating));
    if (!bursts.advised.empty()) figure.data("advised", rows_of(bursts.advised));
    if (!bursts.checks.empty()) figure.data("checks", rows_of(bursts.checks));
    const double ceiling = 1000 * all.y_high;   // gnuplot clips finite values only
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        figure.script() << "# " << curves[i].label << ": separation / us, longest burst without loss, joined by hyperbolas\n";
        figure.data("curve" + number, rows_of(curves[i].line));
        if (curves[i].band.empty()) continue;
        Figure::Rows band = curves[i].band;
        for (auto& row : band)
            for (double& value : row) value = std::min(value, ceiling);
        figure.script() << "# its 95 % band: separation / us, low, high\n";
        figure.data("band" + number, band);
    }
    if (has_region(curves)) {
        figure.script() << "# the region without loss\n";
        figure.data("lossless", lossless_region(curves.front(), all));
    }
}

/// @param titles  gets those of the legend
std::string plot_command(const Bursts& bursts, const std::vector<Curve>& curves, std::vector<std::string>& titles) {
    std::ostringstream out;
    const char* separator = "plot ";
    const auto begin = [&]() -> std::ostream& {
        out << separator;
        separator = ", \\\n     ";
        return out;
    };
    const auto titled = [&](const std::string& title) {
        titles.push_back(title);
        return " title " + gnuplot_text(title);
    };
    if (has_region(curves))
        begin() << "$lossless using 1:2 with filledcurves closed fillstyle transparent solid 0.13 noborder linecolor rgb '" << colour::sky_blue << "'" << titled("no loss");
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (!curves[i].band.empty())
            begin() << "$band" << i + 1 << " using 1:2:3 with filledcurves fillstyle transparent solid 0.22 noborder linecolor rgb '" << curves[i].colour
                    << "'" << titled("95 % band");
    if (!bursts.complete.empty())
        begin() << "$complete using 1:2 with points pointtype 7 pointsize 0.75 * mark linecolor rgb '" << colour::blue << "'" << titled("complete");
    if (!bursts.lossy.empty())
        begin() << "$lossy using 1:2 with points pointtype 2 pointsize 1.05 * mark linewidth 1.8 linecolor rgb '" << colour::vermilion << "'" << titled("lossy");
    if (!bursts.set_aside.empty())
        begin() << "$set_aside using 1:2 with points pointtype 6 pointsize 0.95 * mark linewidth 1.8 linecolor rgb '" << colour::grey << "'" << titled("set aside");
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (!curves[i].line.empty())
            // A good fit lies on the prediction and would hide it.
            begin() << "$curve" << i + 1 << " using 1:2 with lines linewidth 2.2" << (curves.size() > 1 && curves[i].fitted ? " dashtype '-'" : "")
                    << " linecolor rgb '" << curves[i].colour << "'" << titled(curves[i].label);
    if (!bursts.binding.empty())
        begin() << "$binding using 1:2 with points pointtype 6 pointsize 1.5 * mark linewidth 1.5 linecolor rgb '" << colour::black << "'" << titled("limits the fit");
    if (!bursts.violating.empty())
        begin() << "$violating using 1:2 with points pointtype 4 pointsize 1.5 * mark linewidth 1.5 linecolor rgb '" << colour::black << "'" << titled("against the fit");
    if (!bursts.advised.empty())
        begin() << "$advised using 1:2 with points pointtype 9 pointsize 1.7 * mark linecolor rgb '" << colour::orange << "'" << titled("measure next");
    if (!bursts.checks.empty())
        begin() << "$checks using 1:2 with points pointtype 8 pointsize 1.7 * mark linewidth 1.8 linecolor rgb '" << colour::orange << "'" << titled("check");
    out << '\n';
    return out.str();
}

void write_asymptotes(std::ostream& out, const std::vector<Curve>& curves, const Ranges& all) {
    std::vector<double> labelled;
    for (const Curve& curve : curves) {
        if (!curve.asymptote) continue;
        const double x = curve.asymptote_middle();
        // Two that lie side by side have one label, the first one's.
        if (std::any_of(labelled.begin(), labelled.end(), [&](double other) { return std::abs(other - x) < 0.035 * all.x_high; })) continue;
        labelled.push_back(x);
        const bool sharp = curve.asymptote->high - curve.asymptote->low < 1e-3 * x;
        const std::string value = sharp ? plain_number(x, 4) : plain_number(curve.asymptote->low, 3) + " to " + plain_number(curve.asymptote->high, 3);
        out << "set arrow from " << x << ", graph 0 to " << x << ", graph 1 nohead dashtype 2 linewidth 1.4 linecolor rgb '" << curve.colour << "'\n"
            << "set label 'asymptote " << value << " µs' at " << x << ", graph 0.98 offset character 0.9, 0 right rotate by 90 font ',14' textcolor rgb '"
            << curve.colour << "'\n";
    }
}

void write_inset(std::ostream& out, const Box& box, const Panel& panel, const Ranges& zoom, const std::string& plot) {
    const auto screen_x = [&](double part) { return panel.left + part * (panel.right - panel.left); };
    const auto screen_y = [&](double part) { return panel.bottom + part * (panel.top - panel.bottom); };
    out << "\n# the dashed region, magnified\n"
           "unset arrow; unset label; unset object; unset key\n"
           "set object 2 rectangle from screen "
        << screen_x(box.left) << ", screen " << screen_y(box.bottom) << " to screen " << screen_x(box.right) << ", screen " << screen_y(box.top)
        << " behind fillcolor rgb 'white' fillstyle solid noborder\n"
           "set border 15 linecolor rgb '#404040' dashtype 2\n"
           "set tics font ',13'\n"
           "mark = 1.5 * mark\n";
    write_panel(out, {screen_x(box.left) + 0.075, screen_x(box.right) - 0.018, screen_y(box.bottom) + 0.05, screen_y(box.top) - 0.02});
    write_ranges(out, zoom);
    out << "set xtics " << tic_step(zoom.x_high - zoom.x_low) << "; set ytics " << tic_step(zoom.y_high - zoom.y_low) << '\n' << plot;
}

void draw(const Inputs& inputs, const FigureRequest& request, const WatershedLook& look) {
    const Bursts bursts = bursts_from(inputs);
    std::vector<Curve> curves;
    for (const BoundaryFile& boundary : inputs.boundaries) curves.push_back(curve_from(boundary));
    for (const FitFile& fit : inputs.fits) curves.push_back(curve_from(fit));
    refuse_surplus_labels(request, curves.size());
    if (inputs.maps.empty() && bursts.advised.empty() && std::all_of(curves.begin(), curves.end(), [](const Curve& curve) { return curve.line.empty(); }))
        throw InputError(inputs.files.front() + ": found no separation at which a burst loses, expected one to draw");
    constexpr const char* kColours[] = {colour::green, colour::purple, colour::orange, colour::sky_blue, colour::black};
    for (std::size_t i = 0; i < curves.size(); ++i) {
        curves[i].colour = kColours[i % std::size(kColours)];
        if (i < request.labels.size()) curves[i].label = request.labels[i];
    }

    Ranges all = ranges_of(bursts, curves, look);
    std::optional<Ranges> zoom;
    std::optional<Box> box;
    if (look.inset && !look.log_events && !look.log_separation) zoom = zoomed_region(bursts, curves.empty() ? line_between(bursts) : curves.front().line, all);
    if (zoom) box = inset_place(bursts, curves, all, *zoom);

    std::string source = inputs.source();
    if (!bursts.mix.empty()) source += " (" + bursts.mix + (bursts.left_out ? "; " + std::to_string(bursts.left_out) + " of other mixes left out" : "") + ")";
    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    write_data(figure, bursts, curves, all);
    std::vector<std::string> titles;
    const std::string plot = plot_command(bursts, curves, titles);
    Panel panel = panel_below(request.title);
    make_room_for_legend(panel, titles);
    out << "\nset multiplot\n";
    write_title(out, request.title);
    write_legend(out, panel, titles);
    out << "set key maxcols " << legend_columns(titles) << '\n';
    write_panel(out, panel);
    write_ranges(out, all);
    write_x_label(out, "event separation / µs", panel);
    write_y_label(out, "events in burst", panel);
    if (look.log_events) out << "set logscale y; set format y '%.0s %c'\n";
    constexpr std::size_t kTics = 20;
    if (look.log_separation) out << "set logscale x; set xtics " << log_tics(all.x_low, all.x_high, kTics) << '\n';
    write_asymptotes(out, curves, all);
    if (box)
        out << "set object 1 rectangle from " << zoom->x_low << ',' << zoom->y_low << " to " << zoom->x_high << ',' << zoom->y_high
            << " front fillstyle empty border linecolor rgb '#404040' dashtype 2 linewidth 1.2\n";
    out << plot;
    if (box) write_inset(out, *box, panel, *zoom, plot);
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace

void draw_watershed(const FigureRequest& request, const WatershedLook& look) {
    draw(read_inputs(request.inputs, {InputKind::LossMap, InputKind::Boundary, InputKind::Fit, InputKind::Advice}), request, look);
}

void draw_comparison(const FigureRequest& request) {
    WatershedLook look;
    look.log_events = look.log_separation = true;
    draw(read_inputs(request.inputs, {InputKind::Boundary, InputKind::Fit}), request, look);
}

}  // namespace watershed
