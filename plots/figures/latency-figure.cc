// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <array>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

namespace watershed {

namespace {

constexpr double kBelow = 0.5;  // events, which come in whole numbers

std::string time_text(double us) {
    return us >= 1000 ? plain_number(us / 1000, 3) + " ms" : plain_number(us, 3) + " µs";
}

}  // namespace

void draw_latency(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Run});
    constexpr std::array kColours{colour::blue, colour::vermilion, colour::green, colour::purple};
    if (inputs.runs.size() > kColours.size())
        throw InputError("latency: found " + std::to_string(inputs.runs.size()) + " runs, expected at most 4");
    refuse_surplus_labels(request, inputs.runs.size());
    double least = 1e300, most = 0, tallest = 0;
    for (const RunFile& run : inputs.runs) {
        if (!run.latency)
            throw InputError(run.file +
                             ": latency: found nothing, expected a run whose scenario has a [server] with a path, and "
                             "with complete events");
        if (run.latency->edges_us.front() <= 0)
            throw InputError(run.file + ": latency: edges_us: found " + plain_number(run.latency->edges_us.front(), 3) +
                             ", expected times above 0");
        least = std::min(least, run.latency->edges_us.front());
        most = std::max(most, run.latency->edges_us.back());
        for (const double events : run.latency->events) tallest = std::max(tallest, events);
    }
    const bool in_ms = most >= 5000;
    const double unit = in_ms ? 1000 : 1;
    const char* name = in_ms ? "ms" : "µs";

    Figure figure(request.output, inputs.source());
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const RunFile::Latency& latency = *inputs.runs[i].latency;
        // An empty bin is drawn below the axis, which is logarithmic.
        Figure::Rows rows{{latency.edges_us.front() / unit, kBelow}};
        for (std::size_t bin = 0; bin < latency.events.size(); ++bin)
            for (const double edge : {latency.edges_us[bin], latency.edges_us[bin + 1]})
                rows.push_back({edge / unit, std::max(kBelow, latency.events[bin])});
        rows.push_back({rows.back()[0], kBelow});
        out << gnuplot_comment(stem_of(inputs.runs[i].file) + ": latency / " + name + ", events");
        figure.data("run" + std::to_string(i + 1), rows);
        const std::string label = i < request.labels.size() ? request.labels[i] : stem_of(inputs.runs[i].file);
        titles.push_back(label + ": median " + time_text(latency.median_us) + ", 99 % " + time_text(latency.p99_us));
    }
    const Panel panel = panel_below(request.title);
    out << '\n';
    write_panel(out, panel);
    write_title(out, request.title);
    write_legend(out, panel, titles);
    out << "set key maxcols 1\n";  // titles are too long to stand side by side
    write_x_label(out, std::string("from trigger to complete event / ") + name, panel);
    write_y_label(out, "events in a bin", panel);
    out << "set logscale x; set xrange [" << 0.93 * least / unit << ':' << 1.07 * most / unit << "]\n";
    out << tics_of_few_powers("x", 0.93 * least / unit, 1.07 * most / unit);
    out << "set logscale y; set yrange [0.7:" << 2 * std::max(1.0, tallest) << "]\n";
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const RunFile::Latency& latency = *inputs.runs[i].latency;
        // gnuplot draws an arrow with the dash of the last one in SVG if both are equally wide.
        for (const auto& [value, look] : {std::pair(latency.median_us, "dashtype 1 linewidth 1.2"),
                                          std::pair(latency.p99_us, "dashtype 2 linewidth 1.5")})
            out << "set arrow from " << value / unit << ", graph 0 to " << value / unit << ", graph 1 nohead " << look
                << " linecolor rgb '" << kColours[i] << "'\n";
    }
    out << "plot ";
    for (std::size_t i = 0; i < inputs.runs.size(); ++i)
        out << (i == 0 ? "" : ", \\\n     ") << "$run" << i + 1 << " using 1:2 with filledcurves y1=" << kBelow
            << " fillstyle transparent solid 0.2 noborder linecolor rgb '" << kColours[i] << "' notitle, \\\n     $run"
            << i + 1 << " using 1:2 with lines linewidth 1.8 linecolor rgb '" << kColours[i] << "' title "
            << legend_text(titles[i]);
    out << '\n';
    figure.finish();
}

}  // namespace watershed
