// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

namespace watershed {

void draw_models(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Fit});
    if (inputs.fits.size() != 1)
        throw InputError("models: found " + std::to_string(inputs.fits.size()) + " fits, expected one");
    const FitFile& fit = inputs.fits.front();
    if (fit.models.empty()) throw InputError(fit.file + ": models: found none, expected those that the fit compared");

    // From the top, the most probable first.
    std::vector<FitFile::Model> models = fit.models;
    std::stable_sort(models.begin(), models.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
    struct Bars {
        const char *block, *colour;
        std::string title;
        Figure::Rows rows;
    };
    std::vector<Bars> all{{"chosen", colour::blue, "chosen", {}},
                          {"feasible", colour::green, "explains every burst", {}},
                          {"infeasible", colour::vermilion, "contradicted by bursts", {}}};
    for (std::size_t i = 0; i < models.size(); ++i) {
        const bool chosen = models[i].name == fit.model;
        if (chosen) all[0].title += models[i].feasible ? ", explains every burst" : ", though bursts contradict it";
        all[chosen               ? 0
            : models[i].feasible ? 1
                                 : 2]
            .rows.push_back({100 * models[i].probability, static_cast<double>(i)});
    }
    all.erase(std::remove_if(all.begin(), all.end(), [](const Bars& bars) { return bars.rows.empty(); }), all.end());

    Figure figure(request.output, inputs.source() + " (" + fit.status + ")");
    std::ostream& out = figure.script();
    out << gnuplot_comment("probability / %, place");
    for (const Bars& bars : all) figure.data(bars.block, bars.rows);
    std::vector<std::string> titles;
    for (const Bars& bars : all) titles.push_back(bars.title);
    Panel panel = panel_below(request.title);
    constexpr std::size_t kLetters = 40;  // of a name, beside bars that are long enough to be compared
    std::size_t longest = 0;
    for (const FitFile::Model& model : models) longest = std::max(longest, shortened(model.name, kLetters).size());
    panel.left =
        std::max(0.27, 0.03 + 0.0113 * static_cast<double>(longest));  // letters of the tics' font are 9 of 800 wide
    write_panel(out, panel);
    write_legend(out, panel, titles);
    write_title(out, request.title);
    write_x_label(out, "probability / %", panel);
    out << "set xrange [0:115]; set xtics 0, 20, 100; set yrange [" << static_cast<double>(models.size()) - 0.4
        << ":-0.6]\nset ytics (";
    for (std::size_t i = 0; i < models.size(); ++i)
        out << (i == 0 ? "" : ", ") << gnuplot_tic(shortened(models[i].name, kLetters)) << ' ' << i;
    out << ") scale 0 font ',15'\nunset grid; set grid xtics back linetype 1 linecolor rgb '#E6E6E6' linewidth 0.8\n";
    for (std::size_t i = 0; i < models.size(); ++i) {
        const double percent = 100 * models[i].probability;
        const std::string text = percent == 0 || percent >= 0.1 ? plain_number(percent, percent < 1 ? 1 : 3) : "< 0.1";
        out << "set label " << gnuplot_text(text + " %") << " at " << percent << ", " << i
            << " left offset character 0.7, 0 font ',15'\n";
    }
    // A bar from 0 to the probability, a third of a place to either side.
    out << "plot ";
    for (const Bars& bars : all)
        out << (&bars == &all.front() ? "" : ", \\\n     ") << '$' << bars.block
            << " using (0):2:(0):1:($2 - 0.33):($2 + 0.33) with boxxyerror fillstyle solid 0.75 noborder linecolor rgb "
               "'"
            << bars.colour << "' title " << gnuplot_text(bars.title);
    out << '\n';
    figure.finish();
}

}  // namespace watershed
