// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/csv.h"

/// Thresholds of priority groups that were filled one after another, and the memory that explains them.
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

}  // namespace watershed
