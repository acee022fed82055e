// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "scenarios/text/csv.h"

namespace watershed {

/// Reads a table as people have them: other names of columns, other units, semicolons or tabs between cells, decimal
/// commas.
///
/// @param columns  what such columns hold, as `--columns` has it: "sep
/// (ns)=separation_us*0.001,lost=frames_sent-frames_received": the numbers of the
///                 column `sep (ns)`, times 0.001, are the separation_us; those of `lost` are the difference. Or
///                 FILE.toml with lines such as "sep (ns)" = "separation_us*0.001". Columns that are not named keep
///                 their names. Empty for a table whose columns have the usual names.
/// @return the table with the usual names and units
/// @throws InputError with file, and line and column if something is wrong there; where columns are not given but could
/// be guessed, it says
///         how the table looks, and offers the guess
CsvTable read_measured_table(const std::string& file, const std::string& columns);

/// A line that says how a table was read; empty for commas, points and UTF-8.
inline std::string note_of(const CsvTable& table) {
    return table.looks().empty() ? "" : one_line(table.name()) + " is read as " + table.looks() + '\n';
}

}  // namespace watershed
