// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// The quantity against which a panel shows residuals.
struct Order {
    const char* name;  ///< in the fit's runs tests
    const char* label;
    double (*value)(const LossMapRow& row, std::int64_t number);
    bool logarithmic;
};

constexpr Order kOrders[] = {
    {"separation", "separation / µs",
     [](const LossMapRow& row, std::int64_t) { return in_microseconds(row.separation); }, false},
    {"events", "events in burst", [](const LossMapRow& row, std::int64_t) { return static_cast<double>(row.events); },
     true},
    {"row", "row of the map", [](const LossMapRow&, std::int64_t number) { return static_cast<double>(number); },
     false},
};

}  // namespace

void draw_residuals(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::LossMap, InputKind::Fit}, request.columns);
    if (inputs.fits.size() != 1 || inputs.maps.size() != 1)
        throw InputError("residuals: found " + std::to_string(inputs.fits.size()) + " fits and " +
                         std::to_string(inputs.maps.size()) + " loss maps, expected one of each");
    const FitFile& fit = inputs.fits.front();
    const LossMap& map = inputs.maps.front();
    if (fit.residuals.empty())
        throw InputError(fit.file + ": residuals: found none, expected those of the bursts that scatter about the fit");
    constexpr double kFarthest = 6;  // standard deviations; what lies beyond is drawn there
    Series lossless{"lossless", {}, points(colour::blue, 7, 0.75, 1.6), {}, "lossless"},
        lossy{"lossy", {}, points(colour::vermilion, 2, 0.75, 1.6), {}, "lossy"},
        beyond{"beyond " + plain_number(kFarthest, 1), {}, points(colour::black, 9, 0.75, 1.6), {}, "beyond"};
    double most = 3;
    for (const auto& [row, value, fitted] : fit.residuals) {
        if (row < 1 || row > static_cast<std::int64_t>(map.rows.size()))
            throw InputError(fit.file + ": residuals: found row " + std::to_string(row) + ", but " + map.source +
                             " has " + std::to_string(map.rows.size()) + " rows");
        const LossMapRow& burst = map.rows[static_cast<std::size_t>(row) - 1];
        const auto told = [](const std::vector<double>& of) {
            return plain_number(of[1], 12) + " events " + plain_number(of[0], 12) + " us apart with " +
                   plain_number(of[2], 12) + " frames lost";
        };
        const std::vector<double> found{in_microseconds(burst.separation), double(burst.events),
                                        double(burst.frames_lost())};
        if (fitted.size() == found.size() && found != fitted)
            throw InputError(map.source + ": row " + std::to_string(row) + ": found " + told(found) + ", expected " +
                             told(fitted) + " as in the map of " + fit.file + ", in its order");
        Series& series = std::abs(value) > kFarthest ? beyond : burst.lossless() ? lossless : lossy;
        series.rows.push_back({std::clamp(value, -kFarthest, kFarthest)});
        for (const Order& order : kOrders) series.rows.back().push_back(order.value(burst, row));
        most = std::max(most, std::min(std::abs(value), kFarthest));
    }

    Chart chart(request.output, request.title, inputs.source() + " (" + fit.model + ", " + fit.status + ")");
    chart.y.label = "residual / standard deviations";
    chart.wide_legend = true;
    constexpr double kGap = 0.025;
    const std::vector<Panel> places = panel_grid(chart.place, std::size(kOrders), 1, kGap, 0);
    chart.panels.clear();
    for (std::size_t i = 0; i < std::size(kOrders); ++i) {
        const Order& order = kOrders[i];
        ChartPanel& panel = chart.panels.emplace_back();
        panel.place = places[i];
        panel.shapes = {"object rectangle from graph 0, first -2 to graph 1, first 2 behind fillcolor rgb '" +
                            std::string(colour::sky_blue) + "' fillstyle transparent solid 0.15 noborder",
                        across(0, stroke(colour::black, 1.4))};
        const auto test = std::find_if(fit.runs_tests.begin(), fit.runs_tests.end(),
                                       [&](const auto& each) { return each.first == order.name; });
        if (test != fit.runs_tests.end())
            panel.notes = {{"runs test: p = " + plain_number(test->second, 2), "graph 0.03, graph 0.96 font ',13'"}};
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (Series series : {lossless, lossy, beyond}) {
            if (series.rows.empty()) continue;
            for (const auto& row : series.rows) low = std::min(low, row[i + 1]), high = std::max(high, row[i + 1]);
            series.look = "using " + std::to_string(i + 2) + ":1 " + series.look;
            if (i > 0) series.title.clear();
            if (panel.series.empty()) series.comment = "residual / standard deviations, separation / us, events, row";
            panel.series.push_back(series);
        }
        const bool one = high == low;
        const double margin = one ? std::max(1.0, 0.05 * high) : 0.05 * (high - low);
        if (order.logarithmic)
            panel.x = {order.label, low / 1.3, high * 1.3, true, log_tics(low / 1.3, high * 1.3, 4)};
        else
            panel.x = {order.label, low - margin, high + margin, false,
                       num(tic_step((high - low + 2 * margin) * (one ? 2.5 : 1.4)))};
        panel.y = {"", -1.15 * most, 1.15 * most};
        panel.y.bare = i > 0;
    }
    draw_chart(std::move(chart));
}

}  // namespace watershed
