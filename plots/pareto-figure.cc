// SPDX-License-Identifier: GPL-2.0-only
// Ways to read out a camera: what each asks of the server, or costs, against the chance that it loses an event.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "plots/figures.h"
#include "plots/gnuplot.h"
#include "plots/inputs.h"
#include "plots/style.h"
#include "scenarios/input-error.h"

namespace watershed {

void draw_pareto(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed explore --json");
    nlohmann::ordered_json result;
    std::ifstream in(request.inputs.front());
    if (!in) throw InputError(request.inputs.front() + ": cannot be read");
    try {
        result = nlohmann::ordered_json::parse(in);
        result.at("ways").at(0).at("interfaces");
    } catch (const nlohmann::json::exception&) {
        throw InputError(request.inputs.front() + ": expected a result of watershed explore --json");
    }

    constexpr double kDeepest = -40;   // what is rarer is drawn here
    const auto& ways = result["ways"];
    const bool priced = std::all_of(ways.begin(), ways.end(), [](const auto& way) { return way["rank"].is_null() || !way["price"].is_null(); }) && result["feasible"] > 0;
    Figure::Rows feasible, others, front;
    double most = 1;
    std::set<std::string> named;   // each switch once, where it is first in the ranking
    std::set<std::pair<double, double>> labelled;   // places
    std::string labels;
    for (const auto& way : ways) {
        if (way["risk"].is_null() || (priced && way["price"].is_null())) continue;
        const double x = priced ? way["price"].get<double>() : way["interfaces"].get<double>();
        const double y = way["log10_risk"].is_null() ? kDeepest : std::clamp(way["log10_risk"].get<double>(), kDeepest, 0.0);
        most = std::max(most, x);
        (way["pareto"] == true ? front : way["rank"].is_null() ? others : feasible).push_back({x, y});
        if (way["pareto"] == true && named.size() < 4 && labelled.insert({x, y}).second && named.insert(way["switch"]).second)
            labels += "set label " + gnuplot_text(way["switch"].get<std::string>()) + " at " + std::to_string(x) + ", " + std::to_string(y) + " left offset 0.8, 0.7 font ',14'\n";
    }
    if (feasible.empty() && others.empty() && front.empty()) throw InputError(request.inputs.front() + ": the risk of no way is known");

    Figure figure(request.output, stem_of(request.inputs.front()));
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    std::string plot;
    const auto series = [&](const char* name, const Figure::Rows& rows, const char* title, const std::string& look) {
        if (rows.empty()) return;
        figure.data(name, rows);
        titles.push_back(title);
        plot += (plot.empty() ? "plot $" : ", \\\n     $") + std::string(name) + " with points " + look + " title '" + title + "'";
    };
    series("others", others, "too risky, or not known to fit", "pointtype 6 pointsize 0.8 * mark linecolor rgb '" + std::string(colour::grey) + "'");
    series("feasible", feasible, "feasible", "pointtype 7 pointsize 1.0 * mark linecolor rgb '" + std::string(colour::sky_blue) + "'");
    series("front", front, "none better in all respects", "pointtype 13 pointsize 1.6 * mark linecolor rgb '" + std::string(colour::vermilion) + "'");
    write_title(out, request.title);
    const Panel panel = panel_below(request.title);
    write_panel(out, panel);
    write_legend(out, panel, titles);
    write_x_label(out, priced ? "price of all switches" : "interfaces of the server", panel);
    write_y_label(out, "chance that an event is incomplete / log₁₀", panel);
    out << "set xrange [0:" << 1.12 * most << "]\nset yrange [" << kDeepest - 3 << ":2]\nset ytics (";
    for (int y = 0; y >= static_cast<int>(kDeepest); y -= 10) out << (y == 0 ? "" : ", ") << "'" << (y == static_cast<int>(kDeepest) ? "≤ " : "") << (y < 0 ? "−" : "") << -y << "' " << y;
    const double wanted = std::log10(result["loss"].get<double>());
    out << ")\nset arrow from graph 0, first " << wanted << " to graph 1, first " << wanted << " nohead dashtype 2 linewidth 1.5 linecolor rgb '" << colour::black << "'\n"
        << "set label 'wanted' at graph 0.99, first " << wanted << " right offset 0, 0.6 font ',14'\n" << labels << plot << '\n';
    figure.finish();
}

}  // namespace watershed
