// SPDX-License-Identifier: GPL-2.0-only
// Ways to read out a camera: what each asks of the server, or costs, against the chance that it loses an event.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plots/figures/explored-result.h"
#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"

namespace watershed {

void draw_pareto(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed explore --json");
    const auto result = read_json<nlohmann::ordered_json>(request.inputs.front());
    check_explored(result, request.inputs.front());

    constexpr double kDeepest = -40;  // what is rarer is drawn here
    const auto& ways = result["ways"];
    const bool priced = std::all_of(ways.begin(), ways.end(),
                                    [](const auto& way) { return way["rank"].is_null() || !way["price"].is_null(); }) &&
                        result["feasible"] > 0;
    Figure::Rows feasible, others, front;
    double most = 1;
    struct Name {
        std::string text;
        double x, y;
    };
    std::vector<Name> names;  // in the order of the ranking
    for (const auto& way : ways) {
        if (way["risk"].is_null() || (priced && way["price"].is_null())) continue;
        const double x = priced ? way["price"].get<double>() : way["interfaces"].get<double>();
        const double y =
            way["log10_risk"].is_null() ? kDeepest : std::clamp(way["log10_risk"].get<double>(), kDeepest, 0.0);
        most = std::max(most, x);
        (way["pareto"] == true ? front : way["rank"].is_null() ? others : feasible).push_back({x, y});
        if (way["pareto"] == true) names.push_back({way["switch"], x, y});
    }
    if (feasible.empty() && others.empty() && front.empty())
        throw InputError(request.inputs.front() + ": the risk of no way is known");

    // Each switch once, where it is first in the ranking and hides no other name.
    std::string labels;
    std::vector<Name> written;
    for (const Name& name : names) {
        const bool hidden = std::any_of(written.begin(), written.end(), [&](const Name& other) {
            return other.text == name.text || (std::abs(other.x - name.x) < most / 4 && std::abs(other.y - name.y) < 3);
        });
        if (hidden) continue;
        written.push_back(name);
        labels += "set label " + gnuplot_text(name.text) + " at " + std::to_string(name.x) + ", " +
                  std::to_string(name.y) + " left offset 0.8, 0.7 font ',14'\n";
    }

    Figure figure(request.output, stem_of(request.inputs.front()));
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    std::string plot;
    const auto series = [&](const char* name, const Figure::Rows& rows, const char* title, const std::string& look) {
        if (rows.empty()) return;
        figure.data(name, rows);
        titles.push_back(title);
        plot += (plot.empty() ? "plot $" : ", \\\n     $") + std::string(name) + " with points " + look + " title '" +
                title + "'";
    };
    series("others", others, "too risky, or not known to fit",
           "pointtype 6 pointsize 0.8 * mark linecolor rgb '" + std::string(colour::grey) + "'");
    series("feasible", feasible, "feasible",
           "pointtype 7 pointsize 1.0 * mark linecolor rgb '" + std::string(colour::sky_blue) + "'");
    series("front", front, "none better in all respects",
           "pointtype 13 pointsize 1.6 * mark linecolor rgb '" + std::string(colour::vermilion) + "'");
    write_title(out, request.title);
    const Panel panel = panel_below(request.title);
    write_panel(out, panel);
    write_legend(out, panel, titles);
    write_x_label(out, priced ? "price of all switches" : "interfaces of the server", panel);
    write_y_label(out, "chance that an event is incomplete / log₁₀", panel);
    out << "set xrange [0:" << 1.12 * most << "]\nset yrange [" << kDeepest - 3 << ":2]\nset ytics (";
    for (int y = 0; y >= static_cast<int>(kDeepest); y -= 10)
        out << (y == 0 ? "" : ", ") << "'" << (y == static_cast<int>(kDeepest) ? "≤ " : "") << (y < 0 ? "−" : "") << -y
            << "' " << y;
    const double wanted = std::log10(result["loss"].get<double>());
    out << ")\nset arrow from graph 0, first " << wanted << " to graph 1, first " << wanted
        << " nohead dashtype 2 linewidth 1.5 linecolor rgb '" << colour::black << "'\n"
        << "set label 'wanted' at graph 0.99, first " << wanted << " right offset 0, 0.6 font ',14'\n"
        << labels << plot << '\n';
    figure.finish();
}

}  // namespace watershed
