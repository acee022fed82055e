// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/text/csv.h"

/// Burst-absorption tables, as testers of switches publish them (RFC 2544 and RFC 9004 back-to-back style): a stream at
/// line rate into one port, a burst into a second port of the same speed, both to one output.
namespace watershed {

/// One frame size.
struct BurstTableRow {
    int row = 0;  ///< data row of the file, from 1
    int line = 0;
    std::int64_t frame = 0;             ///< whole Ethernet frame, FCS included, bytes
    std::int64_t lossless = 0;          ///< longest burst without loss, frames
    std::optional<std::int64_t> drops;  ///< frames lost when the burst is one frame longer, where that was noted
};

struct BurstTable {
    struct Part {
        std::optional<std::string> name;  ///< of the switch, where there is a column `switch`
        std::vector<BurstTableRow> rows;
    };
    std::vector<Part> parts;  ///< in the order in which the switches appear
};

/// Whether the header has `frame_bytes`, by which such a table is told from a loss map.
bool is_burst_table(const CsvTable& table);

/// Columns: frame_bytes, max_burst_lossless_frames (or lossless), and, where there are, drops_at_burst_plus_1 (or
/// drops) and switch.
/// @throws InputError with file, line and column
BurstTable burst_table_from(const CsvTable& table);

}  // namespace watershed
