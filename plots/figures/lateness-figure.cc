// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
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
    constexpr std::size_t kMostMaps = 3;
    if (request.inputs.size() > kMostMaps)
        throw InputError("lateness: found " + std::to_string(request.inputs.size()) + " maps, expected at most 3");
    refuse_surplus_labels(request, request.inputs.size());
    constexpr const char* kColours[] = {colour::blue,   colour::vermilion, colour::sky_blue,
                                        colour::orange, colour::green,     colour::purple};
    Chart chart(request.output, request.title, listed(request.inputs));
    ChartPanel& panel = chart.panel();
    double most = 1, least = 1;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const CsvTable table = CsvTable::read(request.inputs[i]);
        table.column("worst_trigger_lateness_us");
        const std::string name = i < request.labels.size()   ? request.labels[i] + ", "
                                 : request.inputs.size() > 1 ? stem_of(request.inputs[i]) + ", "
                                                             : "";
        for (const auto& [column, what] : {std::pair("median_trigger_lateness_us", "median trigger"),
                                           std::pair("worst_trigger_lateness_us", "latest trigger")}) {
            const std::vector<double> late = lateness_in(table, column);
            if (late.empty()) continue;
            most = std::max(most, late.back()), least = std::min(least, late.front());
            panel.series.push_back({name + what,
                                    shares_of(late),
                                    "with steps " + stroke(kColours[panel.series.size() % std::size(kColours)], 2.6),
                                    {},
                                    {},
                                    name + what + ": lateness / us, bursts no later / %"});
        }
    }
    if (panel.series.empty())
        throw InputError(request.inputs.front() + ": worst_trigger_lateness_us: found nothing, expected a lateness");
    panel.x = {"lateness of a trigger / µs", 0.8 * least, 1.3 * most, true, {}, {}, {}, "%g"};
    panel.y = {"bursts that are no later / %", 0, 100};
    draw_chart(std::move(chart));
}

}  // namespace watershed
