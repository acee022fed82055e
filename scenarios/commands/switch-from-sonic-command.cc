// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>
#include <nlohmann/json.hpp>

#include "scenarios/commands/options.h"
#include "scenarios/sonic/sonic-switch.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

struct SwitchFromSonicOptions {
    std::string config, asic, profile;
    std::string response = to_text(kPauseResponse);
    std::string output = "-";
    std::string json;
};

void import_switch(const SwitchFromSonicOptions& options) {
    auto json_file = file_if_named(options.json);
    OutputFile file(options.output);
    const Bytes response = read_at("--response", [&] { return parse_bytes(options.response); });
    const ChipMemory* chip = options.asic.empty() ? nullptr : &chip_memory_named(options.asic);
    const SonicSwitch imported = switch_from_sonic(read_sonic_config(options.config), chip, options.profile, response);
    file.stream() << Provenance::comment() << toml_of(imported);
    if (json_file) {
        nlohmann::ordered_json json{{"program", Provenance::program()}, {"command", Provenance::command()}};
        json.update(json_of(imported));
        json_file->stream() << json.dump(2) << '\n';
    }
    // What goes to standard output as JSON leaves no room for the switch.
    OutputFile::commit_all(
        {options.output != "-" || options.json != "-" ? &file : nullptr, json_file ? &*json_file : nullptr});
    if (options.output != "-" && options.json != "-") std::cout << options.output << ": " << report_of(imported);
}

}  // namespace

void add_switch_from_sonic_command(CLI::App& app) {
    auto options = std::make_shared<SwitchFromSonicOptions>();
    CLI::App* command = app.add_subcommand(
        "switch-from-sonic", "Make a switch that scenarios can name of the configuration of a SONiC switch");
    command
        ->add_option("CONFIG", options->config,
                     "config_db.json of the switch, or what its `mmuconfig -l` prints, which lacks ports and queues")
        ->required();
    std::string names;
    for (const ChipMemory& chip : chip_memories()) names += (names.empty() ? "" : ", ") + chip.name;
    command->add_option("--asic", options->asic,
                        "Chip, for its cells, slices and the size of its memory: " + names +
                            "; without it these are unknown, and nothing tells whether the memory is enough");
    command->add_option("--profile", options->profile,
                        "Buffer profile of the camera's queues [that of most lossless priority groups; where there are "
                        "none, that of most queues]");
    command
        ->add_option("--response", options->response, "What a port sends until it obeys a pause; 60 quanta of 512 bits")
        ->capture_default_str();
    command
        ->add_option("-o,--output", options->output,
                     "File of the switch to write, which switch.model of a scenario names; - is standard output")
        ->capture_default_str();
    add_json(command, options->json);
    command->footer(
        "A configuration that asks for more cells than the chip has is refused. Each value of the file has the table "
        "and the field that it comes from as its source.\n"
        "Example: watershed switch-from-sonic scenarios/data/sonic-s6000.json --asic trident2 -o s6000.toml");
    command->callback([options] { import_switch(*options); });
}

}  // namespace watershed
