// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>
#include <iostream>

#include "scenarios/catalogue/examples.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/options.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

void list_examples(const std::vector<Example>& all) {
    std::vector<std::vector<std::string>> lines;
    for (const Example& each : all) lines.push_back({each.name, each.title});
    for (const std::string& line : aligned(lines, {true, true})) std::cout << line << '\n';
}

}  // namespace

void add_example_command(CLI::App& app) {
    struct Options {
        std::string name, output;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("example", "Copy a scenario that comes with the program, to start from, or list them all");
    command->add_option("NAME", options->name, "Scenario to copy; without it all are listed, a line each");
    command->add_option("-o,--output", options->output,
                        "File to write, which must not exist; - is standard output [NAME.toml, in this folder]");
    command->footer("Example: watershed example s60-figure4 -o mine.toml");
    command->callback([options] {
        const std::vector<Example> all = examples(scenario_folders());
        if (options->name.empty()) return list_examples(all);
        const Example& example = example_named(options->name, all);
        const std::string own = std::filesystem::path(example.file).filename().string();
        const std::vector<std::string> written = copy_example(example, options->output.empty() ? own : options->output);
        if (!written.empty()) std::cout << listed(written) << ": " << example.title << '\n';
    });
}

}  // namespace watershed
