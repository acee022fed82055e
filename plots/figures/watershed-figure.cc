// SPDX-License-Identifier: GPL-2.0-only
// Figure 4 of Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM ..." (ICRC 2015).
#include <algorithm>
#include <set>
#include <tuple>

#include "plots/figures/bursts.h"
#include "plots/figures/figures.h"
#include "plots/figures/free-space.h"
#include "plots/figures/inputs.h"
#include "plots/figures/watershed-panel.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

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
                          zoom.x_high < 0.8 * all.x_high;
    return worth_it ? std::optional(zoom) : std::nullopt;
}

/// The figure's elements on a raster, to find out where an inset covers none of them.
FreeSpace free_space(const Bursts& bursts, const std::vector<DividingLine>& curves, const Ranges& all,
                     const Ranges& zoom) {
    FreeSpace space;
    const auto x = [&](double value) { return (value - all.x_low) / (all.x_high - all.x_low); };
    const auto y = [&](double value) { return (value - all.y_low) / (all.y_high - all.y_low); };
    for (const auto* group : {&bursts.complete, &bursts.lossy, &bursts.set_aside})
        for (const PlotPoint& burst : *group)
            for (const double dx : {-0.012, 0.012})
                for (const double dy : {-0.016, 0.016}) space.mark(x(burst.x) + dx, y(burst.y) + dy);
    for (const DividingLine& curve : curves) {
        for (std::size_t i = 1; i < curve.line.size(); ++i)
            space.mark_line(x(curve.line[i - 1].x), y(curve.line[i - 1].y), x(curve.line[i].x), y(curve.line[i].y));
        if (!curve.asymptote) continue;
        const double at = x(curve.asymptote_middle());
        for (const double label : {0.0, 0.03}) space.mark_line(at + label, 0, at + label, 1);
    }
    for (const double edge : {zoom.y_low, zoom.y_high})
        space.mark_line(x(zoom.x_low), y(edge), x(zoom.x_high), y(edge));
    for (const double edge : {zoom.x_low, zoom.x_high})
        space.mark_line(x(edge), y(zoom.y_low), x(edge), y(zoom.y_high));
    return space;
}

/// Where the inset goes, its tick labels included. Raises the figure's upper end to make room if the data fill it.
std::optional<Box> inset_place(const Bursts& bursts, const std::vector<DividingLine>& curves, Ranges& all,
                               const Ranges& zoom) {
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

void write_inset(std::ostream& out, const Box& box, const Panel& panel, const Ranges& zoom, const std::string& plot) {
    const auto screen_x = [&](double part) { return panel.left + part * (panel.right - panel.left); };
    const auto screen_y = [&](double part) { return panel.bottom + part * (panel.top - panel.bottom); };
    out << gnuplot_comment("the dashed region, magnified")
        << "unset arrow; unset label; unset object; unset key\n"
           "set object 2 rectangle from screen "
        << screen_x(box.left) << ", screen " << screen_y(box.bottom) << " to screen " << screen_x(box.right)
        << ", screen " << screen_y(box.top)
        << " behind fillcolor rgb 'white' fillstyle solid noborder\n"
           "set border 15 linecolor rgb '#404040' dashtype 2\n"
           "set tics font ',13'\n"
           "mark = 1.5 * mark\n";
    write_panel(out, {screen_x(box.left) + 0.075, screen_x(box.right) - 0.018, screen_y(box.bottom) + 0.05,
                      screen_y(box.top) - 0.02});
    write_ranges(out, zoom);
    out << "set xtics " << tic_step(zoom.x_high - zoom.x_low) << "; set ytics " << tic_step(zoom.y_high - zoom.y_low)
        << '\n'
        << plot;
}

/// A line for each boundary and for each fit, of the mix that the fit's first row is of.
std::vector<DividingLine> lines_of(const Inputs& inputs) {
    std::vector<DividingLine> lines;
    for (const BoundaryFile& boundary : inputs.boundaries) lines.push_back(dividing_line(boundary));
    for (const FitFile& fit : inputs.fits) lines.push_back(dividing_line(fit, fit.lines.front()));
    constexpr const char* kColours[] = {colour::green, colour::purple, colour::orange, colour::sky_blue, colour::black};
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].colour = kColours[i % std::size(kColours)];
    return lines;
}

void name_lines(std::vector<DividingLine>& lines, const FigureRequest& request) {
    refuse_surplus_labels(request, lines.size());
    for (std::size_t i = 0; i < request.labels.size(); ++i) lines[i].label = request.labels[i];
}

std::size_t rows_of(const Inputs& inputs) {
    std::size_t rows = 0;
    for (const LossMap& map : inputs.maps) rows += map.rows.size();
    return rows;
}

std::vector<std::string> titles_of(const std::vector<Layer>& layers) {
    std::vector<std::string> titles;
    for (const Layer& layer : layers)
        if (!layer.data.empty() && !layer.title.empty()) titles.push_back(layer.title);
    return titles;
}

void write_logarithmic_axes(std::ostream& out, const WatershedLook& look, const Ranges& all) {
    if (look.log_events)
        out << "set logscale y; set format y '%.0s %c'; set ytics " << tics_of_few_powers(all.y_low, all.y_high)
            << '\n';
    constexpr std::size_t kTics = 20;
    if (look.log_separation) out << "set logscale x; set xtics " << log_tics(all.x_low, all.x_high, kTics) << '\n';
}

/// One mix, and all lines.
void draw_one(const Inputs& inputs, const FigureRequest& request, const WatershedLook& look) {
    const std::vector<Mix> mixes = mixes_of(inputs);
    WatershedPanel shown{bursts_from(inputs, mixes.empty() ? Mix{} : mixes.front()), lines_of(inputs), look.region};
    name_lines(shown.lines, request);
    const Bursts& bursts = shown.bursts;
    if (inputs.maps.empty() && bursts.advised.empty() &&
        std::all_of(shown.lines.begin(), shown.lines.end(), [](const DividingLine& line) { return line.line.empty(); }))
        throw InputError(inputs.files.front() + ": found no separation at which a burst loses, expected one to draw");

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
    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    write_data(figure, shown, all);
    const std::vector<Layer> layers = layers_of(shown);
    const std::vector<std::string> titles = titles_of(layers);
    Panel panel = panel_below(request.title);
    make_room_for_legend(panel, titles, source);
    out << "\nset multiplot\n";
    write_title(out, request.title);
    write_legend(out, panel, titles);
    out << "set key maxcols " << legend_columns(titles) << '\n';
    write_panel(out, panel);
    write_ranges(out, all);
    write_x_label(out, "event separation / µs", panel);
    write_y_label(out, "events in burst", panel);
    write_logarithmic_axes(out, look, all);
    write_asymptotes(out, shown.lines, all, 14);
    if (box)
        out << "set object 1 rectangle from " << zoom->x_low << ',' << zoom->y_low << " to " << zoom->x_high << ','
            << zoom->y_high << " front fillstyle empty border linecolor rgb '#404040' dashtype 2 linewidth 1.2\n";
    if (look.marked)
        out << "set label " << gnuplot_text(look.marked->name) << " at " << look.marked->separation_us << ','
            << look.marked->events << " left offset 0.9, 0.5 front font ',14' point pointtype 7 pointsize 1.3\n";
    const std::string plot = plot_command(layers);
    out << plot;
    if (box) write_inset(out, *box, panel, *zoom, plot);
    out << "unset multiplot\n";
    figure.finish();
}

/// The mix, on two lines where it is long.
std::string name_of(const WatershedPanel& panel) {
    std::string name = panel.bursts.mix;
    if (const std::size_t uplinks = name.find(" B, "); uplinks != std::string::npos) name.replace(uplinks + 2, 2, "\n");
    return name;
}

/// A panel for each mix, with its bursts and, if there is a fit, its line.
void draw_mixes(const Inputs& inputs, const FigureRequest& request, const WatershedLook& look) {
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
    Figure figure(request.output,
                  inputs.source() + (left_out ? " (" + std::to_string(left_out) +
                                                    (left_out == 1 ? " burst" : " bursts") + " of other mixes left out)"
                                              : ""));
    std::ostream& out = figure.script();
    std::vector<Ranges> ranges;
    std::vector<std::vector<Layer>> layers;
    for (WatershedPanel& panel : shown) {
        ranges.push_back(ranges_of(panel, look.log_events, look.log_separation));
        ranges.back().x_high *= 1.1;  // the label of the asymptote
        drop_thin_bands(panel, ranges.back(), look.log_events);
        write_data(figure, panel, ranges.back());
        layers.push_back(layers_of(panel));
    }
    std::vector<Layer> legend{{"", "NaN", ""}};
    for (std::size_t i = 0; i < layers.front().size(); ++i)
        if (std::any_of(layers.begin(), layers.end(),
                        [i](const std::vector<Layer>& of_panel) { return !of_panel[i].data.empty(); }))
            legend.push_back({layers.front()[i].title, "keyentry", layers.front()[i].style});
    const std::vector<std::string> titles = titles_of(legend);

    Panel all = panel_below(request.title);
    make_room_for_legend(all, titles, inputs.source());
    const Panel with_names = all;
    const bool two_lines = std::any_of(shown.begin(), shown.end(), [](const WatershedPanel& panel) {
        return name_of(panel).find('\n') != std::string::npos;
    });
    const double name = two_lines ? 0.07 : 0.04;  // height of the line above a panel
    constexpr double kGapX = 0.095, kGapY = 0.085;
    all.top -= name;
    out << "\nset multiplot\nunset key; set tics font ',14'\n";
    const std::size_t columns = shown.size() == 3 || shown.size() > 4 ? 3 : 2,
                      rows = (shown.size() + columns - 1) / columns;
    const std::vector<Panel> places = panel_grid(all, columns, rows, kGapX, kGapY + name);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        out << (i == 0 ? "\n" : "\nunset label; unset arrow\n");
        write_panel(out, places[i]);
        write_ranges(out, ranges[i]);
        constexpr double kFewer = 1.6;  // tics than in a figure
        out << "set xtics " << tic_step(kFewer * (ranges[i].x_high - ranges[i].x_low)) << "; set ytics "
            << tic_step(kFewer * (ranges[i].y_high - ranges[i].y_low)) << '\n';
        write_logarithmic_axes(out, look, ranges[i]);
        if (look.log_events) out << "set ytics " << log_tics(ranges[i].y_low, ranges[i].y_high, 4) << '\n';
        out << "set label " << gnuplot_lines(name_of(shown[i])) << " at screen "
            << (places[i].left + places[i].right) / 2 << ", screen " << places[i].top + name - 0.02
            << " center font ',14'\n";
        write_asymptotes(out, shown[i].lines, ranges[i], 12);
        out << plot_command(layers[i]);
    }
    // A legend is no wider than its plot: an empty one over all panels.
    out << "\nunset label; unset arrow; unset border; unset tics; unset logscale; set xrange [0:1]; set yrange [0:1]\n";
    write_title(out, request.title);
    write_x_label(out, "event separation / µs", with_names);
    write_y_label(out, "events in burst", with_names);
    write_panel(out, with_names);
    write_legend(out, with_names, titles);
    out << "set key maxcols " << legend_columns(titles) << '\n' << plot_command(legend);
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace

void draw_watershed(const FigureRequest& request, const WatershedLook& look) {
    const Inputs inputs =
        read_inputs(request.inputs, {InputKind::LossMap, InputKind::Boundary, InputKind::Fit, InputKind::Advice});
    // A boundary does not say which mix it is for, and two fits are compared in one plane.
    const bool one =
        inputs.maps.empty() || !inputs.boundaries.empty() || inputs.fits.size() > 1 || mixes_of(inputs).size() == 1;
    one ? draw_one(inputs, request, look) : draw_mixes(inputs, request, look);
}

void draw_comparison(const FigureRequest& request) {
    WatershedLook look;
    look.log_events = look.log_separation = true;
    draw_one(read_inputs(request.inputs, {InputKind::Boundary, InputKind::Fit}), request, look);
}

}  // namespace watershed
