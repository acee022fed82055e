// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <map>

#include "calibrate/posterior/statistics.h"
#include "calibrate/thresholds/thresholds.h"
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

/// What lies below 2.5, 50 and 97.5 % of the weight. @param value_of  a model and a pool, at both ends of its pools and
/// in the middle
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
    interval.interval95 = {stepped_quantile(weighted, 0.025), stepped_quantile(weighted, 0.975)};
    interval.estimate = double(stepped_quantile(weighted, 0.5));
    return interval;
}

/// What the groups say of headroom and its pool.
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

}  // namespace watershed
