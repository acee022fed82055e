// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <numeric>

#include "plots/figures/figures.h"
#include "plots/figures/system-curves.h"

namespace watershed {
namespace {

using nlohmann::json;

/// Time, mean, least and most of the ports.
std::vector<double> spread(double end_ms, const std::vector<double>& ports) {
    const auto [least, most] = std::minmax_element(ports.begin(), ports.end());
    return {end_ms, std::accumulate(ports.begin(), ports.end(), 0.0) / static_cast<double>(ports.size()), *least,
            *most};
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
    Chart chart(request.output, request.title, request.inputs.front());
    chart.in_powers = true;
    chart.panels.resize(2, chart.panel());
    ChartPanel &upper = chart.panels[0], &lower = chart.panels[1];
    upper.place.bottom = 0.43, lower.place.top = 0.36;
    const bool wide = producers.back()[0] > producers.front()[0];
    upper.x = lower.x = {"", wide ? producers.front()[0] : NAN, wide ? producers.back()[0] : NAN};
    upper.x.bare = true, lower.x.label = "end of the window / ms", lower.x.format = "%g";
    upper.y = {"data / (Gb/s)", 0}, lower.y = {"busy consumers", 0};
    const auto each = [](const char* name, const char* title, const Figure::Rows& rows, const char* colour) {
        return Series{title,
                      rows,
                      marked_lines(colour, 7, 0.7),
                      {"using 1:3:4 " + filled(colour, 0.2)},
                      name,
                      "end of the window in ms; mean, least and most of the ports in Gb/s"};
    };
    upper.series = {each("producers", "each producer", producers, colour::blue),
                    each("consumers", "each consumer", consumers, colour::vermilion)};
    lower.series = {{"", busy, marked_lines(colour::black, 5, 0.7), {}, "busy", "consumers that are busy"}};
    draw_chart(std::move(chart));
}

}  // namespace watershed
