// SPDX-License-Identifier: GPL-2.0-only
// Measurements on real switches and settings that are known to be theirs, in tables beside the scenarios: data/*.csv.

#include "model/exact/n-plus-1.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/csv.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

/// A key of the catalogue on which a number of Miercom's table depends, and whether the number was used to choose it.
struct Use {
    const char* key;
    Basis basis;
};

/// The two numbers of a row.
struct Part {
    int frame_bytes;
    Use burst;
    Use drops;
};

/// A switch of the table, and the one of the catalogue that stands for it.
struct MeasuredSwitch {
    const char* name;
    const char* model;
    const char* speed;  ///< speed of the tested ports: the 2960 is a Fast Ethernet switch
    Part parts[4];
};

constexpr Use chose(const char* key) { return {key, Basis::Calibrated}; }
constexpr Use follows_from(const char* key) { return {key, Basis::Predicted}; }
/// A memory that takes in again at once loses the one frame that is too many.
constexpr Use kOneFrame{nullptr, Basis::Theory};

constexpr char kSize[] = "switch.buffer.size", kCell[] = "switch.buffer.cell", kFifo[] = "switch.input_fifo",
               kFrames[] = "switch.buffer.descriptors", kResume[] = "switch.buffer.resume",
               kFramesResume[] = "switch.buffer.descriptors_resume";

// The Cisco 3750-X has the cells that were found in the C2960; the sizes of memory of Dell and Nortel are published
// elsewhere.
constexpr MeasuredSwitch kMiercomSwitches[] = {
    {"Cisco C2960",
     "cisco-2960",
     "100 Mb/s",
     {{64, follows_from(kSize), kOneFrame},
      {256, chose(kSize), kOneFrame},
      {1024, chose(kCell), kOneFrame},
      {1518, chose(kCell), kOneFrame}}},
    {"Cisco 3750-X-48P",
     "cisco-3750x",
     "1 Gb/s",
     {{64, chose(kSize), kOneFrame},
      {256, follows_from(kSize), kOneFrame},
      {1024, follows_from(kSize), kOneFrame},
      {1518, follows_from(kSize), kOneFrame}}},
    {"Dell PowerConnect 6248",
     "dell-6248",
     "1 Gb/s",
     {{64, chose(kFifo), chose(kFramesResume)},
      {256, follows_from(kFrames), follows_from(kFramesResume)},
      {1024, chose(kFrames), follows_from(kFramesResume)},
      {1518, follows_from(kSize), chose(kResume)}}},
    {"HP E5500G-EI",
     "hp-e5500g",
     "1 Gb/s",
     {{64, chose(kFrames), chose(kFramesResume)},
      {256, follows_from(kFrames), follows_from(kFramesResume)},
      {1024, follows_from(kFrames), follows_from(kFramesResume)},
      {1518, follows_from(kFrames), follows_from(kFramesResume)}}},
    {"Nortel 4548GT",
     "nortel-4548gt",
     "1 Gb/s",
     {{64, chose(kFrames), chose(kFramesResume)},
      {256, chose(kFrames), follows_from(kFramesResume)},
      {1024, chose(kCell), chose(kResume)},
      {1518, follows_from(kSize), follows_from(kResume)}}},
};

const MeasuredSwitch& measured_switch(const CsvTable& table, const CsvTable::Row& row, std::size_t column) {
    for (const MeasuredSwitch& known : kMiercomSwitches)
        if (row.cells[column] == known.name) return known;
    table.refuse(row, column, "a switch of the catalogue");
}

const Part& part_of(const MeasuredSwitch& measured, const CsvTable& table, const CsvTable::Row& row,
                    std::size_t column) {
    for (const Part& part : measured.parts)
        if (row.cells[column] == std::to_string(part.frame_bytes)) return part;
    table.refuse(row, column, "64, 256, 1024 or 1518");
}

}  // namespace

std::vector<Comparison> validate_miercom(const Validation& validation) {
    const CsvTable table = CsvTable::read(validation.scenarios + "/data/miercom-n-plus-1.csv");
    const std::size_t name = table.column("switch"), frame = table.column("frame_bytes"),
                      burst = table.column("max_burst_lossless_frames"), drops = table.column("drops_at_burst_plus_1");
    constexpr std::int64_t kLimit = 100'000;
    const auto engine = validation.simulators.engine("exact", {});
    Comparisons compare("miercom");
    compare.from("Miercom report 100827 (2010), table 1");
    for (const CsvTable::Row& row : table.rows()) {
        const std::int64_t frame_bytes = table.integer(row, frame, kMinimumFrame.count);
        const MeasuredSwitch& measured = measured_switch(table, row, name);
        const Part& part = part_of(measured, table, row, frame);
        Scenario scenario = read_scenario(
            Scope::line_rate_plus_burst(), validation.scenario("n-plus-1"),
            {std::string("switch.model=") + measured.model, std::string("front_end.link_rate=") + measured.speed,
             std::string("switch.uplink_rate=") + measured.speed});
        scenario.frame.payload = Bytes{frame_bytes} - kHeadersAndFcs;
        const NPlusOne found = find_n_plus_one(*engine, scenario, kLimit);
        const auto set = [&](const char* what, std::size_t column, std::int64_t simulated, const Use& use) {
            const auto published = static_cast<double>(table.integer(row, column, 0)),
                       value = static_cast<double>(simulated);
            const Comparisons::Quantity quantity{what + (", " + row.cells[name] + ", " + row.cells[frame] + " B"),
                                                 "frames"};
            if (use.basis == Basis::Theory)
                return compare.theory(quantity, published, value, {0, {}},
                                      "a memory that takes in again at once loses the one frame");
            const Simulated number{value, std::string("switches/") + measured.model, {use.key}};
            const Tolerance tolerance = published < 10 ? Tolerance{1, "one frame"} : five_per_cent(published);
            if (use.basis == Basis::Predicted)
                compare.predicted(quantity, published, number, tolerance);
            else
                compare.calibrated(quantity, published, number, tolerance);
        };
        set("longest lossless burst", burst, found.lossless.value_or(kLimit), part.burst);
        set("drops at one frame more", drops, found.drops, part.drops);
    }
    return compare.all();
}

std::vector<Comparison> validate_thresholds(const Validation& validation) {
    const CsvTable table = CsvTable::read(validation.scenarios + "/data/dynamic-threshold-set-points.csv");
    const auto cell_of = [&](const CsvTable::Row& row, const char* column) { return row.cells[table.column(column)]; };
    Comparisons compare("thresholds");
    compare.from("regression tests of SONiC");
    for (const CsvTable::Row& row : table.rows()) {
        const Scenario scenario = read_scenario(
            Scope::own_bursts(), validation.scenario("threshold-tomahawk"),
            {"switch.buffer.size=" + cell_of(row, "pool_bytes") + " B", "switch.buffer.alpha=" + cell_of(row, "alpha"),
             "switch.buffer.slices=" + cell_of(row, "slices"),
             "switch.buffer.cell=" + cell_of(row, "cell_bytes") + " B",
             "switch.buffer.reserved=" + cell_of(row, "reserved_bytes") + " B"});
        compare.predicted({"cells in one congested queue at the first drop, " + cell_of(row, "config"), "cells"},
                          static_cast<double>(table.integer(row, table.column("test_threshold_cells"), 1)),
                          {static_cast<double>(drop_threshold_cells(scenario)),
                           "data/dynamic-threshold-set-points.csv",
                           {"pool_bytes"}},
                          {4, {}},
                          "from the configuration alone: alpha / (1 + alpha) of a slice of the pool, and what is "
                          "reserved; the tests have a margin of 2 to 4 cells");
    }
    return compare.all();
}

}  // namespace watershed
