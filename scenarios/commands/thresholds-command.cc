// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/exact/n-plus-1.h"
#include "scenarios/commands/options.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/thresholds/threshold-table.h"

namespace watershed {
namespace {

struct ThresholdsCommandOptions {
    std::string input;
    std::vector<std::string> overrides;
    std::string engine = "exact";
    std::string json;
};

/// For programs and for people.
using Found = std::pair<nlohmann::ordered_json, std::string>;

Found of_scenario(const ThresholdsCommandOptions& options) {
    if (options.engine != "exact")
        throw InputError("--engine: found \"" + options.engine +
                         "\" with a scenario, expected exact, or a table (CSV)");
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_apparatus(options.input, options.overrides, &assumed);
    expect_one_switch(scenario, options.input);
    try {
        const std::int64_t cells = drop_threshold_cells(scenario);
        return {{{"program", Provenance::program()}, {"command", Provenance::command()}, {"threshold_cells", cells}},
                comment(assumed) + std::to_string(cells) +
                    " cells in one congested queue when its first frame is dropped\n"};
    } catch (const std::invalid_argument& error) {
        throw InputError(options.input + ": " + error.what());
    }
}

Found of_table(const ThresholdsCommandOptions& options, const Simulators& simulators) {
    if (!options.overrides.empty())
        throw InputError("--set: found \"" + options.overrides.front() + "\" with a table, expected a scenario (TOML)");
    const std::vector<ThresholdRow> rows = read_threshold_rows(CsvTable::read(options.input));
    StoppedSwitchFactory stop = stop_exactly;
    if (options.engine == "ns3") {
        stop = simulators.find<StoppedSwitchFactory>();
        if (!stop) ask_for_ns3("engine ns3");
    }
    Progress progress("thresholds", "rows", static_cast<std::int64_t>(rows.size()));
    const std::vector<ThresholdResult> results = simulate(rows, stop, [&] { progress.done(1); });
    std::ostringstream text;
    print(text, results);
    return {to_json(results), text.str()};
}

void find_thresholds(const ThresholdsCommandOptions& options, const Simulators& simulators) {
    auto file = file_if_named(options.json);
    const bool is_scenario = std::filesystem::path(options.input).extension() == ".toml";
    const auto [json, text] = is_scenario ? of_scenario(options) : of_table(options, simulators);
    if (file) file->write(json.dump(2) + "\n");
    if (options.json != "-") std::cout << text;
}

}  // namespace

void add_thresholds_command(CLI::App& app, const Simulators& simulators) {
    auto options = std::make_shared<ThresholdsCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "thresholds",
        "Build the switch of a scenario, or of each row of a table, and fill it until XOFF, XON or a drop");
    command
        ->add_option(
            "INPUT", options->input,
            "Table of configurations (CSV), or a scenario (TOML), one queue of which is filled with 64 B frames "
            "until the first drop")
        ->required();
    add_overrides(command, options->overrides);
    add_engine(command, options->engine);
    add_json(command, options->json);
    command->footer(
        "Columns of a table: asic, quantity (pfc_xoff, pfc_xoff_npg, ladder_k, ingress_drop, egress_drop, pfc_xon, "
        "headroom_full "
        "or headroom_partial), k (groups\n"
        "filled before), pgs_num (groups that fill together), unit (cells, or packets such as \"64-B packets\"), "
        "pool_bytes or pool_cells or\n"
        "shared_cells, cell_bytes, xoff_pool_bytes, reserved_sum_cells, alpha, slices, reserved_cells, headroom_cells, "
        "xon_offset, leak_out, egr_mem,\n"
        "pgs_per_port, step_bytes, value, margin (of the value, in its unit; else 4 cells or 0.02 % of packets). "
        "Others "
        "are ignored, a row without the\n"
        "columns that its quantity needs names them. Rows count from 1. Packets take whole cells; where step_bytes is "
        "given, and for asic j2 (16 B),\n"
        "cell_bytes is what one packet takes, in such steps. sharing = nested-threshold takes port_alpha, and "
        "pgs_per_port groups for "
        "each port in turn;\n"
        "stepped-threshold takes step_free and step_limits, in cells with blanks between them; dynamic-threshold (also "
        "if "
        "empty) takes\n"
        "threshold_mantissa and threshold_extra_step (1) for egress_drop.\n"
        "Examples:\n  watershed thresholds scenarios/data/sonic-set-points.csv --json thresholds.json\n  watershed "
        "thresholds "
        "scenarios/data/chip-set-points.csv\n  watershed thresholds scenarios/threshold-tomahawk.toml --json -");
    command->callback([options, simulators] { find_thresholds(*options, simulators); });
}

}  // namespace watershed
