// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "calibrate/fit-report.h"
#include "calibrate/known.h"
#include "scenarios/output-file.h"

namespace watershed {
namespace {

struct Options {
    KnownOptions known;
    std::string json;
};

void run(const Options& options) {
    const Conditions conditions = conditions_of(options.known);
    const FitOptions fit_options = fit_options_of(options.known);
    std::optional<OutputFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    const Fit fit = fit_loss_map(read_loss_map(options.known.map), conditions, fit_options);
    if (json) {
        json->stream() << to_json(fit).dump(2) << '\n';
        json->commit();
    }
    if (options.json != "-") print(std::cout, fit);
}

}  // namespace

void add_fit_command(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("fit", "Find depth, service rate and kind of a switch memory that explain a loss map");
    add_known_options(*command, options->known);
    command->add_option("--json", options->json, "Write the result to FILE; - is standard output, and then nothing else goes there");
    command->footer("Every burst allows one side of a line in (depth, service rate). The hard limits are what all bursts allow together; rows that\n"
                    "limit them are called binding. Rows are counted from 1, without the header and comments. In JSON, null is \"no limit\".\n"
                    "Example: watershed fit scenarios/data/kernel-queue-deep.csv --scenario scenarios/kernel-queue.toml --json fit.json");
    command->callback([options] { run(*options); });
}

}  // namespace watershed
