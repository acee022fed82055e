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

/// What a panel shows residuals against.
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
    const Inputs inputs = read_inputs(request.inputs, {InputKind::LossMap, InputKind::Fit});
    if (inputs.fits.size() != 1 || inputs.maps.size() != 1)
        throw InputError("residuals: found " + std::to_string(inputs.fits.size()) + " fits and " +
                         std::to_string(inputs.maps.size()) + " loss maps, expected one of each");
    const FitFile& fit = inputs.fits.front();
    const LossMap& map = inputs.maps.front();
    if (fit.residuals.empty())
        throw InputError(fit.file + ": residuals: found none, expected those of the bursts that scatter about the fit");
    Figure figure(request.output, inputs.source() + " (" + fit.model + ", " + fit.status + ")");
    std::ostream& out = figure.script();

    constexpr double kFarthest = 6;  // standard deviations; what lies beyond is drawn there
    Figure::Rows lossless, lossy, beyond;
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
        const bool far = std::abs(value) > kFarthest;
        (far ? beyond : burst.lossless() ? lossless : lossy).push_back({std::clamp(value, -kFarthest, kFarthest)});
        for (const Order& order : kOrders)
            (far ? beyond : burst.lossless() ? lossless : lossy).back().push_back(order.value(burst, row));
        most = std::max(most, std::min(std::abs(value), kFarthest));
    }
    out << gnuplot_comment("residual / standard deviations, separation / us, events, row");
    const std::vector<std::string> titles{"lossless", "lossy", "beyond " + plain_number(kFarthest, 1)};
    if (!lossless.empty()) figure.data("lossless", lossless);
    if (!lossy.empty()) figure.data("lossy", lossy);
    if (!beyond.empty()) figure.data("beyond", beyond);

    const Panel all = panel_below(request.title);
    constexpr double kGap = 0.025;
    const std::vector<Panel> panels = panel_grid(all, std::size(kOrders), 1, kGap, 0);
    out << "\nset multiplot\n";
    write_title(out, request.title);
    write_legend(out, all, titles);
    out << "set key maxrows 1\n";
    write_y_label(out, "residual / standard deviations", all);
    out << "set yrange [" << -1.15 * most << ':' << 1.15 * most << "]\n"
        << "set object 201 rectangle from graph 0, first -2 to graph 1, first 2 behind fillcolor rgb '"
        << colour::sky_blue << "' fillstyle transparent solid 0.15 noborder\n"
        << "set arrow 201 from graph 0, first 0 to graph 1, first 0 nohead linewidth 1.4 linecolor rgb '"
        << colour::black << "'\n";
    for (std::size_t i = 0; i < std::size(kOrders); ++i) {
        const Order& order = kOrders[i];
        const Panel& panel = panels[i];
        out << '\n';
        if (i == 1) out << "unset label 1; unset label 1000; unset label 1001; unset key; set format y ''\n";
        write_panel(out, panel);
        out << "set label 202 ' ' at screen 0, screen 0\nset label 201 " << gnuplot_text(order.label) << " at screen "
            << (panel.left + panel.right) / 2 << ", screen " << panel.bottom - 0.085 << " center\n";
        const auto test = std::find_if(fit.runs_tests.begin(), fit.runs_tests.end(),
                                       [&](const auto& each) { return each.first == order.name; });
        if (test != fit.runs_tests.end())
            out << "set label 202 'runs test: p = " << plain_number(test->second, 2)
                << "' at graph 0.03, graph 0.96 font ',13'\n";
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const Figure::Rows* rows : {&lossless, &lossy, &beyond})
            for (const auto& row : *rows) low = std::min(low, row[i + 1]), high = std::max(high, row[i + 1]);
        const bool one = high == low;
        const double margin = one ? std::max(1.0, 0.05 * high) : 0.05 * (high - low);
        if (order.logarithmic)
            out << "set logscale x; set xrange [" << low / 1.3 << ':' << high * 1.3 << "]; set xtics "
                << log_tics(low / 1.3, high * 1.3, 4) << '\n';
        else
            out << "unset logscale x; set xrange [" << low - margin << ':' << high + margin << "]; set xtics "
                << tic_step((high - low + 2 * margin) * (one ? 2.5 : 1.4)) << '\n';
        const char* separator = "plot ";
        const auto points = [&](const char* block, int type, const char* colour, const std::string& title) {
            out << separator << '$' << block << " using " << i + 2 << ":1 with points pointtype " << type
                << " pointsize 0.75 * mark linewidth 1.6 linecolor rgb '" << colour << "' title "
                << gnuplot_text(title);
            separator = ", \\\n     ";
        };
        if (!lossless.empty()) points("lossless", 7, colour::blue, titles[0]);
        if (!lossy.empty()) points("lossy", 2, colour::vermilion, titles[1]);
        if (!beyond.empty()) points("beyond", 9, colour::black, titles[2]);
        out << '\n';
    }
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
