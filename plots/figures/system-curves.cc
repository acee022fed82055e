// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/system-curves.h"

#include <algorithm>
#include <cmath>

#include "plots/figures/inputs.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

using nlohmann::json;

namespace {

constexpr const char* kCurveColours[] = {colour::black,  colour::blue,   colour::vermilion, colour::green,
                                         colour::orange, colour::purple, colour::sky_blue,  colour::grey};

/// A single point, or several in one place, is a mark, as it makes no line.
std::string look_of(const SystemCurve& curve) {
    const std::string lines = "with lines ";
    const auto& rows = curve.rows;
    if (curve.look.compare(0, lines.size(), lines) != 0 || rows.empty() ||
        std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row != rows.front(); }))
        return curve.look;
    return "with " + line_or_point(1) + ' ' + curve.look.substr(lines.size());
}

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

/// The largest number by its size that an axis bears; 0 for a logarithmic one, which bears powers.
double largest_at(const SystemRange& range, bool logarithmic, const std::vector<SystemCurve>& curves,
                  std::size_t column) {
    if (logarithmic) return 0;
    double largest = std::max(std::abs(range.from.value_or(0)), std::abs(range.to.value_or(0)));
    if (range.from && range.to) return largest;
    for (const SystemCurve& curve : curves)
        for (const auto& row : curve.rows)
            if (std::isfinite(row[column])) largest = std::max(largest, std::abs(row[column]));
    return largest;
}

void write_range(std::ostream& out, const char* axis, const SystemRange& range, const AxisPower& power) {
    const auto end = [&](const std::optional<double>& value) { return value ? plain_number(power(*value), 6) : "*"; };
    if (range.from || range.to) out << "set " << axis << "range [" << end(range.from) << ':' << end(range.to) << "]\n";
}

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
    Inputs inputs;
    inputs.files = request.inputs;
    constexpr std::size_t kFew = 3;
    std::string source = request.inputs.size() > kFew ? inputs.source() : listed(request.inputs);
    if (!axes.note.empty()) source += " (" + axes.note + ")";
    check_points(curves, axes, source);
    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    const AxisPower x_power = axis_power(largest_at(axes.x_range, axes.log_x, curves, 0)),
                    y_power = axis_power(largest_at(axes.y_range, axes.log_y, curves, 1));
    const std::string x = x_power.label(axes.x), y = y_power.label(axes.y);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out << gnuplot_comment(curves[i].name + ": " + x + ", " + y);
        Figure::Rows rows = curves[i].rows;
        for (auto& row : rows) row = {x_power(row[0]), y_power(row[1])};
        figure.data("curve" + std::to_string(i + 1), rows);
        titles.push_back(curves[i].name);
    }
    Panel panel = panel_below(request.title);
    const std::size_t columns = legend_columns(titles);
    make_room_for_legend(panel, curves.size(),
                         columns < 3 ? std::min(columns, axes.legend_columns) : axes.legend_columns, 1, source);
    write_title(out, request.title);
    write_legend(out, panel, titles);
    write_panel(out, panel);
    write_x_label(out, x, panel);
    write_y_label(out, y, panel);
    if (axes.log_x) out << "set logscale x\n";
    if (axes.log_y) out << "set logscale y\n";
    write_range(out, "x", axes.x_range, x_power);
    write_range(out, "y", axes.y_range, y_power);
    out << axes.commands;
    const char* separator = "plot ";
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out << separator << "$curve" << i + 1 << " using 1:2 " << look_of(curves[i]) << " title "
            << legend_text(curves[i].name);
        separator = ", \\\n     ";
    }
    out << '\n';
    figure.finish();
}

}  // namespace watershed
