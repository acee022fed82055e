// SPDX-License-Identifier: GPL-2.0-only
#include <cstdlib>
#include <map>

#include "scenarios/sonic/sonic-config.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("The chips of the open driver are as it has them") {
    const CsvTable table = CsvTable::read(std::string(std::getenv("WATERSHED_SOURCE")) + "/scenarios/data/chips.csv");
    // Trident 2 is told as 12 MiB, and SONiC gives out more of it.
    const std::map<std::string, std::string> names{
        {"trident2+", "Trident2+-16MB"}, {"trident3", "Trident3-X7"}, {"helix5", "Helix5"},
        {"tomahawk", "Tomahawk"},        {"tomahawk+", "Tomahawk+"},  {"tomahawk2", "Tomahawk2"},
        {"tomahawk3", "Tomahawk3"}};
    std::size_t found = 0;
    for (const CsvTable::Row& row : table.rows())
        for (const auto& [name, listed] : names)
            if (row.cells[table.column("chip")] == listed) {
                const ChipMemory& chip = chip_memory_named(name);
                ++found;
                CHECK(chip.cell == table.integer(row, table.column("cell_bytes"), 0));
                CHECK(chip.slices == table.integer(row, table.column("slices"), 0));
                CHECK(chip.cells == chip.slices * table.integer(row, table.column("cells_per_slice"), 0));
                CHECK(chip.header == table.integer(row, table.column("pkt_header_bytes"), 0));
            }
    CHECK(found == names.size());
}

TEST_CASE("A chip has two names, in letters of any size, and another is refused with all of them") {
    CHECK(chip_memory_named("TH6").cells == 636183);
    CHECK(chip_memory_named("Tomahawk6").cell == 420);
    CHECK_THROWS_WITH(chip_memory_named("tomahawk66"), Contains("--asic: found \"tomahawk66\"") &&
                                                           Contains("trident2, ") &&
                                                           Contains("did you mean tomahawk6?"));
}
