// SPDX-License-Identifier: GPL-2.0-only
// Measurements on real switches and settings that are known to be theirs, in tables beside the scenarios: data/*.csv.
#include <algorithm>
#include <stdexcept>

#include "model/n-plus-1.h"
#include "scenarios/csv.h"
#include "scenarios/reader.h"
#include "scenarios/validate.h"

namespace watershed {
namespace {

/// The switches of the catalogue that stand for those of the table.
struct MeasuredSwitch {
    const char* name;
    const char* model;
    const char* speed;   ///< of the ports that were tested: the 2960 is a Fast Ethernet switch
};

constexpr MeasuredSwitch kMiercomSwitches[] = {
    {"Cisco 3750-X-48P", "cisco-3750x", "1 Gb/s"},
    {"Cisco C2960", "cisco-2960", "100 Mb/s"},
    {"Dell PowerConnect 6248", "dell-6248", "1 Gb/s"},
    {"HP E5500G-EI", "hp-e5500g", "1 Gb/s"},
    {"Nortel 4548GT", "nortel-4548gt", "1 Gb/s"},
};

/// What makes the scenario that of a switch.
std::vector<std::string> keys_of(const CsvTable& table, const CsvTable::Row& row, std::size_t column) {
    for (const MeasuredSwitch& known : kMiercomSwitches)
        if (row.cells[column] == known.name)
            return {std::string("switch.model=") + known.model, std::string("front_end.link_rate=") + known.speed, std::string("switch.uplink_rate=") + known.speed};
    table.refuse(row, column, "a switch of the catalogue");
}

}  // namespace

std::vector<Comparison> validate_miercom(const Validation& validation) {
    const CsvTable table = CsvTable::read(validation.scenarios + "/data/miercom-n-plus-1.csv");
    const std::size_t name = table.column("switch"), frame = table.column("frame_bytes"), burst = table.column("max_burst_lossless_frames"),
                      drops = table.column("drops_at_burst_plus_1");
    constexpr std::int64_t kLimit = 100'000;
    const auto engine = validation.simulators.engine("exact", {});
    Comparisons compare("miercom");
    compare.from("Miercom report 100827 (2010), table 1");
    for (const CsvTable::Row& row : table.rows()) {
        const std::int64_t frame_bytes = table.integer(row, frame, kMinimumFrame.count);
        Scenario scenario = read_line_rate_plus_burst(validation.scenario("n-plus-1"), keys_of(table, row, name));
        scenario.frame.payload = Bytes{frame_bytes} - kHeadersAndFcs;
        const NPlusOne found = find_n_plus_one(*engine, scenario, kLimit);
        const auto published_burst = static_cast<double>(table.integer(row, burst, 0)), published_drops = static_cast<double>(table.integer(row, drops, 1));
        const std::string what = ", " + row.cells[name] + ", " + std::to_string(frame_bytes) + " B";
        const std::string parameters = "the catalogue's values are derived from this table";
        compare.set({"longest lossless burst" + what, "frames"}, published_burst, static_cast<double>(found.lossless.value_or(kLimit)), std::max(2.0, 0.03 * published_burst), parameters);
        compare.set({"drops at one frame more" + what, "frames"}, published_drops, static_cast<double>(found.drops), std::max(2.0, 0.1 * published_drops), parameters);
    }
    return compare.all();
}

std::vector<Comparison> validate_thresholds(const Validation& validation) {
    const CsvTable table = CsvTable::read(validation.scenarios + "/data/dynamic-threshold-set-points.csv");
    const auto cell_of = [&](const CsvTable::Row& row, const char* column) { return row.cells[table.column(column)]; };
    Comparisons compare("thresholds");
    compare.from("regression tests of SONiC");
    for (const CsvTable::Row& row : table.rows()) {
        const Scenario scenario = read_apparatus(validation.scenario("threshold-tomahawk"), {
            "switch.buffer.size=" + cell_of(row, "pool_bytes") + " B", "switch.buffer.alpha=" + cell_of(row, "alpha"), "switch.buffer.slices=" + cell_of(row, "slices"),
            "switch.buffer.cell=" + cell_of(row, "cell_bytes") + " B", "switch.buffer.reserved=" + cell_of(row, "reserved_bytes") + " B"});
        compare.set({"cells in one congested queue at the first drop, " + cell_of(row, "config"), "cells"},
                    static_cast<double>(table.integer(row, table.column("test_threshold_cells"), 1)), static_cast<double>(drop_threshold_cells(scenario)), 4,
                    "alpha / (1 + alpha) of a slice of the pool, and what is reserved");
    }
    return compare.all();
}

}  // namespace watershed
