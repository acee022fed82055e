// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/thresholds-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/thresholds/threshold-report.h"

namespace watershed {
namespace {

struct ThresholdsCommandOptions {
    std::string table;
    std::string engine = "exact";
    std::string json;
};

void find_thresholds(const ThresholdsCommandOptions& options, const Simulators& simulators) {
    const std::vector<ThresholdRow> rows = read_threshold_rows(CsvTable::read(options.table));
    StoppedSwitchFactory stop = stop_exactly;
    if (options.engine == "ns3") {
        stop = simulators.systems.of<StoppedSwitchFactory>();
        if (!stop) ask_for_ns3("engine ns3");
    }
    std::optional<OutputFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    std::vector<ThresholdResult> results;
    {
        Progress progress("thresholds", "rows", static_cast<std::int64_t>(rows.size()));
        results = simulate(rows, stop, [&] { progress.done(1); });
    }
    if (json) {
        json->stream() << to_json(results).dump(2) << '\n';
        json->commit();
    }
    if (options.json != "-") print(std::cout, results);
}

}  // namespace

void add_thresholds_command(CLI::App& app, const Simulators& simulators) {
    auto options = std::make_shared<ThresholdsCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "thresholds", "Build the switch that each row of a table configures, and fill it until XOFF, XON or a drop");
    command->add_option("TABLE", options->table, "Table of configurations (CSV)")->required();
    command->add_option("--engine", options->engine, "exact or ns3")
        ->check(CLI::IsMember({"ns3", "exact"}))
        ->capture_default_str();
    command->add_option("--json", options->json,
                        "Write the result as JSON to FILE; - is standard output, which then gets nothing else");
    command->footer(
        "Columns: asic, quantity (pfc_xoff, pfc_xoff_npg, ladder_k, ingress_drop, egress_drop, pfc_xon, headroom_full "
        "or headroom_partial), k (groups\n"
        "filled before), pgs_num (groups that fill together), unit (cells, or packets such as \"64-B packets\"), "
        "pool_bytes or pool_cells or\n"
        "shared_cells, cell_bytes, xoff_pool_bytes, reserved_sum_cells, alpha, slices, reserved_cells, headroom_cells, "
        "xon_offset, leak_out, egr_mem,\n"
        "pgs_per_port, value. Others are ignored, a row without the columns that its quantity needs names them. Rows "
        "count from 1.\n"
        "Example: watershed thresholds scenarios/data/sonic-set-points.csv --json thresholds.json");
    command->callback([options, simulators] { find_thresholds(*options, simulators); });
}

}  // namespace watershed
