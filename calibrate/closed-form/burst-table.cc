// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/burst-table.h"

#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

std::optional<std::size_t> find_any(const CsvTable& table, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (const auto column = table.find_column(name)) return column;
    return std::nullopt;
}

BurstTable::Part& part_of(BurstTable& table, const std::optional<std::string>& name) {
    for (BurstTable::Part& part : table.parts)
        if (part.name == name) return part;
    table.parts.push_back({name, {}});
    return table.parts.back();
}

}  // namespace

bool is_burst_table(const CsvTable& table) { return table.find_column("frame_bytes").has_value(); }

BurstTable burst_table_from(const CsvTable& table) {
    BurstTable result;
    const auto frame = table.column("frame_bytes");
    const auto found = find_any(table, {"max_burst_lossless_frames", "lossless"});
    const std::size_t lossless = found ? *found : table.column("max_burst_lossless_frames");
    const auto drops = find_any(table, {"drops_at_burst_plus_1", "drops"}), name = table.find_column("switch");
    for (std::size_t i = 0; i < table.rows().size(); ++i) {
        const CsvTable::Row& cells = table.rows()[i];
        BurstTableRow row;
        row.row = static_cast<int>(i) + 1;
        row.line = cells.line;
        row.frame = table.integer(cells, frame, 1);
        if (row.frame > 65'535) table.refuse(cells, frame, "a whole Ethernet frame of at most 65535 B");
        row.lossless = table.integer(cells, lossless, 0);
        if (row.lossless > 1'000'000'000) table.refuse(cells, lossless, "at most 1000000000 frames");
        if (drops && !cells.cells[*drops].empty()) {
            row.drops = table.integer(cells, *drops, 1);
            if (*row.drops > 2 * (row.lossless + 2))
                table.refuse(cells, *drops,
                             "at most the " + std::to_string(2 * (row.lossless + 2)) + " frames that were sent");
        }
        if (name && cells.cells[*name].empty()) table.refuse(cells, *name, "the name of a switch");
        part_of(result, name ? std::make_optional(cells.cells[*name]) : std::nullopt).rows.push_back(row);
    }
    if (result.parts.empty())
        throw InputError(table.name() + ": the table is empty, expected at least one frame size below the header");
    return result;
}

}  // namespace watershed
