// SPDX-License-Identifier: GPL-2.0-only
#include <iomanip>
#include <iostream>
#include <set>

#include "scenarios/commands/options.h"
#include "scenarios/keys/keys.h"

namespace watershed {

void add_keys_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("keys", "List every key of a scenario file with its kind, default and meaning");
    command->footer("Example: watershed keys");
    command->callback([] {
        std::set<std::string> tables;  // whose keys are those of [switch]
        for (const ScenarioKey& key : scenario_keys()) {
            if (key.like.empty()) {
                std::cout << std::left << std::setw(40) << key.name << std::setw(32) << key.kind
                          << "default: " << (key.default_value.empty() ? "none" : key.default_value) << "\n    "
                          << key.meaning << "\n";
                continue;
            }
            const std::string table =
                key.name.substr(0, key.name.size() - key.like.size() + std::string("switch").size());
            if (tables.insert(table).second)
                std::cout << table << ".KEY\n    All keys of [switch]" << key.meaning.substr(key.meaning.find(", for "))
                          << "\n";
        }
    });
}

}  // namespace watershed
