// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr double kLeastLate = 0.001;  // us: less is drawn as this, on an axis of factors

/// Microseconds, ascending; empty cells left out.
std::vector<double> lateness_in(const CsvTable& table, const char* name) {
    std::vector<double> late;
    const auto column = table.find_column(name);
    if (!column) return late;
    for (const CsvTable::Row& row : table.rows()) {
        if (row.cells[*column].empty()) continue;
        late.push_back(std::max(kLeastLate, in_microseconds(table.microseconds(row, *column))));
    }
    std::sort(late.begin(), late.end());
    return late;
}

/// So late, and the share of the bursts that are no later.
Figure::Rows shares_of(const std::vector<double>& late) {
    Figure::Rows rows;
    if (late.size() == 1) rows.push_back({late.front(), 0});  // one point makes no step
    for (std::size_t i = 0; i < late.size(); ++i)
        rows.push_back({late[i], 100 * static_cast<double>(i + 1) / static_cast<double>(late.size())});
    return rows;
}

}  // namespace

void draw_lateness(const FigureRequest& request) {
    struct Curve {
        std::string name;
        std::vector<double> late;
    };
    constexpr std::size_t kMostMaps = 3;
    if (request.inputs.size() > kMostMaps)
        throw InputError("lateness: found " + std::to_string(request.inputs.size()) + " maps, expected at most 3");
    std::vector<Curve> curves;
    std::string source;
    double most = 1, least = 1;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const CsvTable table = CsvTable::read(request.inputs[i]);
        table.column("worst_trigger_lateness_us");
        const std::string name = i < request.labels.size()   ? request.labels[i] + ", "
                                 : request.inputs.size() > 1 ? stem_of(request.inputs[i]) + ", "
                                                             : "";
        for (const auto& [column, what] : {std::pair("median_trigger_lateness_us", "median trigger"),
                                           std::pair("worst_trigger_lateness_us", "latest trigger")}) {
            std::vector<double> late = lateness_in(table, column);
            if (late.empty()) continue;
            most = std::max(most, late.back()), least = std::min(least, late.front());
            curves.push_back({name + what, std::move(late)});
        }
        source += (source.empty() ? "" : ", ") + request.inputs[i];
    }
    refuse_surplus_labels(request, request.inputs.size());
    if (curves.empty())
        throw InputError(request.inputs.front() + ": worst_trigger_lateness_us: found nothing, expected a lateness");
    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        names.push_back(curves[i].name);
        out << gnuplot_comment(curves[i].name + ": lateness / us, bursts no later / %");
        figure.data("curve" + std::to_string(i + 1), shares_of(curves[i].late));
    }
    Panel panel = panel_below(request.title);
    make_room_for_legend(panel, names, source);
    write_panel(out, panel);
    write_legend(out, panel, names);
    write_title(out, request.title);
    write_x_label(out, "lateness of a trigger / µs", panel);
    write_y_label(out, "bursts that are no later / %", panel);
    out << "set logscale x; set xrange [" << 0.8 * least << ':' << 1.3 * most << "]; set yrange [0:100]\n"
        << "set format x '%g'\n";
    constexpr const char* kColours[] = {colour::blue,   colour::vermilion, colour::sky_blue,
                                        colour::orange, colour::green,     colour::purple};
    out << "plot ";
    for (std::size_t i = 0; i < curves.size(); ++i)
        out << (i == 0 ? "" : ", \\\n     ") << "$curve" << i + 1
            << " using 1:2 with steps linewidth 2.6 linecolor rgb '" << kColours[i % std::size(kColours)] << "' title "
            << legend_text(names[i]);
    out << '\n';
    figure.finish();
}

}  // namespace watershed
