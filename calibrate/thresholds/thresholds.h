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

/// Thresholds of priority groups that were filled one after another, and the memory that explains them; and what to
/// measure next of such a switch.
namespace watershed {

/// From and to, both included.
struct CellRange {
    std::int64_t low = 0, high = 0;
    bool empty() const { return low > high; }
    std::int64_t width() const { return high - low; }
    bool holds(std::int64_t value) const { return low <= value && value <= high; }
};
inline CellRange common(CellRange a, CellRange b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }
/// Numbers of the first cell that is lost.
inline CellRange drop_after(CellRange xoff, CellRange headroom) {
    return {xoff.low + headroom.low + 1, xoff.high + headroom.high + 1};
}
/// Of what is known, if anything, what is also in the range.
inline void narrow(std::optional<CellRange>& known, CellRange range) { known = known ? common(*known, range) : range; }

/// What is known of one group.
struct LadderGroup {
    std::optional<CellRange> xoff;      ///< cells that it holds when its sender is told to pause
    std::optional<CellRange> drop;      ///< number of its first cell that is lost
    std::optional<CellRange> headroom;  ///< cells that fit between the two
};

/// One campaign: groups[k] was filled after k others, each to its drop.
struct Ladder {
    std::string name;
    std::vector<LadderGroup> groups;
    std::optional<std::int64_t> pool;  ///< that is configured: what the slices share
    int readings = 0;
    /// Says what the table says of a group, from 1.
    LadderGroup& group(int number) {
        if (int(groups.size()) < number) groups.resize(std::size_t(number));
        return groups[std::size_t(number - 1)];
    }
    /// What it has said of one.
    LadderGroup known(int number) const {
        const auto k = std::size_t(number - 1);
        return k < groups.size() ? groups[k] : LadderGroup();
    }
};

/// Whether the header has pg, quantity and point_cells, or lower_cells and upper_cells.
inline bool is_threshold_table(const CsvTable& table) {
    return table.find_column("pg") && table.find_column("quantity") &&
           (table.find_column("point_cells") || (table.find_column("lower_cells") && table.find_column("upper_cells")));
}
/// The campaign of a table with the most readings; rows of other quantities are ignored.
/// @param tolerance  cells by which a point may be off
/// @throws InputError with file, line and column
Ladder ladder_from(const CsvTable& table, std::int64_t tolerance);

/// The pool of a slice, alpha and the own minimum of a group.
struct LadderModel {
    Ratio alpha{1, 1};
    std::int64_t reserved = 0;
    CellRange slice;    ///< pools that explain all readings with these two
    double weight = 0;  ///< probabilities, of all models together 1

    /// XOFF of one group, from 0, if the pool is so large.
    std::int64_t xoff(std::int64_t pool, int group) const;
};

struct LadderInterval {
    double estimate = 0;
    CellRange interval95, hard;
};

struct LadderFit {
    std::vector<LadderModel> models;       ///< empty: nothing explains the readings
    std::optional<CellRange> headroom;     ///< of a group
    std::optional<CellRange> pool;         ///< headroom pool of the slice, where it ran out
    std::optional<std::int64_t> at_least;  ///< it holds so much, where it did not
    bool told_apart = false;               ///< alpha is one with a probability of 95 %

    LadderInterval slice() const;
    LadderInterval reserved() const;
    std::vector<std::pair<Ratio, double>> alphas() const;  ///< the most probable first
    /// Of a group, from 1.
    LadderInterval xoff(int group) const;
    CellRange hard_xoff(int group) const {
        CellRange hard{INT64_MAX, INT64_MIN};
        for (const LadderModel& model : models) {
            hard.low = std::min(hard.low, model.xoff(model.slice.low, group - 1));
            hard.high = std::max(hard.high, model.xoff(model.slice.high, group - 1));
        }
        return hard;
    }
    /// Cells that a group's headroom takes; nothing if no headroom is known.
    std::optional<CellRange> headroom_of(int group) const;
};

/// alpha is one of the powers of two that switch chips offer, from 1/128 to 64; a minimum is the less probable the
/// larger.
LadderFit fit_ladder(const Ladder& ladder);

/// Seconds that trials cost.
struct TrialCosts {
    double fill = 12.04;                       ///< empty the switch, fill it and look twice whether the event came
    double fill_cell = 6.5e-5;                 ///< and for each cell
    double refill = 6.74;                      ///< the same once, before steps
    double step = 2.04;                        ///< one cell more
    std::string source = "an Arista 7260CX3";  ///< where they are from
    std::optional<double> stated{};            ///< what a whole campaign took there
};
/// Of a table with columns step, quantity and value (scenarios/data/mmu-probe-cost.csv): the line through the trials of
/// ranges, and the means of the first and the later trials of points.
TrialCosts trial_costs_from(const CsvTable& table);

/// One trial. Groups count from 1; those before it are full.
struct ThresholdTrial {
    enum class Way {
        Fill,  ///< to a number of cells: did the event come?
        Steps  ///< from there on cell by cell until it comes
    };
    Way way = Way::Fill;
    int group = 1;
    bool drop = false;       ///< the event: a cell is lost; else XOFF
    std::int64_t cells = 0;  ///< in this group
    std::int64_t steps = 0;  ///< at most
    std::string why;
    double seconds(const TrialCosts& costs) const {
        if (way == Way::Fill) return costs.fill + costs.fill_cell * double(cells);
        return costs.refill + costs.step * double(steps);
    }
};

/// The next one that is worth its time; nothing once every threshold is known to `precision` cells and the headroom
/// pool has run out, or `groups` are known.
std::optional<ThresholdTrial> next_trial(const Ladder& ladder, std::int64_t most_cells, int groups,
                                         std::int64_t precision);

/// A switch as trials see it.
struct ThresholdTruth {
    std::vector<std::int64_t> xoff, drop;  ///< by group
};

struct ThresholdCampaign {
    double seconds = 0;
    int fills = 0, steps = 0;
    LadderFit fit;  ///< in the end
};

/// Measures as next_trial() advises.
ThresholdCampaign plan_campaign(const ThresholdTruth& truth, Ladder ladder, std::int64_t most_cells,
                                const TrialCosts& costs, std::int64_t precision);
/// Measures every threshold of every group by bisection down to `range` cells and then cell by cell.
ThresholdCampaign bisect_campaign(const ThresholdTruth& truth, std::int64_t most_cells, const TrialCosts& costs,
                                  std::int64_t range);

/// Of a dynamic threshold with these numbers, for `groups` filled one after another.
ThresholdTruth truth_of(const LadderModel& model, std::int64_t slice, std::int64_t headroom, std::int64_t pool,
                        int groups);

/// What `watershed fit` says of a table of thresholds.
nlohmann::ordered_json to_json(const Ladder& ladder, const LadderFit& fit);
void print(std::ostream& out, const Ladder& ladder, const LadderFit& fit);

/// What `watershed next` says of one: the next trial, and what a campaign takes, beside bisection.
struct ThresholdAdvice {
    std::optional<ThresholdTrial> next;
    TrialCosts costs;
    int groups = 0;                                     ///< of the campaigns below
    std::optional<ThresholdCampaign> remaining, whole;  ///< as advised, on the switch that the fit finds most probable
    std::optional<ThresholdCampaign> bisection;
};
ThresholdAdvice advise(const Ladder& ladder, const TrialCosts& costs, std::int64_t headroom_pool);
nlohmann::ordered_json to_json(const ThresholdAdvice& advice);
void print(std::ostream& out, const ThresholdAdvice& advice);

/// `watershed fit` of a table of thresholds. @param json  file, "-" or empty
void fit_thresholds(const CsvTable& table, const std::string& json);
/// `watershed next` of one. @param costs  table of what trials cost, or empty
void advise_thresholds(const CsvTable& table, const std::string& costs, const std::string& json);

}  // namespace watershed
