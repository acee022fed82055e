// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/thresholds/ladder-fit.h"

/// What to measure next of a switch whose priority groups are filled one after another, and what the rest will take.
namespace watershed {

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
