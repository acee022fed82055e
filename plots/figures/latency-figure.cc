// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <array>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
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

    Chart chart(request.output, request.title, inputs.source());
    ChartPanel& panel = chart.panel();
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const RunFile::Latency& latency = *inputs.runs[i].latency;
        // An empty bin is drawn below the axis, which is logarithmic.
        Figure::Rows rows{{latency.edges_us.front() / unit, kBelow}};
        for (std::size_t bin = 0; bin < latency.events.size(); ++bin)
            for (const double edge : {latency.edges_us[bin], latency.edges_us[bin + 1]})
                rows.push_back({edge / unit, std::max(kBelow, latency.events[bin])});
        rows.push_back({rows.back()[0], kBelow});
        const std::string stem = stem_of(inputs.runs[i].file);
        panel.series.push_back({(i < request.labels.size() ? request.labels[i] : stem) + ": median " +
                                    time_text(latency.median_us) + ", 99 % " + time_text(latency.p99_us),
                                rows,
                                lines(kColours[i]),
                                {filled(kColours[i], 0.2, "y1=" + num(kBelow))},
                                "run" + std::to_string(i + 1),
                                stem + ": latency / " + name + ", events"});
        // gnuplot draws an arrow with the dash of the last one in SVG if both are equally wide.
        panel.shapes.push_back(upright(latency.median_us / unit, stroke(kColours[i], 1.2)));
        panel.shapes.push_back(upright(latency.p99_us / unit, stroke(kColours[i], 1.5, 2)));
    }
    chart.legend_columns = 1;  // titles are too long to stand side by side
    const double low = 0.93 * least / unit, high = 1.07 * most / unit;
    panel.x = {std::string("from trigger to complete event / ") + name, low, high, true, tics_of_few_powers(low, high)};
    panel.y = {"events in a bin", 0.7, 2 * std::max(1.0, tallest), true};
    draw_chart(std::move(chart));
}

}  // namespace watershed
