// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <memory>

#include "plots/commands/commands.h"
#include "plots/figures/topology-figure.h"
#include "scenarios/reader/reader.h"

namespace watershed {
namespace {

struct Options {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string result;
    std::string title;
    std::string output;
};

void draw(const Options& options) {
    const Scenario scenario =
        read_scenario(Scope::camera().with_sequences().with_copies(), options.scenario, options.overrides);
    const Network network(scenario);
    std::string source = std::filesystem::path(options.scenario).filename().string();
    std::optional<NetworkResult> result;
    if (!options.result.empty()) {
        result = NetworkResult::read(options.result, scenario, network);
        source += ", " + std::filesystem::path(options.result).filename().string() + " (" + result->source + ")";
    }
    draw_topology(scenario, network, result, source, options.title, options.output);
}

}  // namespace

void add_draw_command(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "draw",
        "Draw the topology of a scenario, and after a run the load of its links and the losses of its switches");
    command->add_option("SCENARIO", options->scenario, "Scenario file (TOML)")->required();
    command->add_option("--set", options->overrides, "KEY=VALUE: override a key of the scenario (repeatable)")
        ->allow_extra_args(false);
    command->add_option("--result", options->result, "Result of this scenario, from `watershed run --json`")
        ->type_name("RUN.json");
    command->add_option("--title", options->title, "Text above the figure")->type_name("TEXT");
    command
        ->add_option(
            "-o,--output", options->output,
            "The figure; its ending chooses SVG, PDF or PNG. The Graphviz script stays beside it, as FIGURE.dot")
        ->required()
        ->type_name("FIGURE.(svg|pdf|png)");
    command->footer(
        "Example: watershed run scenarios/camera-two-tiers.toml --json run.json && watershed draw "
        "scenarios/camera-two-tiers.toml --result run.json -o camera.svg");
    command->callback([options] { draw(*options); });
}

}  // namespace watershed
