// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <numeric>

#include "plots/figures/figures.h"
#include "plots/figures/system-curves.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"

namespace watershed {
namespace {

using nlohmann::json;

/// Time, mean, least and most of the ports.
std::vector<double> spread(double end_ms, const std::vector<double>& ports) {
    const auto [least, most] = std::minmax_element(ports.begin(), ports.end());
    return {end_ms, std::accumulate(ports.begin(), ports.end(), 0.0) / static_cast<double>(ports.size()), *least,
            *most};
}

AxisPower power_of(std::initializer_list<const Figure::Rows*> all, std::size_t column) {
    double largest = 0;
    for (const Figure::Rows* rows : all)
        for (const auto& row : *rows) largest = std::max(largest, row[column]);
    return axis_power(largest);
}

}  // namespace

void draw_lhcb_throughput(const FigureRequest& request) {
    Figure::Rows producers, consumers, busy;
    const auto read = [&](const json& document) {
        for (const json& window : document["windows"]) {
            const double end_ms = member<double>(window, "end_s") * 1e3;
            producers.push_back(spread(end_ms, member<std::vector<double>>(window, "producers_gbps")));
            consumers.push_back(spread(end_ms, member<std::vector<double>>(window, "consumers_gbps")));
            busy.push_back({end_ms, member<double>(window, "busy")});
        }
    };
    from_system_run(only_input(request), "distribution", read, "windows");
    const AxisPower time = power_of({&producers}, 0), rate = power_of({&producers, &consumers}, 3),
                    count = power_of({&busy}, 1);
    for (Figure::Rows* rows : {&producers, &consumers})
        for (auto& row : *rows) row = {time(row[0]), rate(row[1]), rate(row[2]), rate(row[3])};
    for (auto& row : busy) row = {time(row[0]), count(row[1])};
    Figure figure(request.output, request.inputs.front());
    std::ostream& out = figure.script();
    out << gnuplot_comment("end of the window in ms; mean, least and most of the ports in Gb/s");
    figure.data("producers", producers);
    figure.data("consumers", consumers);
    out << gnuplot_comment("consumers that are busy");
    figure.data("busy", busy);

    Panel upper = panel_below(request.title), lower = upper;
    upper.bottom = 0.43;
    lower.top = 0.36;
    const double first = producers.front()[0], last = producers.back()[0];
    const std::string range =
        last > first ? "set xrange [" + plain_number(first, 6) + ":" + plain_number(last, 6) + "]\n" : "";
    out << "set multiplot\n" << range;
    write_title(out, request.title);
    write_legend(out, upper, {"each producer", "each consumer"});
    write_panel(out, upper);
    write_y_label(out, rate.label("data / (Gb/s)"), upper);
    const auto curve = [&](const char* data, const char* colour, const char* title) {
        return "$" + std::string(data) + " using 1:3:4 with filledcurves fillcolor rgb '" + colour +
               "' fillstyle transparent solid 0.2 noborder notitle, $" + data +
               " using 1:2 with linespoints linewidth 1.8 pointtype 7 pointsize 0.7 * mark linecolor rgb '" + colour +
               "' title " + gnuplot_text(title);
    };
    out << "set format x ''; set yrange [0:*]\nplot " << curve("producers", colour::blue, "each producer")
        << ", \\\n     " << curve("consumers", colour::vermilion, "each consumer") << '\n';
    out << "set format x '%g'; unset key; unset label; unset title\n";
    write_panel(out, lower);
    write_x_label(out, time.label("end of the window / ms"), lower);
    write_y_label(out, count.label("busy consumers"), lower);
    out << "set yrange [0:*]\nplot $busy using 1:2 with linespoints linewidth 1.8 pointtype 5 pointsize 0.7 * mark "
           "linecolor rgb '"
        << colour::black << "' notitle\nunset multiplot\n";
    figure.finish();
}

}  // namespace watershed
