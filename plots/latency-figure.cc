// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <array>

#include "plots/figures.h"
#include "plots/gnuplot.h"
#include "plots/inputs.h"
#include "plots/style.h"
#include "scenarios/input-error.h"

namespace watershed {

void draw_latency(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Run});
    constexpr std::array kColours{colour::blue, colour::vermilion, colour::green, colour::purple};
    if (inputs.runs.size() > kColours.size()) throw InputError("latency: found " + std::to_string(inputs.runs.size()) + " runs, expected at most 4");
    refuse_surplus_labels(request, inputs.runs.size());
    double least = 1e300, most = 0, tallest = 0;
    for (const RunFile& run : inputs.runs) {
        if (!run.latency) throw InputError(run.file + ": latency: found nothing, expected a run whose scenario has a [server] with a path, and with complete events");
        least = std::min(least, run.latency->least_us);
        most = std::max(most, run.latency->most_us);
        for (const double events : run.latency->events) tallest = std::max(tallest, events);
    }
    const bool log_time = most > 30 * least && least > 0;
    const bool in_ms = most >= 5000;
    const double unit = in_ms ? 1000 : 1;
    const char* name = in_ms ? "ms" : "µs";

    Figure figure(request.output, inputs.source());
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const RunFile::Latency& latency = *inputs.runs[i].latency;
        Figure::Rows rows{{latency.least_us / unit, 0.5}};
        for (std::size_t bin = 0; bin < latency.events.size(); ++bin) {
            // An empty bin is drawn below the axis, which is logarithmic.
            const double from = (latency.least_us + static_cast<double>(bin) * latency.bin_us) / unit, height = std::max(0.5, latency.events[bin]);
            rows.push_back({from, height});
            rows.push_back({from + latency.bin_us / unit, height});
        }
        rows.push_back({rows.back()[0], 0.5});
        out << "\n# " << stem_of(inputs.runs[i].file) << ": latency / " << name << ", events\n";
        figure.data("run" + std::to_string(i + 1), rows);
        const std::string label = i < request.labels.size() ? request.labels[i] : stem_of(inputs.runs[i].file);
        titles.push_back(label + ": median " + plain_number(latency.median_us / unit, 3) + ", 99 % " + plain_number(latency.p99_us / unit, 3) + ' ' + name);
    }
    const Panel panel = panel_below(request.title);
    out << '\n';
    write_panel(out, panel);
    write_title(out, request.title);
    write_legend(out, panel, titles);
    write_x_label(out, std::string("from trigger to complete event / ") + name, panel);
    write_y_label(out, "events in a bin", panel);
    const double margin = 0.04 * (most - least) / unit;
    if (log_time)
        out << "set logscale x; set xrange [" << 0.9 * least / unit << ':' << 1.15 * most / unit << "]\n";
    else
        out << "set xrange [" << std::max(0.0, least / unit - margin) << ':' << (most > least ? most / unit + margin : 1.1 * most / unit) << "]\n";
    out << "set logscale y; set yrange [0.7:" << 2 * std::max(1.0, tallest) << "]\n";
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const RunFile::Latency& latency = *inputs.runs[i].latency;
        for (const auto& [value, dash] : {std::pair(latency.median_us, 1), std::pair(latency.p99_us, 2)})
            out << "set arrow from " << value / unit << ", graph 0 to " << value / unit << ", graph 1 nohead dashtype " << dash << " linewidth 1.2 linecolor rgb '" << kColours[i] << "'\n";
    }
    out << "plot ";
    for (std::size_t i = 0; i < inputs.runs.size(); ++i)
        out << (i == 0 ? "" : ", \\\n     ") << "$run" << i + 1 << " using 1:2 with filledcurves y1=0.5 fillstyle transparent solid 0.2 noborder linecolor rgb '" << kColours[i] << "' notitle, \\\n     $run"
            << i + 1 << " using 1:2 with lines linewidth 1.8 linecolor rgb '" << kColours[i] << "' title " << gnuplot_text(titles[i]);
    out << '\n';
    figure.finish();
}

}  // namespace watershed
