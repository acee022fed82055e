// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "test/calibrate/study/study-campaign.h"

/// Whether the fit's intervals hold the truth as often as they say, and its ranks are even: simulation-based
/// calibration (Talts et al., 2018).
namespace watershed::calibration {

/// Conditions that the campaigns of one cell of the study have in common.
struct Cell {
    std::string subject;  ///< a kind of memory, what disturbs one, which law is broken, or "any"
    std::string noise;    ///< "none (told)", "none", "2 %", "3 frames", or "any"
    bool counts = true;
    Placement placement = Placement::Grid;
    int rows = 0;  ///< with Placement::Advised fewer where advice says stop before; 0: until it does
    std::string name() const;
};

std::string to_text(Placement placement);

/// Subjects that obey the laws that the fit assumes, and those that break them.
const std::vector<std::string>& lawful_subjects();
const std::vector<std::string>& lawless_subjects();
/// Kind, depth, rate and all that disturbs are drawn: the fit's own prior, as calibrate/README.md states it.
inline constexpr auto kAny = "any";

/// All cells in the order of the table.
std::vector<Cell> all_cells();

/// Result of one campaign.
struct Outcome {
    int rows = 0;
    bool misfit = false;  ///< no kind of memory explains the bursts, says the fit
    bool depth_bounded = false,
         rate_bounded = false;  ///< the chosen kind has 95 % intervals with two ends; else these hold nothing
    bool depth68 = false, depth95 = false, rate68 = false, rate95 = false;  ///< the truth lies inside
    bool own95 = false;                           ///< the depth lies inside the interval of its own kind, chosen or not
    bool right = false;                           ///< kind chosen, as far as bursts of one payload can tell kinds
    bool surely_wrong = false;                    ///< a wrong kind has more than 99 %
    double probability = 0;                       ///< of the right kind
    double width = 0;                             ///< half of the 95 % interval of the depth, relative
    std::optional<double> depth_rank, rate_rank;  ///< posterior probability below the truth, given its kind
    std::optional<double> goodness;               ///< Fit::goodness
};

/// The cells, in their order, by the campaigns that serve them: one that is advised serves all that differ by nothing
/// but bursts, as it was after so many.
std::vector<std::vector<Cell>> by_campaign(const std::vector<Cell>& cells);

/// Plays a campaign and fits it, for each of the cells that it serves.
/// @param keep told of each fit, where somebody wants to see it
using Keep = std::function<void(const Cell&, const Campaign&, const Fit&, const Outcome&)>;
std::vector<Outcome> outcomes_of(const std::vector<Cell>& cells, std::uint64_t seed, const Keep& keep = {});

/// Posterior probability below the truth: weights lie evenly between the points, and where many are alike their share
/// is drawn.
/// @param share between 0 and 1
std::optional<double> rank_of(const std::vector<std::pair<double, double>>& values, double truth, double share);

/// Whether an interval holds the depth, in frames of the first payload in the whole switch unless both are of one kind.
bool holds(const QueueModel& model, const Interval& interval, const Campaign& campaign);

constexpr std::size_t kRankBins = 10;
struct Tally {
    Cell cell;
    int campaigns = 0, misfits = 0, depth_bounded = 0, rate_bounded = 0;
    int depth68 = 0, depth95 = 0, rate68 = 0, rate95 = 0, own95 = 0;
    int right = 0, surely_wrong = 0;
    double probability = 0;  ///< of right kinds, summed
    double width = 0;        ///< median
    double rows = 0;         ///< median
    std::array<int, kRankBins> depth_ranks{}, rate_ranks{};
    std::array<int, kRankBins> goodness{};  ///< campaigns whose fit has one, by its tenths from the lowest
    int below_1_percent = 0;                ///< campaigns with such a goodness
    std::vector<double> widths, rows_of;    ///< one each campaign

    void add(const Outcome& outcome);
    void add(const Tally& other);
    void finish();
};

/// Probability that even ranks are as uneven as these, by chi squared of nine degrees of freedom; 1 where there are
/// fewer than 50.
double evenness(const std::array<int, kRankBins>& ranks);

/// Plays `campaigns` of each cell; seeds follow from `seed`, the cell's name and the number of the campaign.
/// @param finished told of each cell as soon as all its campaigns are over
std::vector<Tally> study(const std::vector<Cell>& cells, int campaigns, std::uint64_t seed, int jobs,
                         const std::function<void(const Tally&)>& finished = {});

/// The seed of a campaign, the same for all cells that it serves.
std::uint64_t seed_of(const Cell& cell, std::uint64_t seed, int number);

}  // namespace watershed::calibration
