// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/csv.h"

/// Fit of a memory to the thresholds of priority groups that were filled one after another, and choice of the next
/// measurement.
namespace watershed {

/// Range of cells, both ends included; empty if low > high.
struct CellRange {
    std::int64_t low = 0, high = 0;
    bool empty() const { return low > high; }
    std::int64_t width() const { return high - low; }
    bool holds(std::int64_t value) const { return low <= value && value <= high; }
};
/// Returns the intersection of two ranges.
inline CellRange common(CellRange a, CellRange b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }
/// Returns the range of the number of the first lost cell, from 1.
inline CellRange drop_after(CellRange xoff, CellRange headroom) {
    return {xoff.low + headroom.low + 1, xoff.high + headroom.high + 1};
}
/// Restricts a known range to `range`; sets it if nothing is known.
inline void narrow(std::optional<CellRange>& known, CellRange range) { known = known ? common(*known, range) : range; }

/// Readings of one priority group; std::nullopt: not measured.
struct LadderGroup {
    std::optional<CellRange> xoff;      ///< cells that it holds when its sender is paused
    std::optional<CellRange> drop;      ///< number of its first lost cell
    std::optional<CellRange> headroom;  ///< cells that fit between XOFF and the drop
};

/// Readings of one campaign: groups[k] was filled after k others, each to its drop.
struct Ladder {
    std::string name;
    std::vector<LadderGroup> groups;
    std::optional<std::int64_t> pool;  ///< configured size of the pool that the slices share, cells
    int readings = 0;                  ///< number of readings
    /// Returns a group, which is added if missing. @param number  from 1
    LadderGroup& group(int number) {
        if (int(groups.size()) < number) groups.resize(std::size_t(number));
        return groups[std::size_t(number - 1)];
    }
    /// Returns the readings of a group; empty ones if it is missing. @param number  from 1
    LadderGroup known(int number) const {
        const auto k = std::size_t(number - 1);
        return k < groups.size() ? groups[k] : LadderGroup();
    }
};

/// Returns true if the header has pg, quantity, and either point_cells or lower_cells and upper_cells.
inline bool is_threshold_table(const CsvTable& table) {
    return table.find_column("pg") && table.find_column("quantity") &&
           (table.find_column("point_cells") || (table.find_column("lower_cells") && table.find_column("upper_cells")));
}
/// Returns the campaign with the most readings of a table; rows of other quantities are ignored.
/// @param tolerance  cells by which a point may be wrong
/// @throws InputError with file, line and column
Ladder ladder_from(const CsvTable& table, std::int64_t tolerance);

/// Dynamic threshold with one alpha and one minimum.
struct LadderModel {
    Ratio alpha{1, 1};
    std::int64_t reserved = 0;  ///< minimum of each group, cells
    CellRange slice;            ///< pools of a slice that explain all readings with this alpha and minimum, cells
    double weight = 0;          ///< probability; all models together have 1

    /// Returns XOFF of a group for a pool of `pool` cells. @param group  from 0
    std::int64_t xoff(std::int64_t pool, int group) const;
};

struct LadderInterval {
    double estimate = 0;
    CellRange interval95, hard;
};

struct LadderFit {
    std::vector<LadderModel> models;       ///< empty if no model explains the readings
    std::optional<CellRange> headroom;     ///< headroom of a group, cells
    std::optional<CellRange> pool;         ///< headroom pool of the slice, cells; std::nullopt if it did not run out
    std::optional<std::int64_t> at_least;  ///< lower limit of the headroom pool if it did not run out, cells
    bool told_apart = false;               ///< true if one alpha has a probability of at least 95 %

    LadderInterval slice() const;
    LadderInterval reserved() const;
    std::vector<std::pair<Ratio, double>> alphas() const;  ///< by falling probability
    /// Returns XOFF of a group. @param group  from 1
    LadderInterval xoff(int group) const;
    CellRange hard_xoff(int group) const {
        CellRange hard{INT64_MAX, INT64_MIN};
        for (const LadderModel& model : models) {
            hard.low = std::min(hard.low, model.xoff(model.slice.low, group - 1));
            hard.high = std::max(hard.high, model.xoff(model.slice.high, group - 1));
        }
        return hard;
    }
    /// Returns the cells of a group's headroom; std::nullopt if no headroom is known.
    std::optional<CellRange> headroom_of(int group) const;
};

/// Returns the fit of a campaign. A priori alpha is a power of two as in switch chips, from 1/128 to 64, and a larger
/// minimum is less probable.
LadderFit fit_ladder(const Ladder& ladder);

/// Cost of trials, seconds.
struct TrialCosts {
    double fill = 12.04;                       ///< empty the switch, fill it, and check twice whether the event came
    double fill_cell = 6.5e-5;                 ///< additional cost per cell of a fill
    double refill = 6.74;                      ///< empty and fill the switch once, before steps
    double step = 2.04;                        ///< add one cell and check
    std::string source = "an Arista 7260CX3";  ///< switch on which they were measured
    std::optional<double> stated{};            ///< duration of a whole campaign there; std::nullopt if unknown
};
/// Returns the costs from a table with the columns step, quantity and value (scenarios/data/mmu-probe-cost.csv): a line
/// fitted to the trials of ranges, and the means of the first and of the later trials of points.
TrialCosts trial_costs_from(const CsvTable& table);

/// Trial of one priority group while all groups before it are full.
struct ThresholdTrial {
    enum class Way {
        Fill,  ///< fill the group to `cells` and check whether the event came
        Steps  ///< fill the group to `cells`, then add cell by cell until the event comes
    };
    Way way = Way::Fill;
    int group = 1;           ///< number of the group, from 1
    bool drop = false;       ///< event to look for; true: a cell is lost, false: XOFF
    std::int64_t cells = 0;  ///< cells in the group after the fill
    std::int64_t steps = 0;  ///< largest number of further cells
    std::string why;         ///< reason of the trial, for people
    /// Returns the cost of the trial, seconds.
    double seconds(const TrialCosts& costs) const {
        if (way == Way::Fill) return costs.fill + costs.fill_cell * double(cells);
        return costs.refill + costs.step * double(steps);
    }
};

/// Returns the next trial that is worth its time; std::nullopt once every threshold is known to `precision` cells, and
/// either the headroom pool has run out or `groups` groups are known.
std::optional<ThresholdTrial> next_trial(const Ladder& ladder, std::int64_t most_cells, int groups,
                                         std::int64_t precision);

/// True thresholds of a simulated switch.
struct ThresholdTruth {
    std::vector<std::int64_t> xoff, drop;  ///< cells, by group
};

/// Simulated campaign.
struct ThresholdCampaign {
    double seconds = 0;        ///< duration
    int fills = 0, steps = 0;  ///< numbers of fills and single steps
    LadderFit fit;             ///< fit of all readings at the end
};

/// Measures a simulated switch as next_trial() advises.
ThresholdCampaign plan_campaign(const ThresholdTruth& truth, Ladder ladder, std::int64_t most_cells,
                                const TrialCosts& costs, std::int64_t precision);
/// Measures every threshold of a simulated switch by bisection down to `range` cells, and then cell by cell.
ThresholdCampaign bisect_campaign(const ThresholdTruth& truth, std::int64_t most_cells, const TrialCosts& costs,
                                  std::int64_t range);

/// Returns the thresholds of a switch with a dynamic threshold, for `groups` groups that are filled one after another.
/// @param slice, headroom, pool  pool of a slice, headroom of a group and headroom pool, cells
ThresholdTruth truth_of(const LadderModel& model, std::int64_t slice, std::int64_t headroom, std::int64_t pool,
                        int groups);

/// Returns the result of `watershed fit` for a table of thresholds.
nlohmann::ordered_json to_json(const Ladder& ladder, const LadderFit& fit);
void print(std::ostream& out, const Ladder& ladder, const LadderFit& fit);

/// Result of `watershed next` for a table of thresholds: the next trial, and the duration of campaigns.
struct ThresholdAdvice {
    std::optional<ThresholdTrial> next;  ///< std::nullopt if enough is known
    TrialCosts costs;
    int groups = 0;                                     ///< number of groups of the following campaigns
    std::optional<ThresholdCampaign> remaining, whole;  ///< advised campaigns on the most probable switch of the fit
    std::optional<ThresholdCampaign> bisection;         ///< campaign by bisection, for comparison
};
ThresholdAdvice advise(const Ladder& ladder, const TrialCosts& costs, std::int64_t headroom_pool);
nlohmann::ordered_json to_json(const ThresholdAdvice& advice);
void print(std::ostream& out, const ThresholdAdvice& advice);

/// Runs `watershed fit` for a table of thresholds. @param json  file, "-" or empty
void fit_thresholds(const CsvTable& table, const std::string& json);
/// Runs `watershed next` for a table of thresholds. @param costs  table of the costs of trials, or empty
void advise_thresholds(const CsvTable& table, const std::string& costs, const std::string& json);

}  // namespace watershed
