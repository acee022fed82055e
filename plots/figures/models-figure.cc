// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
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
    Series chosen{"chosen", {}, bars(colour::blue, 0), {}, "chosen", "probability / %, place"},
        feasible{"explains every burst", {}, bars(colour::green, 0), {}, "feasible"},
        infeasible{"contradicted by bursts", {}, bars(colour::vermilion, 0), {}, "infeasible"};
    Chart chart(request.output, request.title, inputs.source() + " (" + fit.status + ")");
    ChartPanel& panel = chart.panel();
    constexpr std::size_t kLetters = 40;  // longest name beside bars that are long enough to be compared
    std::size_t longest = 0;
    for (const FitFile::Model& model : models) {
        const double percent = 100 * model.probability, place = static_cast<double>(panel.notes.size());
        if (model.name == fit.model)
            chosen.title += model.feasible ? ", explains every burst" : ", though bursts contradict it";
        (model.name == fit.model ? chosen : model.feasible ? feasible : infeasible).rows.push_back({percent, place});
        panel.y.names.emplace_back(shortened(model.name, kLetters), place);
        longest = std::max(longest, panel.y.names.back().first.size());
        const std::string text = percent == 0 || percent >= 0.1 ? plain_number(percent, percent < 1 ? 1 : 3) : "< 0.1";
        panel.notes.push_back(
            {text + " %", num(percent) + ", " + num(place) + " left offset character 0.7, 0 font ',15'"});
    }
    for (const Series& series : {chosen, feasible, infeasible})
        if (!series.rows.empty()) panel.series.push_back(series);
    panel.place.left =
        std::max(0.27, 0.03 + 0.0113 * static_cast<double>(longest));  // letters of the tics' font are 9 of 800 wide
    panel.x = {"probability / %", 0, 115, false, "0, 20, 100"};
    panel.y.from = static_cast<double>(models.size()) - 0.4, panel.y.to = -0.6;
    panel.y.tics_look = "scale 0 font ',15'";
    chart.settings = {"grid noytics"};
    draw_chart(std::move(chart));
}

}  // namespace watershed
