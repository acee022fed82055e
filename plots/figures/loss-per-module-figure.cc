// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <numeric>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
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

    Figure figure(request.output, inputs.source());
    std::ostream& out = figure.script();
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        Figure::Rows rows;
        for (const double lost : inputs.runs[i].lost_by_module)
            rows.push_back({static_cast<double>(rows.size() + 1), lost});
        out << gnuplot_comment(stem_of(inputs.runs[i].file) + ": module, frames lost");
        figure.data("run" + std::to_string(i + 1), rows);
    }

    const Panel all = panel_below(request.title);
    constexpr double kGap = 0.025;
    const std::vector<Panel> panels = panel_grid(all, inputs.runs.size(), 1, kGap, 0);
    out << "\nset multiplot\nset key off\nset style fill solid 0.75 noborder; set boxwidth 0.75\n";
    write_title(out, request.title);
    write_x_label(out, "module", all);
    write_y_label(out, "frames lost", all);
    out << "set yrange [0:" << std::max(1.0, 1.08 * most) << "]\n";
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
        const std::vector<double>& lost = inputs.runs[i].lost_by_module;
        const double sum = std::accumulate(lost.begin(), lost.end(), 0.0), modules = static_cast<double>(lost.size());
        out << '\n';
        write_panel(out, panels[i]);
        const std::string name = i < request.labels.size() ? request.labels[i] : stem_of(inputs.runs[i].file);
        constexpr double kLetters = 78;  // side by side on the whole canvas
        const auto room = static_cast<std::size_t>(kLetters * (panels[i].right - panels[i].left));
        out << (i == 1 ? "unset label; set format y ''\n" : "") << "set xrange [0:" << modules + 1 << "]; set xtics "
            << std::max(1.0, tic_step(modules)) << '\n'
            << "set label 101 " << gnuplot_text(shortened(name, room)) << " at graph 0.5, graph 1.09 center\n"
            << "set label 102 'mean " << plain_number(sum / modules, 3)
            << "' at graph 0.5, graph 1.035 center font ',14'\n"
            << "plot $run" << i + 1 << " using 1:2 with boxes linecolor rgb '" << colour::vermilion << "', \\\n     "
            << sum / modules << " with lines dashtype 2 linewidth 1.6 linecolor rgb '" << colour::black << "'\n";
    }
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
