// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/system-curves.h"

#include <algorithm>
#include <cmath>

#include "plots/figures/inputs.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

using nlohmann::json;

namespace {

constexpr const char* kCurveColours[] = {colour::black,  colour::blue,   colour::vermilion, colour::green,
                                         colour::orange, colour::purple, colour::sky_blue,  colour::grey};

/// @throws InputError unless a curve has a point that the axes have a place for
void check_points(const std::vector<SystemCurve>& curves, const SystemAxes& axes, const std::string& source) {
    const auto on_axis = [&](double value, bool logarithmic) {
        return std::isfinite(value) && (!logarithmic || value > 0);
    };
    for (const SystemCurve& curve : curves)
        for (const auto& row : curve.rows)
            if (on_axis(row[0], axes.log_x) && on_axis(row[1], axes.log_y)) return;
    throw InputError(source + ": found no point to draw, expected numbers" + (axes.log_x ? " above 0" : "") + " of \"" +
                     axes.x + "\" and" + (axes.log_y ? " above 0" : "") + " of \"" + axes.y + '"');
}

}  // namespace

std::string line_look(const std::string& style, std::size_t number) {
    return "with " + style + ' ' +
           stroke(kCurveColours[number % std::size(kCurveColours)], 1.8,
                  static_cast<int>(1 + number / std::size(kCurveColours)));
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

void draw_curves(const FigureRequest& request, std::vector<SystemCurve> curves, const SystemAxes& axes) {
    Inputs inputs;
    inputs.files = request.inputs;
    constexpr std::size_t kFew = 3;
    std::string source = request.inputs.size() > kFew ? inputs.source() : listed(request.inputs);
    if (!axes.source_note.empty()) source += " (" + axes.source_note + ")";
    check_points(curves, axes, source);
    Chart chart(request.output, request.title, source);
    std::vector<std::string> titles;
    for (SystemCurve& curve : curves) {
        curve.comment = curve.title + ": " + axes.x + ", " + axes.y;
        titles.push_back(curve.title);
    }
    const std::size_t columns = legend_columns(titles);
    chart.legend_columns = columns < 3 ? std::min(columns, axes.legend_columns) : axes.legend_columns;
    chart.legend_rows = 1;
    chart.in_powers = true;
    ChartPanel& panel = chart.panel();
    panel.series = std::move(curves);
    panel.x = {axes.x, axes.x_range.from, axes.x_range.to, axes.log_x, axes.x_tics, {}, {}, axes.format};
    panel.y = {axes.y, axes.y_range.from, axes.y_range.to, axes.log_y, {}, {}, {}, axes.format};
    panel.notes = axes.notes;
    draw_chart(std::move(chart));
}

}  // namespace watershed
