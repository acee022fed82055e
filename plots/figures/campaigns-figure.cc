// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
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

    Chart chart(request.output, request.title,
                inputs.source() + (file.settings.empty() ? "" : " (" + file.settings + ")"));
    chart.legend_sample = 4;  // long enough for a dash
    ChartPanel& panel = chart.panel();
    panel.x = {"bursts measured", 1, longest, true, "(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)"};
    panel.y = {"half width of the 95 % interval / %", bottom, kTop, true};
    panel.y.format = "%g";
    constexpr const char* kColours[] = {colour::blue, colour::vermilion, colour::green, colour::purple, colour::orange};
    constexpr int kDashes[] = {4, 5, 1, 2, 3};
    std::vector<Series> curves;  // above all bands
    std::string without_line;
    for (std::size_t i = 0; i < file.strategies.size(); ++i) {
        const auto& after = file.strategies[i].points;
        const std::string name = i < request.labels.size() ? request.labels[i] : file.strategies[i].name,
                          block = "strategy" + std::to_string(i + 1), colour = kColours[i % std::size(kColours)];
        const Figure::Rows rows = percents(file.strategies[i], bottom, kTop);
        panel.series.push_back({"",
                                rows,
                                "using 1:2:4 " + filled(colour, 0.16),
                                {},
                                block,
                                name + ": bursts, half width of the 95 % interval / % in the quartiles of campaigns"});
        // A strategy that never gets below the top of the axis has no line, and no place in the legend.
        const bool has_line =
            std::any_of(after.begin(), after.end(), [&](const auto& point) { return 100 * point.median <= kTop; });
        if (!has_line) without_line += (without_line.empty() ? "" : ", ") + name;
        curves.push_back({has_line ? name : "",
                          rows,
                          "using 1:3 with " + line_or_point(after.size()) + ' ' +
                              stroke(colour, 2.6, kDashes[i % std::size(kDashes)]),
                          {},
                          block});
    }
    panel.series.insert(panel.series.end(), curves.begin(), curves.end());
    if (!without_line.empty())
        panel.notes.push_back(
            {without_line + ": no interval below 100 % yet", "graph 0.015, graph 0.05 left font ',15'"});
    if (file.precision) {
        const double wanted = 100 * *file.precision;
        panel.shapes = {across(wanted, stroke(colour::black, 1.6, 2))};
        panel.notes.push_back({"wanted: " + plain_number(wanted, 2) + " %",
                               "graph 0.015, first " + num(wanted) + " left offset character 0, 0.55 font ',15'"});
    }
    draw_chart(std::move(chart));
}

}  // namespace watershed
