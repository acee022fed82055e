// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/thresholds/thresholds.h"

#include <numeric>

#include "calibrate/posterior/statistics.h"
#include "model/base/search.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

constexpr std::int64_t kMostCells = 100'000'000;
constexpr std::int64_t kMostReserved = 2000;
constexpr int kMostGroups = 1000;

std::optional<std::int64_t> number_in(const CsvTable& table, const CsvTable::Row& row, const char* name) {
    const auto column = table.find_column(name);
    if (!column || row.cells[*column].empty()) return std::nullopt;
    const std::int64_t value = table.integer(row, *column, 0);
    if (value > kMostCells) table.refuse(row, *column, "at most 10^8 cells");
    return value;
}

std::string text_in(const CsvTable& table, const CsvTable::Row& row, const char* name) {
    const auto column = table.find_column(name);
    return column ? row.cells[*column] : std::string();
}

/// The point, or the range, or both.
std::optional<CellRange> reading_of(const CsvTable& table, const CsvTable::Row& row, std::int64_t tolerance) {
    const auto point = number_in(table, row, "point_cells"), low = number_in(table, row, "lower_cells"),
               high = number_in(table, row, "upper_cells");
    CellRange range{low.value_or(0), high.value_or(kMostCells)};
    if (range.empty()) table.refuse(row, table.column("upper_cells"), "at least lower_cells");
    if (point) return CellRange{*point - tolerance, *point + tolerance};
    if (!low || !high) return std::nullopt;
    return range;
}

std::int64_t drawn_of(Ratio alpha, std::int64_t free) {
    // The least d with d >= alpha (free - d).
    return ceil_div(std::int64_t(Wide{free} * alpha.numerator), alpha.numerator + alpha.denominator);
}

/// The pools of `among` with which a group's XOFF is in `wanted`: it does not fall as the pool grows.
CellRange pools_for(const LadderModel& model, int group, CellRange wanted, CellRange among) {
    const auto first = [&](std::int64_t least) {
        return first_of(among.low, among.high + 1, [&](std::int64_t pool) { return model.xoff(pool, group) >= least; });
    };
    if (model.xoff(among.low, group) > wanted.high || model.xoff(among.high, group) < wanted.low) return {1, 0};
    return {first(wanted.low), first(wanted.high + 1) - 1};
}

/// Returns the quantiles 2.5, 50 and 97.5 % of a value, and its hard limits.
/// @param value_of  function of a model and a pool; called for both ends of the model's pools and the middle
template <class Value>
LadderInterval interval_over(const std::vector<LadderModel>& models, const Value& value_of) {
    std::vector<std::pair<std::int64_t, double>> weighted;
    for (const LadderModel& model : models)
        for (const std::int64_t size : {model.slice.low, (model.slice.low + model.slice.high) / 2, model.slice.high})
            weighted.emplace_back(value_of(model, size), model.weight);
    boost::sort(weighted);
    LadderInterval interval;
    if (weighted.empty()) return interval;
    interval.hard = {weighted.front().first, weighted.back().first};
    interval.interval95 = {empirical_quantile(weighted, 0.025), empirical_quantile(weighted, 0.975)};
    interval.estimate = double(empirical_quantile(weighted, 0.5));
    return interval;
}

/// Fits the headroom of a group and its pool.
void fit_headroom(const Ladder& ladder, LadderFit& fit) {
    std::vector<std::optional<CellRange>> found;
    for (const LadderGroup& group : ladder.groups) {
        std::optional<CellRange> headroom = group.headroom;
        if (group.xoff && group.drop)
            narrow(headroom, {std::max<std::int64_t>(0, group.drop->low - group.xoff->high - 1),
                              group.drop->high - group.xoff->low - 1});
        found.push_back(headroom);
    }
    std::int64_t most = -1;
    for (const auto& each : found)
        if (each) most = std::max(most, each->low);
    if (most < 0) return;
    CellRange full{most, kMostCells};
    int last_full = 0;
    std::optional<std::pair<int, CellRange>> partial;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (!found[k]) continue;
        if (found[k]->high < most) {
            if (!partial) partial = {int(k), *found[k]};
        } else {
            full = common(full, *found[k]);
            last_full = int(k) + 1;
        }
    }
    fit.headroom = full;
    if (partial && partial->first >= last_full)
        fit.pool = CellRange{partial->first * full.low + std::max<std::int64_t>(0, partial->second.low),
                             partial->first * full.high + partial->second.high};
    else
        fit.at_least = last_full * full.low;
}

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

/// Returns the cells between which the event lies after the trial.
CellRange outcome_of(const ThresholdTrial& trial, std::int64_t at, std::int64_t most_cells) {
    if (trial.way == ThresholdTrial::Way::Steps) return {at, at};
    return at <= trial.cells ? CellRange{0, trial.cells} : CellRange{trial.cells + 1, 2 * most_cells};
}

}  // namespace

Ladder ladder_from(const CsvTable& table, std::int64_t tolerance) {
    std::map<std::string, Ladder> ladders;
    std::vector<std::string> order;
    for (const CsvTable::Row& row : table.rows()) {
        const std::string quantity = text_in(table, row, "quantity");
        if (quantity != "pfc_xoff" && quantity != "ingress_drop" && quantity != "headroom") continue;
        const auto reading = reading_of(table, row, tolerance);
        const auto pg = number_in(table, row, "pg");
        if (!pg) continue;
        if (*pg < 1 || *pg > kMostGroups) table.refuse(row, table.column("pg"), "a group from 1 to 1000");
        std::string name;
        for (const char* column : {"asic", "hwsku", "run"})
            if (const std::string text = text_in(table, row, column); !text.empty())
                name += (name.empty() ? "" : " ") + text;
        const auto [at, is_new] = ladders.try_emplace(name);
        Ladder& ladder = at->second;
        if (is_new) order.push_back(name);
        ladder.name = name;
        if (const auto pool = number_in(table, row, "pool_cells")) ladder.pool = pool;
        if (!reading) continue;  // still to be measured
        ++ladder.readings;
        LadderGroup& group = ladder.group(int(*pg));
        if (quantity == "pfc_xoff")
            narrow(group.xoff, *reading);
        else if (quantity == "ingress_drop")
            narrow(group.drop, *reading);
        else  // a probe counts the cell that is lost, too
            narrow(group.headroom, {std::max<std::int64_t>(0, reading->low - 1), reading->high - 1});
    }
    if (order.empty())
        throw InputError(table.name() + ": found no row of pfc_xoff, ingress_drop or headroom, expected one");
    const auto most = boost::max_element(
        order, [&](const auto& a, const auto& b) { return ladders[a].readings < ladders[b].readings; });
    return ladders[*most];
}

std::int64_t LadderModel::xoff(std::int64_t pool, int group) const {
    for (int before = 0; before < group; ++before) pool -= drawn_of(alpha, pool);
    return drawn_of(alpha, pool) + reserved;
}

LadderFit fit_ladder(const Ladder& ladder) {
    LadderFit fit;
    fit_headroom(ladder, fit);
    std::vector<std::pair<int, CellRange>> readings;  // group from 0
    std::int64_t least = kMostCells;
    for (std::size_t k = 0; k < ladder.groups.size(); ++k) {
        const LadderGroup& group = ladder.groups[k];
        std::optional<CellRange> range = group.xoff;
        const int number = int(k) + 1;
        if (const auto headroom = fit.headroom_of(number); !range && group.drop && headroom)
            range = CellRange{group.drop->low - headroom->high - 1, group.drop->high - headroom->low - 1};
        if (!range) continue;
        if (range->empty()) return fit;
        readings.emplace_back(int(k), *range);
        least = std::min(least, range->high);
    }
    if (readings.empty()) return fit;
    double all = 0;
    for (int power = -7; power <= 6; ++power)
        for (std::int64_t reserved = 0; reserved <= std::min(least, kMostReserved); ++reserved) {
            const Ratio alpha = power < 0 ? Ratio{1, std::int64_t{1} << -power} : Ratio{std::int64_t{1} << power, 1};
            LadderModel model{alpha, reserved, {1, 20 * kMostCells - 1}};
            for (const auto& [group, range] : readings) {
                model.slice = pools_for(model, group, range, model.slice);
                if (model.slice.empty()) break;
            }
            if (model.slice.empty()) continue;
            model.weight = std::log1p(double(model.slice.width() + 1) / double(model.slice.low)) / double(1 + reserved);
            all += model.weight;
            fit.models.push_back(model);
        }
    for (LadderModel& model : fit.models) model.weight /= all;
    fit.told_apart = !fit.models.empty() && fit.alphas().front().second >= 0.95;
    return fit;
}

LadderInterval LadderFit::slice() const {
    return interval_over(models, [](const LadderModel&, std::int64_t size) { return size; });
}

LadderInterval LadderFit::reserved() const {
    return interval_over(models, [](const LadderModel& model, std::int64_t) { return model.reserved; });
}

std::vector<std::pair<Ratio, double>> LadderFit::alphas() const {
    std::vector<std::pair<Ratio, double>> all;
    for (const LadderModel& model : models) {
        const auto same = [&](const auto& each) {
            return each.first.numerator == model.alpha.numerator && each.first.denominator == model.alpha.denominator;
        };
        auto at = boost::find_if(all, same);
        if (at == all.end()) at = all.insert(all.end(), {model.alpha, 0});
        at->second += model.weight;
    }
    boost::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
    return all;
}

LadderInterval LadderFit::xoff(int group) const {
    return interval_over(models,
                         [&](const LadderModel& model, std::int64_t size) { return model.xoff(size, group - 1); });
}

std::optional<CellRange> LadderFit::headroom_of(int group) const {
    if (!headroom) return std::nullopt;
    if (pool) {
        const auto left = [&](std::int64_t of, std::int64_t each) {
            return std::clamp<std::int64_t>(of - (group - 1) * each, 0, each);
        };
        const CellRange range{left(pool->low, headroom->high), left(pool->high, headroom->low)};
        return group * headroom->high <= pool->low ? *headroom : CellRange{range.low, std::max(range.low, range.high)};
    }
    if (at_least && group * headroom->low <= *at_least) return headroom;
    return CellRange{0, headroom->high};
}

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
                // The pool runs out: how much is left?
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
        // A threshold that is known to a cell or two does not become more precise by a repeated trial.
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
