// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>

#include "model/switch/uplinks.h"
#include "scenarios/commands/options.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

struct BalanceCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string output = "-";
};

std::string loads(const Scenario& scenario) {
    std::vector<int> modules(static_cast<std::size_t>(scenario.network_switch.uplinks));
    UplinkSelector selector(scenario.network_switch, scenario.front_end);
    for (int module = 1; module <= scenario.front_end.modules; ++module)
        ++modules[static_cast<std::size_t>(selector.next(module))];
    return listed(modules, [](int count) { return std::to_string(count); });
}

void balance(const BalanceCommandOptions& options) {
    Scenario scenario = read_apparatus(options.scenario, options.overrides);
    expect_one_switch(scenario, options.scenario);
    Switch& network_switch = scenario.network_switch;
    network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    const std::string before = loads(scenario);
    scenario.front_end.source_ports =
        read_at(options.scenario, [&] { return balanced_source_ports(network_switch, scenario.front_end); });
    OutputFile file(options.output);
    file.stream() << Provenance::comment() << "# modules on each uplink: " << before
                  << "; with these ports: " << loads(scenario)
                  << "\n[switch]\nuplink_selection = \"hash\"\n\n[front_end]\nsource_ports = [";
    file.write(listed(scenario.front_end.source_ports, [](auto port) { return std::to_string(port); }) + "]\n");
    if (options.output != "-")
        std::cout << options.output << ": modules on each uplink " << before << "; with these ports " << loads(scenario)
                  << "\n";
}

}  // namespace

void add_balance_command(CLI::App& app) {
    auto options = std::make_shared<BalanceCommandOptions>();
    CLI::App* command =
        app.add_subcommand("balance", "Find UDP source ports with which the scenario's hash loads all uplinks evenly");
    add_scenario(command, options->scenario, options->overrides);
    command
        ->add_option("-o,--output", options->output,
                     "TOML file to write, with keys for a scenario; - is standard output")
        ->capture_default_str();
    command->footer("Example: watershed balance scenarios/hash-uplinks.toml --set switch.uplinks=3");
    command->callback([options] { balance(*options); });
}

}  // namespace watershed
