// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "calibrate/thresholds/thresholds.h"

namespace watershed {
namespace {

/// Ranges that are found quicker by going through them than by bisection: a step takes a sixth of a fill.
constexpr std::int64_t kWalked = 12;
/// Headroom of a group that is looked for by doubling.
constexpr std::int64_t kFirstHeadroom = 64;

ThresholdTrial fill_to(int group, bool drop, std::int64_t cells, std::string why) {
    return {ThresholdTrial::Way::Fill, group, drop, cells, 0, std::move(why)};
}

/// Narrows a range in which the event is certain to come. @param best  the most probable cell
ThresholdTrial within(int group, bool drop, CellRange range, std::int64_t best, const char* what) {
    const std::int64_t before = std::max<std::int64_t>(range.low - 1, 0), steps = range.width() + 1;
    const std::string by_steps = std::string("find ") + what + " cell by cell";
    if (range.width() <= kWalked) return {ThresholdTrial::Way::Steps, group, drop, before, steps, by_steps};
    // A fill says whether the event comes at `cells` or before.
    return fill_to(group, drop, std::clamp(best, range.low, range.high - 1), std::string("halve the range of ") + what);
}

CellRange known_xoff(const Ladder& ladder, const LadderFit& fit, int group, std::int64_t most) {
    CellRange range{1, most};
    if (const auto xoff = ladder.known(group).xoff) range = common(range, *xoff);
    if (!fit.models.empty()) range = common(range, fit.hard_xoff(group));
    return range;
}

double mean_of(const std::vector<double>& values, double otherwise) {
    return values.empty() ? otherwise : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Adds what a trial has shown.
void learn(Ladder& ladder, const ThresholdTrial& trial, CellRange event, const LadderFit& before,
           std::int64_t most_cells) {
    LadderGroup& group = ladder.group(trial.group);
    if (!trial.drop) {
        narrow(group.xoff, event);
        return;
    }
    const CellRange xoff = known_xoff(ladder, before, trial.group, most_cells);
    narrow(group.headroom, {std::max<std::int64_t>(0, event.low - xoff.high - 1), event.high - xoff.low - 1});
}

/// Where the event lies after the trial.
CellRange outcome_of(const ThresholdTrial& trial, std::int64_t at, std::int64_t most_cells) {
    if (trial.way == ThresholdTrial::Way::Steps) return {at, at};
    return at <= trial.cells ? CellRange{0, trial.cells} : CellRange{trial.cells + 1, 2 * most_cells};
}

}  // namespace

TrialCosts trial_costs_from(const CsvTable& table) {
    const std::size_t step = table.column("step"), quantity = table.column("quantity"), value = table.column("value");
    std::vector<std::pair<double, double>> fills;  // cells, seconds
    std::vector<double> first, later;
    for (const CsvTable::Row& row : table.rows()) {
        const std::string& what = row.cells[step];
        const auto at = what.find("candidate ");
        if (row.cells[quantity] != "trial_time" || at == std::string::npos) continue;
        double seconds = 0, cells = 0;
        try {
            seconds = std::stod(row.cells[value]);
            cells = std::stod(what.substr(at + 10));
        } catch (const std::exception&) {
            table.refuse(row, value, "seconds, beside a step such as \"range candidate 20097\"");
        }
        if (what.rfind("range", 0) == 0) fills.emplace_back(cells, seconds);
        if (what.rfind("point first", 0) == 0) first.push_back(seconds);
        if (what.rfind("point +1", 0) == 0) later.push_back(seconds);
    }
    TrialCosts costs;
    costs.source = table.name();
    for (const CsvTable::Row& row : table.rows())
        if (row.cells[quantity] == "total_time" && row.cells[step].rfind("all ", 0) == 0 && !costs.stated)
            costs.stated = double(table.integer(row, value, 0));
    if (fills.size() >= 2) {
        double x = 0, y = 0, xx = 0, xy = 0;
        const auto n = double(fills.size());
        for (const auto& [cells, seconds] : fills) x += cells, y += seconds, xx += cells * cells, xy += cells * seconds;
        if (n * xx > x * x) {
            costs.fill_cell = std::max(0.0, (n * xy - x * y) / (n * xx - x * x));
            costs.fill = (y - costs.fill_cell * x) / n;
        }
    }
    costs.refill = mean_of(first, costs.refill);
    costs.step = mean_of(later, costs.step);
    return costs;
}

std::optional<ThresholdTrial> next_trial(const Ladder& ladder, std::int64_t most_cells, int groups,
                                         std::int64_t precision) {
    const LadderFit fit = fit_ladder(ladder);
    const auto last_headroom = [](int group, CellRange xoff, CellRange left) {
        const CellRange drop = drop_after(xoff, left);
        return within(group, true, drop, drop.low + drop.width() / 2, "the last headroom");
    };
    const CellRange first = known_xoff(ladder, fit, 1, most_cells);
    if (first.empty()) throw std::invalid_argument("nothing explains what is known");
    if (first.width() > precision)
        return within(1, false, first, first.low + first.width() / 2, "XOFF of the first group");
    // One group's headroom beside its XOFF.
    if (!fit.headroom || fit.headroom->width() > precision) {
        CellRange range{0, most_cells};
        if (fit.headroom) range = common(range, *fit.headroom);
        if (const auto headroom = ladder.known(1).headroom) range = common(range, *headroom);
        const CellRange drop = drop_after(first, range);
        std::int64_t best = drop.low + drop.width() / 2;
        if (range.high > most_cells / 2) best = first.low + std::max(kFirstHeadroom, 2 * range.low);
        return within(1, true, drop, best, "the first drop");
    }
    // The second group tells alpha and pool apart; where it does not, the next.
    for (int group = 2; group <= groups; ++group) {
        const CellRange xoff = known_xoff(ladder, fit, group, most_cells);
        const std::optional<CellRange> left = fit.headroom_of(group);
        const bool needed = group == 2 || !fit.told_apart || (fit.pool && left && left->width() > precision);
        if (needed && xoff.width() > precision)
            return within(group, false, xoff, std::llround(fit.xoff(group).estimate), "XOFF of a further group");
        if (!left || left->width() <= precision) {
            if (left && left->high == 0) return std::nullopt;  // the pool has run out
            continue;
        }
        if (left->high >= fit.headroom->high && left->low == 0 && !fit.pool) {
            const auto seen = ladder.known(group).headroom;
            if (!seen || seen->low == 0) {
                // Where the pool runs out: how much is left?
                if (seen && seen->high < fit.headroom->low) return last_headroom(group, xoff, *seen);
                return fill_to(group, true, xoff.low + fit.headroom->low, "does it still have its whole headroom?");
            }
        }
        if (fit.pool) return last_headroom(group, xoff, *left);
    }
    return std::nullopt;
}

ThresholdCampaign plan_campaign(const ThresholdTruth& truth, Ladder ladder, std::int64_t most_cells,
                                const TrialCosts& costs, std::int64_t precision) {
    ThresholdCampaign campaign;
    const int groups = int(truth.xoff.size());
    std::optional<ThresholdTrial> last;
    for (int trials = 0; trials < 1000; ++trials) {
        auto trial = next_trial(ladder, most_cells, groups, precision);
        if (!trial) break;
        // What is known only to a cell or two does not get better by asking again.
        if (last && last->way == trial->way && last->group == trial->group && last->drop == trial->drop &&
            last->cells == trial->cells)
            break;
        last = trial;
        const auto k = std::size_t(trial->group - 1);
        const std::int64_t at = trial->drop ? truth.drop[k] : truth.xoff[k];
        if (trial->way == ThresholdTrial::Way::Steps) {
            trial->steps = std::clamp<std::int64_t>(at - trial->cells, 1, trial->steps);
            campaign.steps += int(trial->steps);
        } else {
            ++campaign.fills;
        }
        campaign.seconds += trial->seconds(costs);
        learn(ladder, *trial, outcome_of(*trial, at, most_cells), fit_ladder(ladder), most_cells);
    }
    campaign.fit = fit_ladder(ladder);
    return campaign;
}

ThresholdCampaign bisect_campaign(const ThresholdTruth& truth, std::int64_t most_cells, const TrialCosts& costs,
                                  std::int64_t range) {
    ThresholdCampaign campaign;
    Ladder ladder;
    for (std::size_t k = 0; k < truth.xoff.size(); ++k) {
        double seconds = 0;
        std::int64_t above = 0;
        for (const bool drop : {false, true}) {
            const std::int64_t at = drop ? truth.drop[k] : truth.xoff[k];
            CellRange event{above + 1, most_cells};
            while (event.width() > range) {
                const ThresholdTrial trial =
                    fill_to(int(k) + 1, drop, event.low + event.width() / 2, "halve the range");
                seconds += trial.seconds(costs);
                ++campaign.fills;
                event = common(event, outcome_of(trial, at, most_cells));
            }
            const std::int64_t steps = at - event.low + 1;
            seconds += costs.refill + costs.step * double(steps);
            campaign.steps += int(steps);
            LadderGroup& group = ladder.group(int(k) + 1);
            (drop ? group.drop : group.xoff) = CellRange{at, at};
            above = at;
        }
        campaign.seconds += seconds;
    }
    campaign.fit = fit_ladder(ladder);
    return campaign;
}

ThresholdTruth truth_of(const LadderModel& model, std::int64_t slice, std::int64_t headroom, std::int64_t pool,
                        int groups) {
    ThresholdTruth truth;
    for (int group = 0; group < groups; ++group) {
        const std::int64_t taken = std::min(headroom, pool);
        pool -= taken;
        truth.xoff.push_back(model.xoff(slice, group));
        truth.drop.push_back(truth.xoff.back() + taken + 1);
    }
    return truth;
}

}  // namespace watershed
