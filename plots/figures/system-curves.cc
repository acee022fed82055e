// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/system-curves.h"

#include <algorithm>

#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

namespace watershed {

using nlohmann::json;

namespace {

constexpr const char* kCurveColours[] = {colour::black,  colour::blue,   colour::vermilion, colour::green,
                                         colour::orange, colour::purple, colour::sky_blue,  colour::grey};

}  // namespace

std::string line_look(const std::string& style, std::size_t number) {
    return "with " + style + " linewidth 1.8 dashtype " + std::to_string(1 + number / std::size(kCurveColours)) +
           " linecolor rgb '" + kCurveColours[number % std::size(kCurveColours)] + "'";
}

const std::string& only_input(const FigureRequest& request) {
    if (request.inputs.size() != 1)
        throw InputError("found " + std::to_string(request.inputs.size()) + " inputs, expected the JSON of one run");
    return request.inputs.front();
}

json read_system_run(const std::string& file, const std::string& system, const std::string& list) {
    json document = read_json<json>(file);
    if (!document.is_object() || document.value("system", json()) != system || !document.contains(list) ||
        document[list].empty())
        throw InputError(file + ": found something else, expected a run of system \"" + system +
                         "\" (JSON from watershed run)");
    return document;
}

void draw_curves(const FigureRequest& request, const std::vector<SystemCurve>& curves, const SystemAxes& axes) {
    std::string source;
    for (const std::string& file : request.inputs) source += (source.empty() ? "" : ", ") + file;
    if (!axes.note.empty()) source += " (" + axes.note + ")";
    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out << "\n# " << curves[i].name << ": " << axes.x << ", " << axes.y << "\n";
        figure.data("curve" + std::to_string(i + 1), curves[i].rows);
        titles.push_back(curves[i].name);
    }
    Panel panel = panel_below(request.title);
    const int columns =
        std::min(axes.legend_columns, static_cast<int>(std::max<std::size_t>(1, legend_columns(titles))));
    const int legend_rows =
        (static_cast<int>(curves.size()) - 1) / (legend_columns(titles) < 3 ? columns : axes.legend_columns);
    panel.top -= 0.04 * legend_rows;
    write_title(out, request.title);
    write_legend(out, panel, titles);
    write_panel(out, panel);
    write_x_label(out, axes.x, panel);
    write_y_label(out, axes.y, panel);
    out << axes.commands;
    const char* separator = "plot ";
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out << separator << "$curve" << i + 1 << " using 1:2 " << curves[i].look << " title "
            << gnuplot_text(curves[i].name);
        separator = ", \\\n     ";
    }
    out << '\n';
    figure.finish();
}

}  // namespace watershed
