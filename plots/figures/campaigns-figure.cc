// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// A curve's half widths in per cent: bursts, the quartiles of the campaigns. A median that is not known yet lies
/// beyond the top; the band ends at `bottom` and `top`, since gnuplot draws what it cuts of a band at the wrong bursts.
Figure::Rows percents(const CampaignsFile::Strategy& strategy, double bottom, double top) {
    Figure::Rows rows;
    for (const CampaignsFile::Point& point : strategy.points)
        rows.push_back({static_cast<double>(point.bursts), std::clamp(100 * point.half_width.low, bottom, top),
                        std::min(100 * point.median, 10 * top), std::clamp(100 * point.half_width.high, bottom, top)});
    return rows;
}

}  // namespace

void draw_campaigns(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Campaigns});
    if (inputs.campaigns.size() != 1)
        throw InputError("campaigns: found " + std::to_string(inputs.campaigns.size()) + " comparisons, expected one");
    const CampaignsFile& file = inputs.campaigns.front();
    refuse_surplus_labels(request, file.strategies.size());
    double least = 1, longest = 2;  // per cent, bursts
    for (const CampaignsFile::Strategy& strategy : file.strategies)
        for (const CampaignsFile::Point& point : strategy.points) {
            if (std::isfinite(point.median)) least = std::min(least, 100 * point.median);
            longest = std::max(longest, static_cast<double>(point.bursts));
        }
    constexpr double kTop = 100, kFloor = 0.01;  // per cent
    const double bottom = std::max(kFloor, 0.6 * least);

    Figure figure(request.output, inputs.source() + (file.settings.empty() ? "" : " (" + file.settings + ")"));
    std::ostream& out = figure.script();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < file.strategies.size(); ++i) {
        names.push_back(i < request.labels.size() ? request.labels[i] : file.strategies[i].name);
        out << gnuplot_comment(names.back() +
                               ": bursts, half width of the 95 % interval / % in the quartiles of campaigns");
        figure.data("strategy" + std::to_string(i + 1), percents(file.strategies[i], bottom, kTop));
    }
    // What never gets below the top of the axis has no line, and no place in the legend.
    std::string without_line;
    std::vector<bool> has_line;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& points = file.strategies[i].points;
        has_line.push_back(
            std::any_of(points.begin(), points.end(), [&](const auto& point) { return 100 * point.median <= kTop; }));
        if (!has_line.back()) without_line += (without_line.empty() ? "" : ", ") + names[i];
    }
    Panel panel = panel_below(request.title);
    make_room_for_legend(panel, names, inputs.source());
    write_panel(out, panel);
    write_legend(out, panel, names);
    if (!without_line.empty())
        out << "set label 102 " << gnuplot_text(without_line + ": no interval below 100 % yet")
            << " at graph 0.015, graph 0.05 left font ',15'\n";
    out << "set key samplen 4\n";  // long enough for a dash
    write_title(out, request.title);
    write_x_label(out, "bursts measured", panel);
    write_y_label(out, "half width of the 95 % interval / %", panel);
    out << "set logscale xy; set xrange [1:" << longest << "]; set yrange [" << bottom << ':' << kTop << "]\n"
        << "set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000); set format y '%g'\n";
    if (file.precision)
        out << "set arrow 101 from graph 0, first " << 100 * *file.precision << " to graph 1, first "
            << 100 * *file.precision << " nohead dashtype 2 linewidth 1.6 linecolor rgb '" << colour::black << "'\n"
            << "set label 101 'wanted: " << plain_number(100 * *file.precision, 2) << " %' at graph 0.015, first "
            << 100 * *file.precision << " left offset character 0, 0.55 font ',15'\n";
    constexpr const char* kColours[] = {colour::blue, colour::vermilion, colour::green, colour::purple, colour::orange};
    constexpr int kDashes[] = {4, 5, 1, 2, 3};
    out << "plot ";
    for (std::size_t i = 0; i < names.size(); ++i)
        out << (i == 0 ? "" : ", \\\n     ") << "$strategy" << i + 1
            << " using 1:2:4 with filledcurves fillstyle transparent solid 0.16 noborder linecolor rgb '"
            << kColours[i % std::size(kColours)] << "' notitle";
    for (std::size_t i = 0; i < names.size(); ++i)
        out << ", \\\n     $strategy" << i + 1 << " using 1:3 with " << line_or_point(file.strategies[i].points.size())
            << " linewidth 2.6 dashtype " << kDashes[i % std::size(kDashes)] << " linecolor rgb '"
            << kColours[i % std::size(kColours)] << "' title " << legend_text(has_line[i] ? names[i] : "");
    out << '\n';
    figure.finish();
}

}  // namespace watershed
