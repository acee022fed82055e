// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "scenarios/catalogue/catalogue.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/compare.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

struct CompareCommandOptions {
    CompareOptions compared;
    std::string separation = "20 us";
    std::string prices, figure, json;
};

void compare(CompareCommandOptions options, const EngineFactory& make_engine, const DrawResult& draw) {
    CompareOptions& compared = options.compared;
    if (compared.scenarios.size() < 2) throw InputError("SCENARIO: found one, expected at least two to compare");
    compared.separation = parse_time_list("--separation", options.separation).front();
    const std::string folder = std::filesystem::path(compared.scenarios.front()).parent_path().string();
    const Prices prices =
        options.prices.empty() ? Prices{} : read_prices(options.prices, read_catalogue(folder.empty() ? "." : folder));
    auto json = file_if_named(options.json);
    OutputFile::expect_figure(options.figure);
    Json result{{"program", Provenance::program()},
                {"command", Provenance::command()},
                {"set", compared.overrides},
                {"engine", compared.engine},
                {"separation_us", scaled_microseconds(compared.separation)},
                {"currency", prices.currency}};
    result["designs"] = compared_designs(compared, prices, make_engine);
    result["table"] = Json::array();
    for (const DesignRow& row : design_rows(result))
        result["table"].push_back({{"quantity", row.quantity}, {"values", row.values}});
    result["best"] = best_designs(result);
    if (!options.figure.empty()) draw(result, options.figure);
    if (json) json->write(result.dump(1) + "\n");
    if (options.json != "-") std::cout << designs_as_table(result);
}

}  // namespace

void add_compare_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    auto options = std::make_shared<CompareCommandOptions>();
    options->compared.jobs = default_jobs();
    CompareOptions& compared = options->compared;
    CLI::App* command = app.add_subcommand(
        "compare", "Set designs side by side: risk, watershed, fullest memory, latency and cost of each scenario");
    command->add_option("SCENARIO", compared.scenarios, "Scenario files (TOML), two or more")->required();
    add_overrides(command, compared.overrides,
                  "KEY=VALUE: override a key of all scenarios; N:KEY=VALUE: of the N-th alone (repeatable)");
    command
        ->add_option("--label", compared.labels, "Name of a design; repeat it in the order of the files [their names]")
        ->allow_extra_args(false);
    command
        ->add_option("--separation", options->separation,
                     "Separation of the events in the burst whose longest lossless length is sought")
        ->capture_default_str();
    command->add_option("--limit", compared.limit, "Longest burst tried, where only trying tells")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}))
        ->capture_default_str();
    add_engine(command, compared.engine);
    command->add_option("--prices", options->prices,
                        "Price of the switches and power in watts (CSV: switch,price,power), as for explore");
    add_jobs(command, compared.jobs);
    command->add_option("-o,--output", options->figure,
                        "Figure of the designs' watersheds and risks, .svg, .pdf or .png");
    add_json(command, options->json, "the result as JSON to FILE, for watershed report and watershed plot designs");
    command->footer(
        "Each number is what another command says of that scenario: the chance `risk` (random triggers only), the "
        "longest burst "
        "`boundary`,\nlosses and the fullest memory `run` (random triggers that the scenario does not end: of 100,000 "
        "events). The latency is that of the run where the scenario has a "
        "[server], else the "
        "mean that the rates give if no frame is lost.\nExample: watershed compare scenarios/risk-cheap-switch.toml "
        "scenarios/risk-4mb.toml -o "
        "designs.svg\n         watershed compare scenarios/risk-4mb.toml scenarios/risk-4mb.toml --set "
        "2:switch.uplinks=2 "
        "--label \"one uplink\" --label \"two uplinks\"");
    command->callback([options, make_engine, draw] { compare(*options, make_engine, draw); });
}

}  // namespace watershed
