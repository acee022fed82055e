// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/fill/fill-test.h"
#include "scenarios/text/csv.h"

namespace watershed {

// Tables of thresholds that follow from the configuration of a switch: what each row says becomes a switch that is
// filled frame by frame.

/// One row of a table.
struct ThresholdRow {
    int number = 0;  ///< from 1, without header and comments
    int line = 0;    ///< in the file
    std::string asic, hwsku, quantity, unit, inputs, suspect;
    std::optional<double> value;       ///< published value
    std::optional<double> margin;      ///< published uncertainty of the value, in its unit
    std::vector<std::string> missing;  ///< missing columns that its switch requires
    std::optional<FillTest> test;      ///< std::nullopt if a column is missing
    /// Inputs of the formulas, for explanations only: free cells of a slice, alpha, minimum and headroom of a group.
    double slice = 0, alpha = 0, reserved = 0, headroom = 0;
};

/// "2430-B packets": the size of the packets; nothing for cells.
std::optional<std::int64_t> packet_of(const std::string& unit);

/// Unknown columns are ignored; a column that is not there counts as empty.
/// @throws InputError with file, line and column
std::vector<ThresholdRow> read_threshold_rows(const CsvTable& table);

struct ThresholdResult {
    ThresholdRow row;
    std::optional<std::int64_t> simulated;

    /// Largest difference that counts as a hit: the margin of the row; else 4 cells, or 0.02 % of packets.
    double tolerance() const;
    std::optional<bool> hit() const;
    /// The best reason for a miss that the columns of its row give.
    std::string explanation() const;
};

/// Fills the switch of every row whose columns suffice. @param done  told of each row
std::vector<ThresholdResult> simulate(const std::vector<ThresholdRow>& rows, const StoppedSwitchFactory& stop,
                                      const std::function<void()>& done = {});

/// A list in the order of the rows.
nlohmann::ordered_json to_json(const std::vector<ThresholdResult>& results);
/// A line for each chip, and each row that is missed or not simulated.
void print(std::ostream& out, const std::vector<ThresholdResult>& results);

}  // namespace watershed
