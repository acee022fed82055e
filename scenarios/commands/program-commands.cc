// SPDX-License-Identifier: GPL-2.0-only
// Examples and keys that the program comes with.
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <set>

#include "scenarios/catalogue/examples.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/options.h"
#include "scenarios/keys/keys.h"
#include "scenarios/text/text-line.h"

namespace watershed {

void add_example_command(CLI::App& app) {
    const auto name = std::make_shared<std::string>(), output = std::make_shared<std::string>();
    CommandTable(app, "example", "Copy a scenario that comes with the program, to start from, or list them all",
                 "Example: watershed example s60-figure4 -o mine.toml")
        .add("NAME", *name, "Scenario to copy; without it all are listed, a line each")
        .add("-o,--output", *output,
             "File to write, which must not exist; - is standard output [NAME.toml, in this folder]")
        .run([=] {
            const std::vector<Example> all = examples(scenario_folders());
            if (name->empty()) {
                std::vector<std::vector<std::string>> lines;
                for (const Example& each : all) lines.push_back({each.name, each.title});
                for (const std::string& line : aligned(lines, {true, true})) std::cout << line << '\n';
                return;
            }
            const Example& example = example_named(*name, all);
            const std::string own = std::filesystem::path(example.file).filename().string();
            const std::vector<std::string> written = copy_example(example, output->empty() ? own : *output);
            if (!written.empty()) std::cout << listed(written) << ": " << example.title << '\n';
        });
}

void add_keys_command(CLI::App& app) {
    CommandTable(app, "keys", "List every key of a scenario file with its kind, default and meaning",
                 "Example: watershed keys")
        .run([] {
            std::set<std::string> tables;  // tables whose keys are those of another one
            for (const ScenarioKey& key : scenario_keys()) {
                if (key.like.empty()) {
                    std::cout << std::left << std::setw(40) << key.name << std::setw(32) << key.kind
                              << "default: " << (key.default_value.empty() ? "none" : key.default_value) << "\n    "
                              << key.meaning << "\n";
                    continue;
                }
                const auto dot = key.like.find('.');
                const std::string of = key.like.substr(0, dot),
                                  table = key.name.substr(0, key.name.size() - (key.like.size() - dot));
                if (tables.insert(table + ", " + of).second)
                    std::cout << table << ".KEY\n    All keys of [" << of << "]"
                              << key.meaning.substr(key.meaning.find(", for ")) << "\n";
            }
        });
}

}  // namespace watershed
