// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "calibrate/commands/commands.h"
#include "calibrate/thresholds/threshold-report.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

/// Points are found cell by cell: one either way.
constexpr std::int64_t kPoint = 1;
/// Of groups of one headroom, where the table says nothing of a pool.
constexpr std::int64_t kAssumedGroups = 20;

template <class... Told>
void tell(const std::string& into, const Told&... told) {
    if (!into.empty()) OutputFile(into).write(to_json(told...).dump(2) + '\n');
    if (into != "-") print(std::cout, told...);
}

}  // namespace

void fit_thresholds(const CsvTable& table, const std::string& json) {
    const Ladder ladder = ladder_from(table, kPoint);
    if (ladder.readings == 0)
        throw InputError(table.name() + ": point_cells: found no point and no range, expected a threshold to fit");
    tell(json, ladder, fit_ladder(ladder));
}

void advise_thresholds(const CsvTable& table, const std::string& costs, const std::string& json) {
    Ladder ladder = ladder_from(table, 0);  // a campaign finds its points cell by cell
    if (ladder.readings > 0 && fit_ladder(ladder).models.empty()) ladder = ladder_from(table, kPoint);
    const TrialCosts of_trials = costs.empty() ? TrialCosts{} : trial_costs_from(CsvTable::read(costs));
    std::int64_t pool = 0;
    if (const auto column = table.find_column("headroom_pool_cells"))
        for (const CsvTable::Row& row : table.rows())
            if (!row.cells[*column].empty()) pool = std::max(pool, table.integer(row, *column, 0));
    if (const LadderFit fit = fit_ladder(ladder); pool == 0 && fit.headroom) pool = kAssumedGroups * fit.headroom->high;
    tell(json, advise(ladder, of_trials, pool));
}

}  // namespace watershed
