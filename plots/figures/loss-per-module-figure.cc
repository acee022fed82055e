// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <numeric>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"

namespace watershed {

void draw_loss_per_module(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Run});
    constexpr std::size_t kMostPanels = 4;
    if (inputs.runs.size() > kMostPanels)
        throw InputError("loss-per-module: found " + std::to_string(inputs.runs.size()) +
                         " runs, expected at most 4, one for each panel");
    refuse_surplus_labels(request, inputs.runs.size());
    double most = 0;
    for (const RunFile& run : inputs.runs) {
        if (run.lost_by_module.empty())
            throw InputError(run.file + ": lost_by_module: found nothing, expected the frames that each module lost");
        most = std::max(most, *std::max_element(run.lost_by_module.begin(), run.lost_by_module.end()));
    }

    Chart chart(request.output, request.title, inputs.source());
    chart.settings = {"style fill solid 0.75 noborder", "boxwidth 0.75"};
    chart.x.label = "module", chart.y.label = "frames lost";
    constexpr double kGap = 0.025;
    const std::vector<Panel> places = panel_grid(chart.place, inputs.runs.size(), 1, kGap, 0);
    chart.panels.clear();
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const RunFile& run = inputs.runs[i];
        ChartPanel& panel = chart.panels.emplace_back();
        panel.place = places[i];
        Figure::Rows rows;
        for (const double lost : run.lost_by_module) rows.push_back({static_cast<double>(rows.size() + 1), lost});
        const double modules = static_cast<double>(rows.size()),
                     mean = std::accumulate(run.lost_by_module.begin(), run.lost_by_module.end(), 0.0) / modules;
        constexpr double kLetters = 78;  // side by side on the whole canvas
        const auto room = static_cast<std::size_t>(kLetters * (places[i].right - places[i].left));
        const std::string stem = stem_of(run.file), label = i < request.labels.size() ? request.labels[i] : stem;
        panel.x = {"", 0, modules + 1, false, num(std::max(1.0, tic_step(modules)))};
        panel.y = {"", 0, std::max(1.0, 1.08 * most)};
        panel.y.bare = i > 0;
        panel.notes = {{shortened(label, room), "graph 0.5, graph 1.09 center"},
                       {"mean " + plain_number(mean, 3), "graph 0.5, graph 1.035 center font ',14'"}};
        panel.series = {{"",
                         rows,
                         std::string("with boxes linecolor rgb '") + colour::vermilion + "'",
                         {},
                         "run" + std::to_string(i + 1),
                         stem + ": module, frames lost"}};
        panel.shapes = {across(mean, stroke(colour::black, 1.6, 2)) + " front"};
    }
    draw_chart(std::move(chart));
}

}  // namespace watershed
