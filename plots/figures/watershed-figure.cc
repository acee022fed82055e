// SPDX-License-Identifier: GPL-2.0-only
// Figure 4 of Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM ..." (ICRC 2015).
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "plots/figures/bursts.h"
#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/named-watersheds.h"
#include "plots/figures/watershed-panel.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// The middle between the two values next to an edge, so that a frame there cuts no mark in two; the edge itself
/// outside of them.
double between(const std::set<double>& values, double edge) {
    const auto above = values.upper_bound(edge);
    return above == values.begin() || above == values.end() ? edge : (*std::prev(above) + *above) / 2;
}

/// The small-gap region that is worth a magnifying glass, where the line is low compared to the whole figure.
std::optional<Ranges> zoomed_region(const Bursts& bursts, const std::vector<PlotPoint>& line, const Ranges& all) {
    if (bursts.complete.empty() || line.empty()) return std::nullopt;
    const double lowest = line.front().y;
    constexpr double kWorthResolving = 5;  // events
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
    const bool worth_it = zoom.y_high - zoom.y_low < 0.35 * (all.y_high - all.y_low) && zoom.x_high > zoom.x_low &&
                          zoom.y_high > zoom.y_low && zoom.x_high < 0.8 * all.x_high;
    return worth_it ? std::optional(zoom) : std::nullopt;
}

/// In fractions of a panel.
struct Box {
    double left, bottom, right, top;
};

/// Place of the inset, its tick labels included: the upper left corner. The figure is raised until nothing lies
/// there.
std::optional<Box> inset_place(const Bursts& bursts, const std::vector<LossBoundary>& curves, Ranges& all,
                               const Ranges& zoom) {
    constexpr double kMargin = 0.03, kWidth = 0.5, kHeight = 0.44, kMostRaised = 2.5;
    const double right = all.x_low + (kWidth + 2 * kMargin) * (all.x_high - all.x_low);
    double highest = zoom.y_high;
    const auto include = [&](const std::vector<PlotPoint>& points) {
        for (const PlotPoint& point : points)
            if (point.x < right) highest = std::max(highest, point.y);
    };
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside}) include(*group);
    for (const LossBoundary& curve : curves) {
        include(curve.line);
        if (curve.asymptote && curve.asymptote_middle() < right) return std::nullopt;
    }
    const double top = all.y_low + (highest - all.y_low) / (1 - kHeight - 2 * kMargin);
    if (top - all.y_low > kMostRaised * (all.y_high - all.y_low)) return std::nullopt;
    all.y_high = std::max(all.y_high, top);
    return Box{kMargin, 1 - kMargin - kHeight, kMargin + kWidth, 1 - kMargin};
}

/// The dashed region, magnified: the same series in a panel of its own.
ChartPanel inset_of(const ChartPanel& panel, const Box& box, const Ranges& zoom) {
    const auto x = [&](double part) { return panel.place.left + part * (panel.place.right - panel.place.left); };
    const auto y = [&](double part) { return panel.place.bottom + part * (panel.place.top - panel.place.bottom); };
    ChartPanel inset;
    inset.place = {x(box.left) + 0.075, x(box.right) - 0.018, y(box.bottom) + 0.05, y(box.top) - 0.02};
    inset.x = {"", zoom.x_low, zoom.x_high, false, num(tic_step(zoom.x_high - zoom.x_low))};
    inset.y = {"", zoom.y_low, zoom.y_high, false, num(tic_step(zoom.y_high - zoom.y_low))};
    inset.series = panel.series;
    for (Series& series : inset.series) series.title.clear();
    inset.shapes = {"object rectangle from screen " + num(x(box.left)) + ", screen " + num(y(box.bottom)) +
                        " to screen " + num(x(box.right)) + ", screen " + num(y(box.top)) +
                        " behind fillcolor rgb 'white' fillstyle solid noborder",
                    "border 15 linecolor rgb '#404040' dashtype 2", "tics font ',13'"};
    inset.larger_marks = 1.5;
    return inset;
}

/// A line for each boundary and for each fit, of the mix that the fit's first row is of.
std::vector<LossBoundary> lines_of(const Inputs& inputs) {
    std::vector<LossBoundary> lines;
    for (const BoundaryFile& boundary : inputs.boundaries) lines.push_back(dividing_line(boundary));
    for (const FitFile& fit : inputs.fits) lines.push_back(dividing_line(fit, fit.lines.front()));
    constexpr const char* kColours[] = {colour::green, colour::purple, colour::orange, colour::sky_blue, colour::black};
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].colour = kColours[i % std::size(kColours)];
    return lines;
}

void name_lines(std::vector<LossBoundary>& lines, const FigureRequest& request) {
    refuse_surplus_labels(request, lines.size());
    for (std::size_t i = 0; i < request.labels.size(); ++i) lines[i].label = request.labels[i];
}

std::size_t rows_of(const Inputs& inputs) {
    std::size_t rows = 0;
    for (const LossMap& map : inputs.maps) rows += map.rows.size();
    return rows;
}

/// Axes of a panel; `fewer`: with so many times less tics than a figure has.
void set_axes(ChartPanel& panel, const Ranges& all, const WatershedStyle& look, double fewer = 0) {
    const auto step = [&](double width) { return fewer > 0 ? num(tic_step(fewer * width)) : ""; };
    constexpr std::size_t kTics = 20;
    panel.x = {"", all.x_low, all.x_high, look.log_separation,
               look.log_separation ? log_tics(all.x_low, all.x_high, kTics) : step(all.x_high - all.x_low)};
    panel.y = {"", all.y_low, all.y_high, look.log_events,
               !look.log_events ? step(all.y_high - all.y_low)
               : fewer > 0      ? log_tics(all.y_low, all.y_high, 4)
                                : tics_of_few_powers(all.y_low, all.y_high)};
    if (look.log_events) panel.y.format = "%.0s %c";
}

/// Without what has no data here.
std::vector<Series> with_data(const std::vector<Series>& all) {
    std::vector<Series> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [](const Series& series) { return !series.rows.empty(); });
    return some;
}

/// Why none of the lines can be drawn; empty if one can.
std::string why_no_line(const std::vector<LossBoundary>& lines, const WatershedStyle& look) {
    for (const LossBoundary& line : lines)
        if (!line.line.empty()) return "";
    return lines.empty() || !look.why_none.empty() ? look.why_none : lines.front().why_none;
}

/// One mix, and all lines.
void draw_one(const Inputs& inputs, const FigureRequest& request, const WatershedStyle& look) {
    const std::vector<Mix> mixes = mixes_of(inputs);
    WatershedPanel shown{bursts_from(inputs, mixes.empty() ? Mix{} : mixes.front()), lines_of(inputs), look.region};
    name_lines(shown.lines, request);
    const Bursts& bursts = shown.bursts;
    Ranges all = ranges_of(shown, look.log_events, look.log_separation);
    if (look.marked) {
        all.x_high = std::max(all.x_high, 1.04 * look.marked->separation_us);
        all.y_high = std::max(all.y_high, 1.5 * look.marked->events);
        if (look.log_events) all.y_low = std::min(all.y_low, 0.7 * look.marked->events);
    }
    drop_thin_bands(shown, all, look.log_events);
    std::optional<Ranges> zoom;
    std::optional<Box> box;
    if (look.inset && !look.log_events && !look.log_separation)
        zoom = zoomed_region(bursts, shown.lines.empty() ? line_between(bursts) : shown.lines.front().line, all);
    if (zoom) box = inset_place(bursts, shown.lines, all, *zoom);

    std::string source = request.source.empty() ? inputs.source() : request.source;
    const std::size_t left_out = rows_of(inputs) - bursts.measured();
    if (!bursts.mix.empty())
        source +=
            " (" + bursts.mix + (left_out ? "; " + std::to_string(left_out) + " of other mixes left out" : "") + ")";
    Chart chart(request.output, request.title, source);
    ChartPanel& panel = chart.panel();
    set_axes(panel, all, look);
    panel.x.label = "event separation / µs", panel.y.label = "events in burst";
    panel.series = with_data(series_of(shown, all));
    if (panel.series.empty())  // gnuplot draws no axes alone
        panel.series = {{"", {{2 * all.x_high, 2 * all.y_high}}, points(colour::black, 7), {}, "nothing"}};
    add_asymptotes(panel, shown.lines, all, 14);
    if (const std::string why = why_no_line(shown.lines, look); inputs.maps.empty() && !why.empty())
        panel.notes.push_back({"no line: " + why, "graph 0.5, graph 0.5 center font ',16'"});
    if (look.marked)
        panel.notes.push_back({look.marked->name, num(look.marked->separation_us) + "," + num(look.marked->events) +
                                                      " left offset 0.9, 0.5 front font ',14' point pointtype 7 "
                                                      "pointsize 1.3"});
    if (box) {
        make_room(chart);
        panel.shapes.push_back("object rectangle from " + num(zoom->x_low) + ',' + num(zoom->y_low) + " to " +
                               num(zoom->x_high) + ',' + num(zoom->y_high) +
                               " front fillstyle empty border linecolor rgb '#404040' dashtype 2 linewidth 1.2");
        chart.panels.push_back(inset_of(panel, *box, *zoom));
    }
    draw_chart(std::move(chart));
}

/// The mix, on two lines where it is long.
std::string name_of(const WatershedPanel& panel) {
    std::string name = panel.bursts.mix;
    if (const std::size_t uplinks = name.find(" B, "); uplinks != std::string::npos) name.replace(uplinks + 2, 2, "\n");
    return name;
}

/// A panel for each mix, with its bursts and, if there is a fit, its line.
void draw_mixes(const Inputs& inputs, const FigureRequest& request, const WatershedStyle& look) {
    std::vector<Mix> mixes = mixes_of(inputs);
    std::sort(mixes.begin(), mixes.end(), [](const Mix& a, const Mix& b) {
        return std::tie(a.ports, a.payload, a.uplinks) < std::tie(b.ports, b.payload, b.uplinks);
    });
    std::vector<WatershedPanel> shown;
    std::size_t measured = 0;
    for (const Mix& mix : mixes) {
        WatershedPanel panel{bursts_from(inputs, mix), {}, "", "_" + std::to_string(shown.size() + 1)};
        for (const FitFile& fit : inputs.fits) {
            const auto line = std::find_if(fit.lines.begin(), fit.lines.end(),
                                           [&](const FitFile::Line& each) { return each.mix == mix; });
            panel.lines.push_back(dividing_line(fit, line == fit.lines.end() ? FitFile::Line{} : *line));
            panel.lines.back().colour = colour::green;
        }
        name_lines(panel.lines, request);
        measured += panel.bursts.measured();
        shown.push_back(std::move(panel));
    }

    const std::size_t left_out = rows_of(inputs) - measured;
    Chart chart(request.output, request.title,
                inputs.source() + (left_out ? " (" + how_many(left_out, "burst") + " of other mixes left out)" : ""));
    // A legend is no wider than its plot: an empty one over all panels, of what any of them has.
    ChartPanel whole;
    whole.x = whole.y = {"", 0, 1, false, "none"};
    whole.shapes = {"border 0"};
    whole.series = {{"", {{-1, -1}}, points(colour::black, 7), {}, "nothing"}};
    std::vector<ChartPanel> panels;
    for (WatershedPanel& of_mix : shown) {
        Ranges ranges = ranges_of(of_mix, look.log_events, look.log_separation);
        ranges.x_high *= 1.1;  // the label of the asymptote
        drop_thin_bands(of_mix, ranges, look.log_events);
        ChartPanel& panel = panels.emplace_back();
        set_axes(panel, ranges, look, 1.6);
        panel.series = series_of(of_mix, ranges);
        add_asymptotes(panel, of_mix.lines, ranges, 12);
    }
    for (std::size_t i = 0; i < panels.front().series.size(); ++i) {
        Series sample = panels.front().series[i];
        if (std::all_of(panels.begin(), panels.end(), [&](const auto& panel) { return panel.series[i].rows.empty(); }))
            continue;
        sample.rows.clear();
        whole.series.push_back(sample);
    }
    whole.place = chart.place;
    chart.panels = {whole};
    make_room(chart);
    Panel all = chart.place = chart.panel().place;
    chart.x.label = "event separation / µs", chart.y.label = "events in burst";
    chart.settings = {"tics font ',14'"};
    const bool two_lines = std::any_of(shown.begin(), shown.end(), [](const WatershedPanel& panel) {
        return name_of(panel).find('\n') != std::string::npos;
    });
    const double name = two_lines ? 0.07 : 0.04;  // height of the line above a panel
    constexpr double kGapX = 0.095, kGapY = 0.085;
    all.top -= name;
    const std::size_t columns = shown.size() == 3 || shown.size() > 4 ? 3 : 2,
                      rows = (shown.size() + columns - 1) / columns;
    const std::vector<Panel> places = panel_grid(all, columns, rows, kGapX, kGapY + name);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        panels[i].place = places[i];
        panels[i].series = with_data(panels[i].series);
        for (Series& series : panels[i].series) series.title.clear();
        panels[i].notes.push_back({name_of(shown[i]), "screen " + num((places[i].left + places[i].right) / 2) +
                                                          ", screen " + num(places[i].top + name - 0.02) +
                                                          " center font ',14'"});
    }
    chart.panels.insert(chart.panels.begin(), panels.begin(), panels.end());
    draw_chart(std::move(chart));
}

}  // namespace

void draw_watershed(const FigureRequest& request, const WatershedStyle& look) {
    const Inputs inputs = read_inputs(
        request.inputs, {InputKind::LossMap, InputKind::Boundary, InputKind::Fit, InputKind::Advice}, request.columns);
    // A boundary does not say which mix it is for, and two fits are compared in one plane.
    const bool one =
        inputs.maps.empty() || !inputs.boundaries.empty() || inputs.fits.size() > 1 || mixes_of(inputs).size() == 1;
    one ? draw_one(inputs, request, look) : draw_mixes(inputs, request, look);
}

void draw_comparison(const FigureRequest& request) {
    WatershedStyle look;
    look.log_events = look.log_separation = true;
    draw_one(read_inputs(request.inputs, {InputKind::Boundary, InputKind::Fit}), request, look);
}

bool has_line(const nlohmann::ordered_json& points) {
    return std::any_of(points.begin(), points.end(), [](const auto& point) { return !point[1].is_null(); });
}

void draw_named_watersheds(const std::vector<NamedWatershed>& watersheds, FigureRequest request,
                           const std::string& source, WatershedStyle look) {
    Inputs inputs;
    inputs.files = {source};
    request.labels.clear();
    std::string without, unknown;
    std::vector<BoundaryFile> open;  // boundaries that never lose
    for (const NamedWatershed& each : watersheds) {
        BoundaryFile boundary{each.name, {}};
        bool limited = false;
        for (const auto& point : each.points) {
            boundary.points.push_back({time_of_microseconds(point[0].get<double>()), std::nullopt});
            if (point[1].is_null()) continue;
            boundary.points.back().events_lossless = point[1].get<std::int64_t>();
            limited = true;
        }
        if (limited) {
            inputs.boundaries.push_back(boundary);
            request.labels.push_back(each.label);
        } else {
            const bool known = !each.points.empty() || each.points.is_null();
            std::string& list = known ? without : unknown;
            list += (list.empty() ? "" : ", ") + each.name;
            if (known && boundary.points.empty()) boundary.points.push_back({});  // from no separation on
            if (known) open.push_back(boundary);
        }
    }
    if (inputs.boundaries.empty()) {
        look.why_none = unknown.empty()   ? "no burst of any length loses"
                        : without.empty() ? "it is not known"
                                          : "where it is known, no burst of any length loses";
        inputs.boundaries = open;
    }
    if (!unknown.empty()) unknown = "not known: " + unknown;
    request.source =
        source + (without.empty() ? "" : "; without a watershed: " + without) + (unknown.empty() ? "" : "; " + unknown);
    look.log_events = true;
    draw_one(inputs, request, look);
}

}  // namespace watershed
